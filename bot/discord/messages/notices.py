"""Messages that the bot can do without: posted once, edited, deleted."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import discord
import structlog

from bot.discord.api.requests import error_fields
from bot.discord.messages.live_message import LONGEST_S, NOT_NOW, LiveMessage
from bot.discord.messages.posted_message import NO_RECIPIENTS, LiveContext, MessageAddress, Recipients
from bot.discord.pictures.illustrations import Look
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.rate_limits.throttling import RequestPermit
from bot.discord.text.texts import Texts

_log = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False, kw_only=True)
class Notice(LiveMessage):
    """A dispensable message that is posted once.

    - `say`: returns what it shows; None deletes it.
    - `nonce`: "" if it is posted already.
    - `interval`: seconds between two edits; None for that of other messages.
    """

    is_dispensable = True
    is_reposted = False

    say: Callable[[], Look | None]
    nonce: str = ""
    recipients: Recipients = NO_RECIPIENTS
    interval: float | None = None

    def show(self, look: Look | None) -> None:
        """Show another look from now on; None deletes the message."""
        self.say = lambda: look
        self.request_update()

    def look(self) -> Look | None:
        return self.say()

    def _interval(self, is_urgent: bool) -> float:
        return super()._interval(is_urgent) if self.interval is None else self.interval

    async def _show(self, permit: RequestPermit) -> None:
        if self.look() is not None:
            await super()._show(permit)
            return
        if self.address.message_id is not None:
            await delete_message(self.context, self.address.channel_id, self.address.message_id, permit)
        self.is_over = True


async def post_once(
    context: LiveContext,
    address: MessageAddress,
    look: Look,
    nonce: str,
    texts: Texts,
    *,
    recipients: Recipients = NO_RECIPIENTS,
    is_silent: bool = False,
    is_urgent: bool = False,
    within_s: float = LONGEST_S,
    **log_fields: int,
) -> DiscordRefusal | None:
    """Post a message that is never edited.

    Args:
        context: The collaborators of all messages.
        address: Where it is posted.
        look: What it shows.
        nonce: The name of the post; of two posts with the same name Discord accepts the first.
        texts: The texts in its readers' language.
        recipients: Whom it notifies.
        is_silent: Whether it makes no sound.
        is_urgent: Whether it precedes the writes of other messages.
        within_s: Seconds after which the post is abandoned.
        log_fields: Name the message in the log.

    Returns:
        None once it is posted, else why it is not. If that `may_pass`, the message may have been posted anyway.
    """
    notice = Notice(context, log_fields, texts, address, say=lambda: look, nonce=nonce, recipients=recipients)
    notice.is_silent = is_silent
    try:
        async with asyncio.timeout(within_s):
            await notice.try_write(is_urgent=is_urgent)
    except TimeoutError:
        _log.warning("message.not_in_time", **log_fields)
    return None if notice.address.message_id is not None else notice.refusal or NOT_NOW


async def delete_message(
    context: LiveContext, channel_id: int, message_id: int, permit: RequestPermit | None = None
) -> None:
    """Delete a message with a request of the permit. If Discord refuses for good, the message stays.

    Deletions in a channel run one after another: discord.py learns their rate limit from the first response.

    Raises:
        discord.HTTPException: It may be deleted later.
        TimeoutError: It may be deleted later.
    """
    turn = context.deletions.of(channel_id)
    if permit is None:
        async with turn, context.requests.permit() as permit:
            await _delete(context.client, channel_id, message_id, permit)
        return
    if turn.locked():
        permit.release()  # or two tasks would wait for each other, one for the lock and one for room
    async with turn:
        await _delete(context.client, channel_id, message_id, permit)


async def _delete(client: discord.Client, channel_id: int, message_id: int, permit: RequestPermit) -> None:
    await permit.acquire_and_record()
    try:
        await client.get_partial_messageable(channel_id).get_partial_message(message_id).delete()
    except (discord.NotFound, discord.Forbidden) as error:
        _log.info("message.stays", channel=channel_id, **error_fields(error))


async def newest_messages(context: LiveContext, channel_id: int, most: int) -> list[discord.Message]:
    """Return up to `most` messages of a channel, newest first.

    Raises:
        discord.HTTPException: The bot may not read the channel.
    """
    async with context.requests.permit() as permit:
        permit.record_sent()
        return [message async for message in context.client.get_partial_messageable(channel_id).history(limit=most)]
