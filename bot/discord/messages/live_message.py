"""A live message: a public message that is kept up to date.

It keeps to Discord's rate limits, is posted again after a deletion, and explains why it cannot be shown. A subclass
says where it is, what it shows and how to recognise it; it knows nothing else about Discord.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Final

import discord
import structlog

from bot.base.background import Backoff
from bot.base.errors import StoreError
from bot.base.times import MINUTE_MS
from bot.discord.api.error_codes import UNAUTHORIZED, ErrorCode, OutageReason, Resource, reason_of
from bot.discord.api.requests import FAILED, error_fields
from bot.discord.messages.posted_message import PostedMessage
from bot.discord.pictures.illustrations import Illustrated, Look
from bot.discord.places.outage import OF_TABLE, Outage, OutageWords, may_be_private, outage_text
from bot.discord.places.permissions import missing_in_channel, timeout_words
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.places.threads import unarchive_thread
from bot.discord.rate_limits.responses import bounded
from bot.discord.rate_limits.throttling import Coalescer, LastSent, RequestPermit, Urgency
from bot.discord.text.texts import Texts

MOST_DELETIONS: Final = 3
"""A message that is deleted more often than this in a minute is not posted again."""
LONGEST_S: Final = 60.0
"""Seconds after which a write is cancelled and retried; Discord may delay requests for minutes."""
HELD_S: Final = 1.0
"""Longest time, in seconds, that an update waits for pending answers to presses."""
_MAY_PASS: Final = frozenset({OutageReason.FORBIDDEN, OutageReason.CLOSED, OutageReason.REMOVED, OutageReason.REFUSED})
"""Outages whose end is not reported by an event."""

NOT_NOW: Final = DiscordRefusal(Resource.MESSAGE, may_pass=True)
"""The refusal if Discord did not answer, or had an internal error."""
_UNNOTED: Final = frozenset({0, ErrorCode.UNKNOWN_CHANNEL})
"""Error codes that are not listed in a server's settings."""

_log = structlog.get_logger(__name__)


