"""Reads the fields of a message from a request's body: the same for posts, edits, answers and follow-ups."""

import re
from collections.abc import Sequence
from mimetypes import guess_type
from typing import Any, Final

from bot.sandbox.discord import errors
from bot.sandbox.discord.components import take_in, walk
from bot.sandbox.discord.objects import COMPONENTS_V2, EPHEMERAL, Guild, Json, Message, Upload
from bot.sandbox.discord.world import World

CDN: Final = "https://cdn.discord.invalid"
"""The beginning of the addresses of posted files."""
_KEPT_FILES: Final = 1_000
_MENTION: Final = re.compile(r"<@([!&]?)(\d+)>")
_SHOWN: Final = ("content", "components")
_SETTABLE: Final = COMPONENTS_V2 | 1 << 2 | 1 << 12  # also: suppress embeds, suppress notifications


def message_fields(
    world: World, channel_id: int, body: Json, uploads: Sequence[Upload], former: Message | None = None
) -> Json:
    """Return the fields of a message to be posted in a channel, or changed from `former`.

    Raises:
        DiscordError: 50006 for an empty message, 50035 for a body that Discord does not take.
    """
    files = _attachments(world, body, uploads, former)
    fields: dict[str, Any] = {"attachments": files}
    for name in _SHOWN:
        if name in body or former is None:
            fields[name] = body.get(name) or ("" if name == "content" else [])
    if "components" in fields:
        take_in(world, fields["components"], files)
    flags = int(body.get("flags") or 0) & _SETTABLE
    fields["flags"] = flags if former is None else former.flags | flags
    content, components = (fields.get(name, getattr(former, name, None)) or () for name in _SHOWN)
    if not (content or components or files):
        raise errors.empty_message()
    texts = [content or "", *(part.get("content") or "" for _, part in walk(components))]
    return fields | mention_fields(world.guild_of(channel_id), "\n".join(texts), body.get("allowed_mentions"))


def mention_fields(guild: Guild | None, text: str, allowed: Json | None = None) -> dict[str, tuple[int, ...]]:
    """Return the members and roles that a text mentions, as far as its sender allows it.

    Source: https://discord.com/developers/docs/resources/message#allowed-mentions-object
    """
    found = _MENTION.findall(text) if "<@" in text and guild is not None else []
    if guild is None or not found:
        return {"mentions": (), "role_mentions": ()}
    users = dict.fromkeys(int(key) for kind, key in found if kind != "&" and int(key) in guild.members)
    roles = dict.fromkeys(int(key) for kind, key in found if kind == "&" and int(key) in guild.roles)

    def may(kind: str, key: int) -> bool:
        return allowed is None or kind in (allowed.get("parse") or ()) or str(key) in (allowed.get(kind) or ())

    return {
        "mentions": tuple(key for key in users if may("users", key)),
        "role_mentions": tuple(key for key in roles if may("roles", key) and guild.roles[key].is_mentionable),
    }


def is_private(body: Json) -> bool:
    """Return whether a body asks for an ephemeral message."""
    return bool(int(body.get("flags") or 0) & EPHEMERAL)


def _attachments(world: World, body: Json, uploads: Sequence[Upload], former: Message | None) -> list[Json]:
    """Return the files of a message: those that an edit keeps, by default all, then those that were sent.

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
        path = f"/attachments/{number}/{name}"
        # discord.py sends every file as application/octet-stream, and pictures are shown all the same.
        world.files[path], address = upload.data, CDN + path
        if len(world.files) > _KEPT_FILES:
            del world.files[next(iter(world.files))]
        file = {"id": number, "filename": name, "size": len(upload.data), "url": address, "proxy_url": address,
                "content_type": guess_type(name)[0] or upload.content_type}  # fmt: skip
        if "description" in given:
            file["description"] = given["description"]
        new.append(file)
    return [*present, *new]
