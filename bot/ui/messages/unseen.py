"""A table that cannot be shown: why, since when, and what its people are told. All of Discord's bad days end here."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never

import discord
import structlog

from bot.ui.kit.permissions import permission_names
from bot.ui.kit.texts import Texts

_log = structlog.get_logger(__name__)


class Why(StrEnum):
    """`REMOVED`: the bot is in that server no longer; `DELETED`: its message is, as often as it is posted."""

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


def why_unseen(error: discord.HTTPException) -> Why | None:
    """What a refused post or edit says about its place; None where the place is not the reason."""
    return _BY_CODE.get(error.code)


async def reopen(client: discord.Client, thread_id: int) -> bool:
    """Take a thread out of the archive; False where Discord refuses that, as it does if the thread is locked."""
    try:
        thread = await client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)
    except discord.HTTPException as error:
        _log.info("thread.closed", thread=thread_id, status=error.status, code=error.code)
        return False
    return True


def unseen_text(unseen: Unseen, channel_id: int, lacks: Sequence[str], texts: Texts) -> str:
    """One warning; `lacks` are the permissions that the bot lacks in the channel, by discord.py's names."""
    when = f"<t:{unseen.since // 1000}:t>"
    reason = _reason(unseen.why, f"<#{channel_id}>", ", ".join(permission_names(lacks, texts)), texts)
    if unseen.why is Why.CHANNEL_GONE:
        remedy = texts.t("`/kems move` brings the table to another channel.")
    else:
        remedy = texts.t("`/kems resume` goes on once that is put right, `/kems move` in another channel.")
    return f"⚠️ **{reason}** " + texts.t("The table has waited since {when}; nothing is lost.", when=when) + f" {remedy}"


def _reason(why: Why, channel: str, lacking: str, texts: Texts) -> str:
    match why:
        case Why.CHANNEL_GONE:
            return texts.t("The channel of this table was deleted.")
        case Why.FORBIDDEN if lacking:
            return texts.t(
                "I cannot show this table in {channel} any more: I lack these permissions there: {names}.",
                channel=channel,
                names=lacking,
            )
        case Why.FORBIDDEN:
            return texts.t("I may not show this table in {channel} any more.", channel=channel)
        case Why.CLOSED:
            return texts.t("The thread of this table, {channel}, is archived or locked.", channel=channel)
        case Why.REMOVED:
            return texts.t("I was removed from this server.")
        case Why.DELETED:
            return texts.t("The message of this table is deleted again and again in {channel}.", channel=channel)
    assert_never(why)