@dataclass(eq=False, repr=False)
class LiveMessage(PostedMessage):
    """A public message that is kept up to date by a coalescer of edits, until `is_over`.

    Until then the message is in one of three states:

    - `outage` is None: it is shown, and updated on request (`request_update`).
    - There is an `outage`: nothing is posted. A message that can still be edited says so once.
    - There is an `outage`, and `_is_retried`: the next write tries to update the message; the outage then ends or
      goes on.

    A subclass says what the message shows (`look`), names its next post (`nonce`), and may set:

    - `shows`: the kind of message in the metrics.
    - `is_dispensable`: if Discord refuses the message, the bot drops it silently.
    - `sees_chat`: it is told of reactions to it and of messages in its channel.

    Example:
        >>> class PlayerCount(LiveMessage):
        ...     nonce = "player_count"
        ...     players = 0
        ...     def look(self) -> Look:
        ...         return f"{self.players} people play."
        ...     def joined(self) -> None:
        ...         self.players += 1
        ...         self.request_update()  # written soon, together with further changes
        >>> PlayerCount.is_dispensable
        False
    """

    shows: ClassVar[str] = "other"
    """The kind of message in the metrics."""
    is_dispensable: ClassVar[bool] = False
    sees_chat: ClassVar[bool] = False
    outage_words: ClassVar[OutageWords] = OF_TABLE

    outage: Outage | None = field(default=None, init=False)
    refusal: DiscordRefusal | None = field(default=None, init=False)
    is_over: bool = field(default=False, init=False)
    _is_retried: bool = field(default=False, init=False)
    _deletions: list[int] = field(default_factory=list, init=False)
    _retries: Backoff = field(default_factory=Backoff, init=False)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    def __post_init__(self, may_already_be_posted: bool) -> None:
        super().__post_init__(may_already_be_posted)
        self.writer = Coalescer(self.write, interval=self._interval, permit=self._permit, shows=self.shows)

    # ------------------------------------------------------------------ what a subclass says

    has_talk = False  # whether people have written in the channel since the bot started; tables alone know it

    @property
    def is_settled(self) -> bool:
        """Whether the message shows a final state; only the message of a running table does not."""
        return True

    def outage_changed(self) -> None:
        """Called after each change of `outage` or `refusal`."""

    async def channel_gone(self) -> None:
        """Called when Discord answers that the message's channel was deleted."""

    # ------------------------------------------------------------------ when it is written

    def request_update(self, *, is_urgent: bool = False) -> None:
        """Request a write. If it `is_urgent`, it precedes the writes of other messages."""
        self.writer.request_update(Urgency.RESULT if is_urgent else Urgency.CHANGE)

    def retry(self) -> None:
        """Request a write in spite of an outage."""
        self._is_retried = True
        self.writer.request_update()

    def retry_if_allowed(self) -> None:
        """Request a write if the message or its picture was refused for a reason that seems to be gone."""
        self._delivery.takes_files = True
        if self.outage is None:
            if self.is_due and self._delivery.may_show_pictures():
                self.request_update()
        elif not self.is_over and self.outage.reason in _MAY_PASS and not self._lacks():
            self.retry()

    async def write_now(self, *, is_urgent: bool = False) -> None:
        """Write the message at once, in spite of an outage.

        Raises:
            StoreError, discord.HTTPException, TimeoutError: As `write` does.
        """
        self._is_retried = self.outage is not None
        permit = self._permit()
        permit.urgency = Urgency.RESULT if is_urgent else Urgency.CHANGE
        async with permit:
            await self.write(permit)

    async def try_write(self, *, is_urgent: bool = False) -> bool:
        """Write the message at once as `write_now` does; on an error, log it and return False."""
        try:
            await self.write_now(is_urgent=is_urgent)
        except (*FAILED, StoreError) as error:
            _log.warning("message.not_written", **self._log_fields, **error_fields(error))
            return False
        return True

    @contextmanager
    def hold(self, most_s: float = HELD_S) -> Iterator[None]:
        """Hold writes back while the `with` block answers a press (`Coalescer.hold`), then request a write."""
        with self.writer.hold(most_s):
            yield
        self.writer.request_update()

    def stop(self) -> None:
        """Write nothing more."""
        self._newest.stop()
        self._retries.stop()
        self.writer.close()

    @property
    def is_due(self) -> bool:
        """Whether a write is needed: the message does not show its current content."""
        return not self.is_over and self.is_outdated

    # ------------------------------------------------------------------ what happens to it

    def deleted(self) -> None:
        """Post the message again after its deletion, unless it is deleted again and again."""
        if not self.is_reposted:
            return
        _log.info("message.deleted", **self._log_fields)
        self._gone, now = self.address.message_id, self.context.clock.now()
        self._deletions = [at for at in self._deletions if now - at < MINUTE_MS] + [now]
        if len(self._deletions) > MOST_DELETIONS:
            self.lose(OutageReason.DELETED)
        else:
            self.writer.request_update()

    def lose(self, reason: OutageReason, refusal: DiscordRefusal | None = None) -> None:
        """Begin an outage, or change its reason: nothing is written until `retry` or `write_now`.

        If the reason is `REFUSED`, further changes are still written, since Discord may accept other content. A
        dispensable message has no outages.
        """
        if self.is_dispensable:
            return
        self._shown = LastSent()
        self.is_complete = self.is_complete and reason is OutageReason.FORBIDDEN  # others refuse edits, too
        outage = Outage(reason, self.context.clock.now() if self.outage is None else self.outage.since, refusal)
        if outage != self.outage:
            self.outage = outage
            _log.warning("message.unseen", **self._log_fields, reason=reason.value)
            self.outage_changed()
        if (
            reason in (OutageReason.FORBIDDEN, OutageReason.REFUSED) and not self._lacks()
        ):  # as far as the bot knows, nothing is missing
            self._retries.schedule_retry(self.retry_if_allowed)

    def outage_line(self, texts: Texts) -> str | None:
        """Return a warning about the outage; None without one."""
        if self.outage is None:
            return None
        address, user, refusal = self.address, self._client.user, self.outage.refusal
        guild = self._client.get_guild(address.guild_id)
        is_outside = guild is not None and may_be_private(guild.get_channel_or_thread(address.channel_id))
        outside = user.mention if is_outside and user is not None else None
        timeout, words = timeout_words(guild, texts), self.outage_words
        why = "" if refusal is None else refusal.words(guild, texts, address.channel_id)
        return outage_text(
            self.outage,
            address.channel_id,
            self._lacks(),
            texts,
            outside=outside,
            timeout=timeout,
            why=why,
            words=words,
        )

    def refusal_line(self, texts: Texts) -> str:
        """Return why the message could not be posted, for the person who requested it."""
        address, refusal = self.address, self.refusal
        if refusal is None and (line := self.outage_line(texts)) is not None:
            return line
        return "⚠️ " + (refusal or NOT_NOW).words(self._client.get_guild(address.guild_id), texts, address.channel_id)

    def problem_line(self, texts: Texts) -> str | None:
        """Return what is wrong with the message, for display elsewhere; None if nothing is."""
        if self.is_dispensable:
            return None
        return self.outage_line(texts) or (None if self.refusal is None else self.refusal_line(texts))

    def look_of_edit(self) -> Look | None:
        """Return the content of an edit; during an outage it also says why nothing more is posted."""
        look, outage = self.look(), self.outage
        is_tried = self._is_retried or outage is None or outage.reason is OutageReason.REFUSED
        if is_tried or not isinstance(look, Illustrated) or (line := self.outage_line(self.texts)) is None:
            return look
        return look.with_line(line)

    # ------------------------------------------------------------------ writing

    async def write(self, permit: RequestPermit) -> None:
        """Bring the message up to date with requests of the permit. If Discord refuses, an outage begins.

        Raises:
            StoreError: The message was posted, and its id could not be saved.
            discord.HTTPException: Discord has an outage, or refuses the bot's token.
            TimeoutError: It took longer than `LONGEST_S`.
        """
        if self._lock.locked():
            permit.release()  # or two writers would wait for each other, one for the message and one for room
        async with self._lock:
            guild = self._client.get_guild(self.address.guild_id)
            if self.is_over or guild is None or guild.unavailable:
                return
            before = self.outage
            if before is not None and before.reason is not OutageReason.REFUSED and not self._is_retried:
                await self._explain(permit)
                return
            try:
                async with bounded(LONGEST_S, self._hear):
                    await self._show(permit)
            except discord.HTTPException as error:
                self._refuse(error)
                if reason_of(error) is OutageReason.CHANNEL_GONE:
                    await self.channel_gone()
                return
            self._is_retried = False
            self._keep(None)
            if before is not None and self.outage is before:  # or it was lost again in the meantime
                self.outage = None
                self._retries.reset()
                _log.info("message.seen_again", **self._log_fields)
                self.outage_changed()

    async def _show(self, permit: RequestPermit) -> None:
        try:
            await self.update(permit)
        except discord.HTTPException as error:
            is_closed = reason_of(error) is OutageReason.CLOSED and not self.is_dispensable
            if not is_closed or not await unarchive_thread(self._client, self.address.channel_id, permit):
                raise
            await self.update(permit)

    def _refuse(self, error: discord.HTTPException) -> None:
        reason, refusal = reason_of(error), self._hear(error)
        if reason is None and (refusal.may_pass or error.status == UNAUTHORIZED):
            raise error
        _log.warning("message.refused", **self._log_fields, **error_fields(error))
        if self.is_dispensable:
            self.is_over = True
        else:
            self._is_retried = False
            self.lose(reason or OutageReason.REFUSED, refusal)

    def _hear(self, error: discord.HTTPException) -> DiscordRefusal:
        """Return why Discord refuses the message, and keep it in `refusal`, also while discord.py still retries."""
        refusal = DiscordRefusal.of(Resource.MESSAGE, error)
        if refusal != NOT_NOW:
            self._keep(refusal)
        return refusal

    def _keep(self, refusal: DiscordRefusal | None) -> None:
        """Set `refusal`; None once Discord has accepted the message."""
        is_new, self.refusal = refusal != self.refusal, refusal
        if not self.is_dispensable:
            if is_new:
                self.outage_changed()
        elif refusal is None or (is_new and refusal.code not in _UNNOTED):
            self.context.refusals.record(self.address.guild_id, f"<#{self.address.channel_id}>", refusal)

    async def _explain(self, permit: RequestPermit) -> None:
        """Edit the posted message once, so that it says why nothing more is posted."""
        look, message_id = await self._ready(self.look_of_edit()), self.address.message_id
        if not self.is_complete or look is None or message_id is None or not self.is_due:
            return
        try:
            await self._edit(message_id, look, permit)
        except FAILED as error:
            _log.info("message.untold", **self._log_fields, **error_fields(error))
            self.is_complete = False

    def _permit(self) -> RequestPermit:
        return self.context.requests.permit(self.address.channel_id, self.address.message_id)

    def _interval(self, is_urgent: bool) -> float:
        return self.context.requests.edit_interval(self.address.message_id, is_urgent=is_urgent)

    def _lacks(self) -> tuple[str, ...]:
        return missing_in_channel(self._client, self.address.guild_id, self.address.channel_id)
