"""Answers to interactions: a sentence, a panel, a modal, or a deferral.

The first answer uses discord.py's public API: 59 us of CPU instead of 10 are a sixtieth of a press. An answer that may
take longer than a second is deferred first.
"""

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, Final

import discord
import structlog

from bot.discord.api.components import Layout, with_new_ids
from bot.discord.api.error_codes import ErrorCode, code_of
from bot.discord.api.interactions import is_private, texts_of
from bot.discord.api.modals import Modal
from bot.discord.api.requests import (
    FAILED,
    NOBODY,
    Content,
    Files,
    PreparedView,
    edit_by_token,
    error_fields,
    log_failures,
)

_ELSEWHERE: Final = "answered_elsewhere"
_OUTDATED: Final = "outdated"

_log = structlog.get_logger(__name__)


async def reply(interaction: discord.Interaction, line: str) -> None:
    """Answer with an ephemeral sentence, also after a deferral; do nothing if the interaction was answered already."""
    deferred = interaction.response.type
    try:
        if deferred is discord.InteractionResponseType.deferred_channel_message:
            await interaction.edit_original_response(content=line)
        elif deferred is discord.InteractionResponseType.deferred_message_update:
            await follow_up(interaction, line)
        elif not interaction.response.is_done():
            await interaction.response.send_message(line, ephemeral=True)
    except FAILED as error:  # too late (three seconds), answered elsewhere, or Discord was not reached
        note_answered_elsewhere(interaction, error)
        _log.warning("answer.failed", **error_fields(error))


async def reply_outdated(interaction: discord.Interaction) -> None:
    """Answer that the pressed button is outdated: no current message has it."""
    interaction.extras[_OUTDATED] = True
    await reply(interaction, texts_of(interaction).t("This message has been replaced: use the newest one."))


async def reply_with_files(interaction: discord.Interaction, line: str, files: Sequence[discord.File]) -> None:
    """Answer with an ephemeral sentence and files; if no file is left, say that they are too large.

    Raises:
        discord.HTTPException: Discord refuses them.
    """
    if not files:
        t = texts_of(interaction).t
        await reply(interaction, t("The files are too large for Discord: ask the person who runs the bot for them."))
    elif interaction.response.is_done():
        await interaction.edit_original_response(content=line, attachments=files)
    else:
        await interaction.response.send_message(line, files=files, ephemeral=True)


async def reply_panel(interaction: discord.Interaction, layout: Layout) -> None:
    """Answer with an ephemeral panel, which replaces the pressed panel or a deferral; else it is a new message."""
    layout = with_new_ids(layout, interaction.id)
    if interaction.response.is_done():
        await edit_by_token(interaction.client, interaction.token, layout)
    elif is_private(interaction.message):
        await update_message(interaction, layout)
    else:
        await interaction.response.send_message(view=PreparedView(layout), ephemeral=True)


async def reply_new_panel(interaction: discord.Interaction, layout: Layout) -> int:
    """Answer with a new ephemeral panel, even if the press was on a panel, and return its message id.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    if interaction.response.is_done():
        return (await interaction.edit_original_response(view=PreparedView(layout))).id
    posted = await interaction.response.send_message(view=PreparedView(layout), ephemeral=True)
    return await _id_of(interaction, posted)


async def post_reply(interaction: discord.Interaction, content: Content) -> int:
    """Answer with a public message that mentions nobody, and return its id.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    posted = await interaction.response.send_message(**_sent(content), allowed_mentions=NOBODY)
    return await _id_of(interaction, posted)


async def follow_up(interaction: discord.Interaction, content: Content, *, is_public: bool = False) -> None:
    """Send a further message after the answer; it mentions nobody, and is ephemeral unless it `is_public`.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    await interaction.followup.send(**_sent(content), ephemeral=not is_public, allowed_mentions=NOBODY)


async def update_message(interaction: discord.Interaction, layout: Layout, files: Files | None = None) -> None:
    """Answer a press by editing the pressed message; with `files=None` it keeps its files.

    Raises:
        discord.HTTPException: Discord refuses it.
        discord.InteractionResponded: The press has been answered already.
    """
    attachments: Any = discord.utils.MISSING if files is None else files
    view = PreparedView(layout)
    await interaction.response.edit_message(view=view, attachments=attachments, allowed_mentions=NOBODY)


async def open_modal(interaction: discord.Interaction, form: Modal) -> None:
    """Answer with a modal.

    Raises:
        discord.HTTPException: Discord refuses it.
    """
    await interaction.response.send_modal(form)


async def defer(interaction: discord.Interaction, *, is_new: bool = False) -> None:
    """Defer an ephemeral answer: it will edit the pressed ephemeral panel unless it `is_new`, or be a new message.

    Do nothing if the interaction was answered or deferred already.
    """
    if interaction.response.is_done():
        return
    if is_private(interaction.message) and not is_new:
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)


async def defer_update(interaction: discord.Interaction) -> None:
    """Acknowledge a press, whose message may be edited later. Do nothing if it was answered already."""
    if not interaction.response.is_done():
        await interaction.response.defer()


async def delete_reply(interaction: discord.Interaction) -> None:
    """Delete the answer to an interaction; do nothing if Discord refuses."""
    with log_failures(_log.info, "answer.stays"):
        await interaction.delete_original_response()


def note_answered_elsewhere(interaction: discord.Interaction, error: Exception) -> None:
    """Mark the interaction as answered by another process if the error says so."""
    if code_of(error) is ErrorCode.ANSWERED_ALREADY:
        interaction.extras[_ELSEWHERE] = True


def is_outdated(interaction: discord.Interaction) -> bool:
    """Return whether the press was answered by `reply_outdated`."""
    return _OUTDATED in interaction.extras


def is_answered_elsewhere(interaction: discord.Interaction) -> bool:
    """Return whether another process has answered the interaction."""
    return _ELSEWHERE in interaction.extras


def attached(files: Mapping[str, bytes], stem: str, limit: int) -> list[discord.File]:
    """Return files ready to send. This takes a while: run it in a thread.

    If together they exceed `limit` bytes, they are packed into `stem`.zip; a file that alone exceeds `limit` is left
    out.
    """
    if sum(map(len, files.values())) > limit:
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        files = {f"{stem}.zip": packed.getvalue()}
    return [discord.File(BytesIO(data), name) for name, data in files.items() if len(data) <= limit]


def _sent(content: Content) -> dict[str, Any]:
    return {"content": content} if isinstance(content, str) else {"view": PreparedView(content)}


async def _id_of(interaction: discord.Interaction, posted: discord.InteractionCallbackResponse[discord.Client]) -> int:
    """Return the id of the message that answers an interaction; ask Discord if its response lacks the id.

    Raises:
        discord.HTTPException: The message is gone.
    """
    return posted.message_id or (await interaction.original_response()).id
