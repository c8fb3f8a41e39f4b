"""A live message: a public message that shows how things are now.

It is posted once by its nonce, found again after a crash, edited at a pace that Discord accepts, posted again where it
was deleted, and says why where it cannot be shown. A subclass says where it stands, what it shows, and how to recognise
it; it knows no more about Discord than that.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import discord
import structlog

from bot.base.background import Backoff, Locks
from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.base.times import MINUTE_MS
from bot.discord.api.components import Layout
from bot.discord.api.error_codes import ErrorCode, Reason, code_of, may_pass, reason_of
from bot.discord.api.patience import PATIENCE_S
from bot.discord.api.requests import FAILED, NOBODY, Files, PreparedView, edit_message, facts
from bot.discord.api.responses import defer_update, update_message
from bot.discord.messages.delivery import Delivery
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrated, Illustrator, Look
from bot.discord.pictures.kept_files import KeptFiles
from bot.discord.pictures.newest_picture import NewestPicture
from bot.discord.places.outage import (
    OF_TABLE,
    Outage,
    OutageWords,
    may_be_private,
    outage_text,
)
from bot.discord.places.permissions import lacking, may_attach, timeout_words
from bot.discord.places.threads import reopen
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.rate_limits.pace import Coalescer, LastSent, Slot, Urgency
from bot.discord.text.texts import Texts

MOST_DELETIONS: Final = 3
"""A message that is deleted more often in a minute is posted no more."""
LONGEST_S: Final = 60.0
"""A write that takes longer is begun again later: Discord may let a request wait for minutes, and others behind it."""
HELD_S: Final = 1.0
"""So long a message waits for the answers to presses, at most."""
_LOOKED_AT: Final = 100  # as many messages as one request gives
_MAY_PASS: Final = frozenset({Reason.FORBIDDEN, Reason.CLOSED, Reason.REMOVED})
"""Reasons that may pass without an event."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a message stands; `message_id` is None before it is posted there."""

    guild_id: int
    channel_id: int
    message_id: int | None = None


@dataclass(frozen=True, slots=True)
class LiveContext:
    """What all live messages share. `placed` is called whenever the spot of a message changes."""

    client: discord.Client
    clock: Clock
    requests: BotRequests
    emojis: CustomEmojis
    illustrator: Illustrator
    placed: Callable[["LiveMessage"], None]
    deletions: Locks = field(default_factory=Locks)  # by channel


