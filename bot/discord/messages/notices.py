"""Messages that everything goes on without: posted once, edited, deleted."""

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
from bot.discord.rate_limits.throttling import Slot
from bot.discord.text.texts import Texts

_log = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False, kw_only=True)
class Notice(LiveMessage):
    """A message that everything goes on without. It is posted once, and deleted when `say` returns None.

    Without a `nonce` it stands already. `interval`: seconds between two edits; None: as for other messages.
    """

    is_dispensable = True
    comes_back = False

    say: Callable[[], Look | None]
    nonce: str = ""
    recipients: Recipients = NO_RECIPIENTS
    interval: float | None = None

    def show(self, look: Look | None) -> None:
        """Say something else from now on."""
        self.say = lambda: look
        self.ask()

    def look(self) -> Look | None:
        return self.say()

    def _interval(self, is_urgent: bool) -> float:
        return super()._interval(is_urgent) if self.interval is None else self.interval

    async def _show(self, slot: Slot) -> None:
        if self.look() is not None:
            await super()._show(slot)
            return
        if self.spot.message_id is not None:
            await delete_message(self.context, self.spot.channel_id, self.spot.message_id, slot)
        self.is_over = True


async def post_once(
    context: LiveContext,
    spot: MessageAddress,
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
    """Post a message that is not edited any more; of two posts with one `nonce` Discord takes the first.

    Returns None once it stands, else why it does not; it is not known whether it stands where that may pass.
    """
    notice = Notice(context, log_fields, texts, spot, say=lambda: look, nonce=nonce, recipients=recipients)
    notice.is_silent = is_silent
    try:
        async with asyncio.timeout(within_s):
            await notice.try_write(is_urgent=is_urgent)
    except TimeoutError:
        _log.warning("message.not_in_time", **log_fields)
    return None if notice.spot.message_id is not None else notice.refusal or NOT_NOW


async def delete_message(context: LiveContext, channel_id: int, message_id: int, slot: Slot | None = None) -> None:
    """Delete a message, with a request of the slot. If Discord refuses that, the message stays.

    One of a channel follows another: discord.py learns of their limit by the first answer.

    Raises:
        discord.HTTPException: it may be deleted later.
        TimeoutError: it may be deleted later.
    """
    turn = context.deletions.of(channel_id)
    if slot is None:
        async with turn, context.requests.slot() as slot:
            await _delete(context.client, channel_id, message_id, slot)
        return
    if turn.locked():
        slot.release()  # else two wait for each other: one for the turn, one for room
    async with turn:
        await _delete(context.client, channel_id, message_id, slot)


async def _delete(client: discord.Client, channel_id: int, message_id: int, slot: Slot) -> None:
    await slot.acquire_and_record()
    try:
        await client.get_partial_messageable(channel_id).get_partial_message(message_id).delete()
    except (discord.NotFound, discord.Forbidden) as error:
        _log.info("message.stays", channel=channel_id, **error_fields(error))


async def newest_messages(context: LiveContext, channel_id: int, most: int) -> list[discord.Message]:
    """Return the newest messages of a channel.

    Raises:
        discord.HTTPException: the bot may not read it.
    """
    async with context.requests.slot() as slot:
        slot.record_sent()
        return [message async for message in context.client.get_partial_messageable(channel_id).history(limit=most)]
