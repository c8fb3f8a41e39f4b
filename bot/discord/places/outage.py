"""Why and since when a live message cannot be shown, and the sentences about that."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import discord
import structlog

from bot.discord.api.error_codes import OutageReason
from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.api.patience import PATIENCE_S
from bot.discord.api.requests import FAILED, error_fields
from bot.discord.places.permissions import permission_names
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.text.texts import Texts, mark

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ChannelLost:
    """An event of the hub: a channel or thread was deleted, or a thread locked; `parent_id` is a thread's channel."""

    channel_id: int
    reason: OutageReason
    parent_id: int | None = None


@dataclass(frozen=True, slots=True)
class Outage:
    """Why and since when a message cannot be shown.

    - `since`: when that began, in Unix milliseconds.
    - `refusal`: what Discord has refused; None if the bot knows without a request.
    """

    reason: OutageReason
    since: int
    refusal: DiscordRefusal | None = None


@dataclass(frozen=True, slots=True)
class OutageWords:
    """English sentences about the outage of one kind of message.

    - `reasons`: why it cannot be shown.
    - `lacking`, `outside`: used for `OutageReason.FORBIDDEN` when permissions are missing, or the thread is private.
    - `waiting`: follows the reason; then comes what to do.
    - `elsewhere`: what to do when the channel is gone.
    - `later`: what to do when the bot's timeout ends by itself.
    - `remedy`: what to do in all other cases.
    - `refused`: follows Discord's own words when it refuses the content.
    """

    reasons: Mapping[OutageReason, str]
    lacking: str
    outside: str
    waiting: str
    elsewhere: str
    later: str
    remedy: str
    refused: str


OF_TABLE: Final = OutageWords(
    reasons={
        OutageReason.CHANNEL_GONE: mark("The channel of this table was deleted."),
        OutageReason.FORBIDDEN: mark("I may not show this table in {channel} any more."),
        OutageReason.CLOSED: mark("The thread of this table, {channel}, is archived or locked."),
        OutageReason.REMOVED: mark("I was removed from this server."),
        OutageReason.DELETED: mark("The message of this table is deleted again and again in {channel}."),
        OutageReason.REFUSED: mark("Discord does not take this table's message in {channel}."),
    },
    lacking=mark("I can't show this table in {channel} any more. Missing permissions there: {names}."),
    outside=mark("I may not show this table in {channel} any more: in a private thread, mention {bot} to add me."),
    waiting=mark("The table has waited since {when}; nothing is lost."),
    elsewhere=mark("{/move} brings the table to another channel."),
    later=mark("It comes back by itself then; a paused match goes on once somebody presses ▶ Resume."),
    remedy=mark("{/resume} goes on once that is put right, {/move} in another channel."),
    refused=mark("I try again with each change; {/move} brings the table to another channel."),
)


def outage_text(
    outage: Outage,
    channel_id: int,
    lacks: Sequence[str],
    texts: Texts,
    *,
    outside: str | None = None,
    timeout: str | None = None,
    why: str = "",
    words: OutageWords = OF_TABLE,
) -> str:
    """Return a warning about a message that cannot be shown.

    Args:
        lacks: The permissions that the bot lacks in the channel, by discord.py's names.
        outside: Mentions the bot if the channel may be a private thread from which it was removed.
        timeout: Says that a moderator gave the bot a timeout, so it may not write anywhere.
        why: Why Discord refuses what the message says.
    """
    names, reason = permission_names(lacks, texts), words.reasons[outage.reason]
    if outage.reason is OutageReason.FORBIDDEN and (names or outside):
        reason = words.lacking if names else words.outside
    waiting = texts.t(words.waiting, when=f"<t:{outage.since // 1000}:t>")
    if outage.reason is OutageReason.FORBIDDEN and timeout is not None:
        return f"⚠️ **{timeout}** {waiting} {texts.t(words.later)}"
    sentence = texts.t(reason, channel=f"<#{channel_id}>", names=names, bot=outside)
    if outage.reason is OutageReason.REFUSED:
        return " ".join(filter(None, (f"⚠️ **{sentence}**", why, texts.t(words.refused))))
    remedy = words.elsewhere if outage.reason is OutageReason.CHANNEL_GONE else words.remedy
    return f"⚠️ **{sentence}** {waiting} {texts.t(remedy)}"


def may_be_private(channel: object) -> bool:
    """Return whether a channel may be a private thread; None stands for a channel that the bot does not know.

    Commands and presses come from there, but the bot may not read or post until it is added.
    Source: https://discord.com/developers/docs/topics/threads#permissions
    """
    return channel is None or (isinstance(channel, discord.Thread) and channel.is_private())


async def check_is_added(interaction: discord.Interaction, channel_id: int, requests: BotRequests) -> None:
    """Check that the bot can read a channel of the interaction's server that may be a private thread.

    Raises:
        RefusedError: The bot has not been added to the thread; the sentence says how to add it.
    """
    guild, client = interaction.guild, interaction.client
    is_here = channel_id == interaction.channel_id
    channel = interaction.channel if is_here or guild is None else guild.get_channel_or_thread(channel_id)
    if not may_be_private(channel):
        return
    try:
        async with asyncio.timeout(PATIENCE_S), requests.permit(is_urgent=True) as permit:
            permit.record_sent()
            await client.fetch_channel(channel_id)
    except discord.Forbidden:
        assert client.user is not None, "a bot that hears of interactions is logged in"
        sentence = texts_of(interaction).t(
            "I have not been added to the private thread {channel}: mention {bot} there, then try again.",
            channel=f"<#{channel_id}>",
            bot=client.user.mention,
        )
        raise RefusedError(sentence) from None
    except (
        *FAILED,
        discord.InvalidData,
    ) as error:  # it is gone, of an unknown kind, or there was no answer in time: the table will show what is wrong
        _log.info("thread.not_known", channel=channel_id, **error_fields(error))