class LiveMessage(ABC):
    """One coalescer makes all edits. `outage` says why and since when the message cannot be shown; None while it can.

    Nothing is written once it `is_over`. `is_dispensable`: where Discord refuses it, everything goes on without it.
    `sees_chat`: reactions to the message, and what is written in its channel, concern it.
    """

    shows: ClassVar[str] = "other"
    """The kind of message in the metrics."""
    is_dispensable: ClassVar[bool] = False
    sees_chat: ClassVar[bool] = False
    outage_words: ClassVar[OutageWords] = OF_TABLE
    mentions: discord.AllowedMentions = NOBODY
    """Who is mentioned by a post."""
    is_silent: bool = False
    """Whether a post rings nobody, not even those whom it mentions."""

    def __init__(
        self,
        context: LiveContext,
        about: Mapping[str, int],
        texts: Texts,
        spot: Spot | None = None,
        *,
        is_restored: bool = False,
    ) -> None:
        """`about` names the message in the log. Without a `spot` the subclass keeps it.

        `is_restored`: a former run may have posted the message without noting it.
        """
        self.outage: Outage | None = None
        self.is_over = False
        self.context = context
        self.texts = texts
        self._about = about
        self._spot = spot
        self._client = context.client
        self._shown = LastSent()
        self._delivery = Delivery(context.emojis, context.illustrator, self._may_attach)
        self._newest = NewestPicture(context.illustrator, self.ask)
        self._is_restored = self._may_be_posted = is_restored
        self._gone: int | None = None
        self._deletions: list[int] = []
        self._retries = Backoff()
        self._is_trying = self._may_tell = False
        self._lock = asyncio.Lock()
        self.writer = Coalescer(self.write, interval=self._interval, slot=self._slot, shows=self.shows)

    # ------------------------------------------------------------------ what a subclass says

    @property
    def is_settled(self) -> bool:
        """Whether it shows how what it is about has ended; False of a table alone."""
        return True

    @property
    def spot(self) -> Spot:
        assert self._spot is not None, "else the subclass says it"
        return self._spot

    @abstractmethod
    def look(self) -> Look | None:
        """What the message shows; None for nothing new."""

    @property
    @abstractmethod
    def nonce(self) -> str:
        """Names the next post, in at most 25 characters: of two posts with one nonce Discord takes the first."""

    async def note(self, message_id: int, *, is_found: bool) -> None:
        """Keep, and save, the id of the message that was posted just now, or found.

        Raises StoreError: it is not saved; `spot` is right all the same.
        """
        self._spot = replace(self.spot, message_id=message_id)

    def look_of_post(self) -> Look | None:
        return self.look()

    @property
    def comes_back(self) -> bool:
        """Whether the message is posted again where it was deleted."""
        return True

    @property
    def found_after(self) -> int | None:
        """Messages up to this id are not looked at to find one that was not noted."""
        return self.spot.message_id

    def recognises(self, _components: Sequence[object]) -> bool:
        """Whether the message of the bot with these components is the one that a former run posted and did not note."""
        return False

    def outage_changed(self) -> None:  # noqa: B027 - few messages need it
        """The message cannot be shown any more, for another reason, or it can be shown again."""

    async def channel_gone(self) -> None:  # noqa: B027 - likewise
        """The channel of the message was deleted, as an answer of Discord says."""

    async def write_beside(self, slot: Slot) -> None:  # noqa: B027 - likewise
        """Write what follows the message once it is up to date, with further requests of the slot."""

    # ------------------------------------------------------------------ when it is written

    def ask(self, *, is_urgent: bool = False) -> None:
        """Write the message soon; with `is_urgent` before others."""
        self.writer.ask(Urgency.RESULT if is_urgent else Urgency.CHANGE)

    def retry(self) -> None:
        """Write the message soon, though it could not be shown."""
        self._is_trying = True
        self.writer.ask()

    def retry_if_allowed(self) -> None:
        """Retry where the message, or its picture, is unseen for a reason that has passed, as far as the bot knows."""
        self._delivery.takes_files = True
        if self.outage is None:
            if self.is_due and self._delivery.may_show_pictures():
                self.ask()
        elif not self.is_over and self.outage.reason in _MAY_PASS and not self._lacks():
            self.retry()

    async def write_now(self, *, is_urgent: bool = False) -> None:
        """Write the message at once, though it could not be shown. Raises as `write` does."""
        self._is_trying = self.outage is not None
        slot = self._slot()
        slot.urgency = Urgency.RESULT if is_urgent else Urgency.CHANGE
        async with slot:
            await self.write(slot)

    async def try_write(self, *, is_urgent: bool = False) -> bool:
        """Write the message at once. Returns False, and logs why, where that may be tried again later."""
        try:
            await self.write_now(is_urgent=is_urgent)
        except (*FAILED, StoreError) as error:
            _log.warning("message.not_written", **self._about, **facts(error))
            return False
        return True

    @contextmanager
    def held(self, most_s: float = HELD_S) -> Iterator[None]:
        """Write nothing while a press is answered (`Coalescer.held`)."""
        with self.writer.held(most_s):
            yield
        self.writer.ask()

    async def answer(self, interaction: discord.Interaction) -> None:
        """Answer a press on the message with its new content, which is outside the budget for edits."""
        look = await self._ready(self._look())
        if not isinstance(look, Illustrated):
            await defer_update(interaction)
            return

        async def update(words: Layout | str, files: Files) -> None:
            if not isinstance(words, str):
                await update_message(interaction, words, files)

        is_here = interaction.message is not None and interaction.message.id == self.spot.message_id
        kept = self._kept() if is_here else KeptFiles()
        with (self._shown if is_here else LastSent()).sending() as sent:
            sent((await self._delivery.send(look, update, self._look, kept))[1])

    def stop(self) -> None:
        self._newest.stop()
        self._retries.stop()
        self.writer.close()

    # ------------------------------------------------------------------ what happens to it

    @property
    def is_gone(self) -> bool:
        return self._gone is not None and self._gone == self.spot.message_id

    @property
    def is_due(self) -> bool:
        """Whether the message does not show yet what it should."""
        look = self._look()
        return not (self.is_over or self.is_gone or look is None or self._shown.equals(self._delivery.compared(look)))

    async def stands(self) -> bool:
        """Ask Discord whether the message stands; it is taken to stand where Discord does not tell in time."""
        spot = self.spot
        if spot.message_id is None:
            return False
        message = self._client.get_partial_messageable(spot.channel_id).get_partial_message(spot.message_id)
        try:
            async with asyncio.timeout(PATIENCE_S), self.context.requests.slot(is_urgent=True) as slot:
                slot.request()
                await message.fetch()
        except FAILED as error:
            if code_of(error) is ErrorCode.UNKNOWN_MESSAGE:
                self._gone = spot.message_id
            else:
                _log.info("message.not_looked_at", **self._about, **facts(error))
        return not self.is_gone

    def deleted(self) -> None:
        """The present message was deleted: post it again, unless that happens again and again."""
        if not self.comes_back:
            return
        _log.info("message.deleted", **self._about)
        self._gone, now = self.spot.message_id, self.context.clock.now()
        self._deletions = [at for at in self._deletions if now - at < MINUTE_MS] + [now]
        if len(self._deletions) > MOST_DELETIONS:
            self.lose(Reason.DELETED)
        else:
            self.writer.ask()

    def lose(self, reason: Reason) -> None:
        """The message cannot be shown where it is: nothing is written until `retry` or `write_now`."""
        if self.is_dispensable:
            return
        self._shown = LastSent()
        self._may_tell = self._may_tell and reason is Reason.FORBIDDEN
        outage = Outage(reason, self.context.clock.now() if self.outage is None else self.outage.since)
        if outage != self.outage:
            self.outage = outage
            _log.warning("message.unseen", **self._about, reason=reason.value)
            self.outage_changed()
        if reason is Reason.FORBIDDEN and not self._lacks():  # Discord refuses what the bot may do, as far as it knows
            self._retries.try_later(self.retry_if_allowed)

    def outage_line(self, texts: Texts) -> str | None:
        if self.outage is None:
            return None
        spot, user = self.spot, self._client.user
        guild = self._client.get_guild(spot.guild_id)
        is_outside = guild is not None and may_be_private(guild.get_channel_or_thread(spot.channel_id))
        outside = user.mention if is_outside and user is not None else None
        timeout, words = timeout_words(guild, texts), self.outage_words
        return outage_text(
            self.outage, spot.channel_id, self._lacks(), texts, outside=outside, timeout=timeout, words=words
        )

    # ------------------------------------------------------------------ writing

    def _slot(self) -> Slot:
        return self.context.requests.slot(self.spot.channel_id, self.spot.message_id)

    def _interval(self, is_urgent: bool) -> float:
        return self.context.requests.edit_interval(self.spot.message_id, is_urgent=is_urgent)

    async def write(self, slot: Slot) -> None:
        """Bring the message up to date, with requests of the slot.

        Raises StoreError: it was posted, and that was not saved; discord.HTTPException: Discord is out of order, or
        refuses the message for a reason that is not its place; TimeoutError: it took longer than `LONGEST_S`.
        """
        if self._lock.locked():
            slot.release()  # else two writers wait for each other: one for the message, one for room
        async with self._lock:
            guild = self._client.get_guild(self.spot.guild_id)
            if self.is_over or guild is None or guild.unavailable:
                return
            before = self.outage
            if before is not None and not self._is_trying:
                await self._tell(slot)
                return
            try:
                async with asyncio.timeout(LONGEST_S):
                    await self._show(slot)
            except discord.HTTPException as error:
                self._refuse(error)
                if reason_of(error) is Reason.CHANNEL_GONE:
                    await self.channel_gone()
                return
            self._is_trying = False
            if before is not None and self.outage is before:  # else it was lost again meanwhile
                self.outage = None
                self._retries.succeeded()
                _log.info("message.seen_again", **self._about)
                self.outage_changed()

    def _refuse(self, error: discord.HTTPException) -> None:
        reason = reason_of(error)
        if self.is_dispensable and not may_pass(error):
            _log.info("message.refused", **self._about, **facts(error))
            self.is_over = True
        elif reason is None:
            raise error
        else:
            self._is_trying = False
            self.lose(reason)

    async def _show(self, slot: Slot) -> None:
        try:
            await self._bring_up_to_date(slot)
        except discord.HTTPException as error:
            is_closed = reason_of(error) is Reason.CLOSED and not self.is_dispensable
            if not is_closed or not await reopen(self._client, self.spot.channel_id, slot):
                raise
            await self._bring_up_to_date(slot)

    async def _bring_up_to_date(self, slot: Slot) -> None:
        look = await self._ready(self._look())
        if look is None:
            return
        self._may_tell = False
        message_id = self.spot.message_id
        if message_id is None or self.is_gone:
            if message_id is None or self.comes_back:
                await self._post(slot)
        elif not self._shown.equals(self._delivery.compared(look)):
            await self._edit(message_id, look, slot)
        self._may_tell = True
        await self.write_beside(slot)
        self._is_restored = False

    async def _tell(self, slot: Slot) -> None:
        look, message_id = await self._ready(self._look()), self.spot.message_id
        if not self._may_tell or look is None or message_id is None or not self.is_due:
            return
        try:
            await self._edit(message_id, look, slot)
        except FAILED as error:
            _log.info("message.untold", **self._about, **facts(error))
            self._may_tell = False

    def _look(self) -> Look | None:
        """What the present message shows, and why no further one follows."""
        look = self.look()
        if self._is_trying or not isinstance(look, Illustrated) or (line := self.outage_line(self.texts)) is None:
            return look
        return look.with_line(line)

    async def _ready(self, look: Look | None) -> Look | None:
        """The look as it can be sent now: with its newest picture, where that changes quickly."""
        if not isinstance(look, Illustrated):
            return look
        if look.series and not (self.context.illustrator.keeps_files and self._delivery.may_show_pictures()):
            look = replace(look, picture=None)
        return await self._newest.ready(look)

    async def _post(self, slot: Slot) -> None:
        """Post the message again, at the end of the channel."""
        if self._is_restored:
            await slot.request_in_turn()
            found, self._is_restored = await self._found(), False
            if found is not None:
                self._shown = LastSent()
                self.ask()
                await self._note(found, is_found=True)
                return
        await slot.have_room()  # what is shown is looked at afterwards
        look = await self._ready(self.look_of_post())
        if look is None:
            return
        may_be_posted, self._may_be_posted = self._may_be_posted, True
        shown, spot, nonce = LastSent(), self.spot, self.nonce
        channel = self._client.get_partial_messageable(spot.channel_id, guild_id=spot.guild_id)

        async def send(words: Layout | str, files: Files) -> discord.Message:
            await slot.request_in_turn()
            said: dict[str, Any] = {"content": words} if isinstance(words, str) else {"view": PreparedView(words)}
            said |= {"allowed_mentions": self.mentions, "silent": self.is_silent, "files": files}
            return await channel.send(nonce=nonce, **said)

        self._delivery.kept = kept = KeptFiles()
        with shown.sending() as sent:
            posted, shows = await self._delivery.send(look, send, self.look_of_post, kept)
            if not may_be_posted:  # else it may be the message of an attempt that nobody saw the end of, and older
                sent(shows)
        self._shown, self._may_be_posted = shown, False
        if may_be_posted:
            self.ask()
        await self._note(posted.id, is_found=False)

    async def _note(self, message_id: int, *, is_found: bool) -> None:
        try:
            await self.note(message_id, is_found=is_found)
        finally:
            self.context.placed(self)

    async def _edit(self, message_id: int, look: Look, slot: Slot) -> None:
        spot = self.spot

        async def send(words: Layout | str, files: Files) -> object:
            await slot.request_in_turn()
            if isinstance(words, str):
                message = self._client.get_partial_messageable(spot.channel_id).get_partial_message(message_id)
                return await message.edit(content=words, allowed_mentions=self.mentions)
            return await edit_message(self._client, spot.channel_id, message_id, words, files)

        kept = self._kept()
        try:
            with self._shown.sending() as sent:
                sent((await self._delivery.send(look, send, self._look, kept))[1])
        except discord.NotFound as error:
            if code_of(error) is not ErrorCode.UNKNOWN_MESSAGE:
                raise
            _log.info("message.deleted", **self._about)
            self._gone = message_id
            if self.comes_back:
                await self._post(slot)

    def _kept(self) -> KeptFiles:
        """The files that stand at the message; none where nobody knows what became of the last request."""
        if not self._shown.is_known:
            self._delivery.kept.forget()
        return self._delivery.kept

    async def _found(self) -> int | None:
        """The id of the message that a former run posted without noting it: the newest that is recognised."""
        spot, user, after = self.spot, self._client.user, self.found_after
        try:
            listed: Any = await self._client.http.logs_from(spot.channel_id, _LOOKED_AT)  # the newest first
        except discord.Forbidden:
            return None  # the bot may not read the channel
        for message in listed:
            match message:
                case {"id": str(number), "author": {"id": str(author)}, "components": list(components)} if (
                    user is not None and int(author) == user.id and int(number) > (after or 0)
                ):
                    if self.recognises(components):
                        return int(number)
        return None

    def _may_attach(self) -> bool:
        guild = self._client.get_guild(self.spot.guild_id)
        return guild is not None and may_attach(guild, self.spot.channel_id)

    def _lacks(self) -> tuple[str, ...]:
        return lacking(self._client, self.spot.guild_id, self.spot.channel_id)
