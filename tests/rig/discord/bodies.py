"""The fields of a message out of a request's body, the same for posts, edits, answers and follow-ups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.rig.discord import errors
from tests.rig.discord.components import take_in
from tests.rig.discord.objects import COMPONENTS_V2, EPHEMERAL, Json, Message, Upload
from tests.rig.discord.world import World

_SETTABLE = COMPONENTS_V2 | 1 << 2 | 1 << 12  # also: suppress embeds, suppress notifications


def message_fields(world: World, body: Json, uploads: Sequence[Upload], former: Message | None = None) -> Json:
    """What to post, or to change in ``former``.

    Raises:
        DiscordError: 50006 for an empty message, 50035 for a body that Discord does not take.
    """
    files = _attachments(world, body, uploads, former)
    fields: dict[str, Any] = {"attachments": files}
    for name, empty in (("content", ""), ("embeds", []), ("components", [])):
        if name in body or former is None:
            fields[name] = body.get(name) or empty
    if "components" in fields:
        take_in(world, fields["components"], files)
    flags = int(body.get("flags") or 0) & _SETTABLE
    fields["flags"] = flags if former is None else former.flags | flags
    shown = [fields.get(name, getattr(former, name, None)) for name in ("content", "embeds", "components")]
    if not any(shown) and not files:
        raise errors.empty_message()
    return fields


def is_private(body: Json) -> bool:
    return bool(int(body.get("flags") or 0) & EPHEMERAL)


def _attachments(world: World, body: Json, uploads: Sequence[Upload], former: Message | None) -> list[Json]:
    """The files of a message: those an edit keeps (all, if it does not say), then those that were sent.

    Source: https://discord.com/developers/docs/resources/message#edit-message
    """
    told = body.get("attachments")
    present = [] if former is None else former.attachments
    if told is not None:
        kept_ids = {str(one.get("id")) for one in told}
        present = [file for file in present if file["id"] in kept_ids]
    described = {str(one.get("id")): one for one in told or ()}
    new = []
    for index, upload in enumerate(uploads):
        given = described.get(upload.field.removeprefix("files[").removesuffix("]"), described.get(str(index), {}))
        number, name = str(world.new_id()), str(given.get("filename") or upload.filename)
        address = f"https://cdn.discord.invalid/attachments/{number}/{name}"
        file = {"id": number, "filename": name, "size": upload.size, "url": address, "proxy_url": address,
                "content_type": upload.content_type}  # fmt: skip
        if "description" in given:
            file["description"] = given["description"]
        new.append(file)
    return [*present, *new]
