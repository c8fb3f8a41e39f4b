"""Why and since when a table cannot be shown, and the sentences about that."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import discord
import structlog

from bot.ui.kit.permissions import permission_names
from bot.ui.kit.texts import Texts, mark
from bot.ui.messages.limits.budget import Slot

_log = structlog.get_logger(__name__)


class Why(StrEnum):
    """`REMOVED`: the bot was removed from the server; `DELETED`: the message is deleted again and again."""

    CHANNEL_GONE = "channel_gone"
    FORBIDDEN = "forbidden"
    CLOSED = "closed"
    REMOVED = "removed"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Unseen:
    """`since` in milliseconds."""

    why: Why
    since: int


# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json-json-error-codes
_BY_CODE: Final = {
    10003: Why.CHANNEL_GONE,  # unknown channel
    50001: Why.FORBIDDEN,  # missing access
    50013: Why.FORBIDDEN,  # missing permissions
    50083: Why.CLOSED,  # the thread is archived
    160005: Why.CLOSED,  # the thread is locked
}
_LACKING: Final = mark("I cannot show this table in {channel} any more: I lack these permissions there: {names}.")
_OUTSIDE: Final = mark("I may not show this table in {channel} any more: in a private thread, mention {bot} to add me.")
_REASONS: Final = {
    Why.CHANNEL_GONE: mark("The channel of this table was deleted."),
    Why.FORBIDDEN: mark("I may not show this table in {channel} any more."),
    Why.CLOSED: mark("The thread of this table, {channel}, is archived or locked."),
    Why.REMOVED: mark("I was removed from this server."),
    Why.DELETED: mark("The message of this table is deleted again and again in {channel}."),
}


def why_unseen(error: discord.HTTPException) -> Why | None:
    """Why the place refuses a post or an edit; None if the reason is another."""
    return _BY_CODE.get(error.code)


async def reopen(client: discord.Client, thread_id: int, slot: Slot) -> bool:
    """Take a thread out of the archive. Returns whether Discord allowed it, which it does not for a locked one."""
    try:
        slot.request()
        thread = await client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread):
            slot.request()
            await thread.edit(archived=False)
    except discord.HTTPException as error:
        _log.info("thread.closed", thread=thread_id, status=error.status, code=error.code)
        return False
    return True


def unseen_text(
    unseen: Unseen, channel_id: int, lacks: Sequence[str], texts: Texts, *, outside: str | None = None
) -> str:
    """A warning; `lacks` are the permissions that the bot lacks in the channel, by discord.py's names.

    `outside` mentions the bot if the channel may be a private thread from which it was removed.
    """
    when = f"<t:{unseen.since // 1000}:t>"
    names = ", ".join(permission_names(lacks, texts))
    reason = _REASONS[unseen.why]
    if unseen.why is Why.FORBIDDEN and (names or outside):
        reason = _LACKING if names else _OUTSIDE
    if unseen.why is Why.CHANNEL_GONE:
        remedy = texts.t("`/kems move` brings the table to another channel.")
    else:
        remedy = texts.t("`/kems resume` goes on once that is put right, `/kems move` in another channel.")
    waiting = texts.t("The table has waited since {when}; nothing is lost.", when=when)
    return f"⚠️ **{texts.t(reason, channel=f'<#{channel_id}>', names=names, bot=outside)}** {waiting} {remedy}"
