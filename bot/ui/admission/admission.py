"""What every press, form, command and gesture passes first: not too late, not too fast, not while the bot stops.

It is answered within a second, however slow the store is; and Discord's clock, by which all of that is judged.
Rights, too, are judged here: who may decide about a table, and who may manage the server.
"""

import asyncio
import math
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from typing import Any, Final, TypeVar

import aiohttp
import discord
import structlog

from bot.background import Tasks
from bot.errors import StoreError
from bot.game.rules.house_rules import RulesError
from bot.tables.bans import BannedError
from bot.tables.clock import Clock
from bot.tables.lobby.lobby import Lobby
from bot.tables.table_store import Damaged
from bot.ui.admission.press_notes import TURNED_AWAY, PressNotes, PressOutcome, note
from bot.ui.kit.interactions import FAILED, SentenceError, facts, made_at, reader, say
from bot.ui.kit.permissions import known_channel
from bot.ui.kit.texts import mark

LATE_MS: Final = 3000
"""After that long Discord accepts no answer, and tells the presser that the press failed."""
GRACE_S: Final = 3.0
"""How long a bot that stops waits for what it is doing. A first answer takes a third of that at most."""
PATIENCE_S: Final = 0.8
"""How long the requests to the store that a first answer needs may take together."""
BURST: Final = 20
"""Presses that may come at once: ten exchanges."""
PER_SECOND: Final = 5.0
"""Presses that may go on for ever; at eight a second a full bucket lasts seven seconds."""
TOLD_AGAIN_MS: Final = 10_000
CLOCK_MS: Final = 10_000
"""What seems older than the latest by more than this was not overtaken: the clock was wrong before."""
DELAY_MS: Final = 2_000
"""The longest way of an answer, and its wait in this process, that is not taken for a clock that runs ahead."""
LATE: Final = mark("That took too long to reach me, so nothing has happened: press again.")
TOO_FAST: Final = mark("Not so fast, this was not counted: wait a moment, then go on.")
LEAVING: Final = mark("The bot is just being restarted, so nothing has happened: try again in a moment.")
NOT_MANAGING: Final = mark("Only admins of the server can set Kem's up.")
_SECOND_MS: Final = 1_000
_WORTH_TELLING_MS: Final = 5_000
_BY_COMMAND = discord.InteractionType.application_command
_WHILE_TYPING = discord.InteractionType.autocomplete

T = TypeVar("T")

_log = structlog.get_logger(__name__)


def told_at(answer: aiohttp.ClientResponse) -> int | None:
    """The instant (milliseconds, of whole seconds) that an answer of Discord's API says it was made at.

    None for an answer of a cache, which has an age, or of the servers of pictures, which keep a time of their own.
    Source: https://www.rfc-editor.org/rfc/rfc9110#name-date.
    """
    if "Age" in answer.headers or not answer.url.path.startswith("/api/"):
        return None
    try:
        return int(parsedate_to_datetime(answer.headers["Date"]).timestamp()) * _SECOND_MS
    except (KeyError, ValueError):
        return None


class DiscordClock(Clock):
    """Discord's clock, which its answers tell: this machine's clock `own` is followed while it agrees with them.

    Ages of tokens, countdowns and the order of calls compare instants of the bot with those that Discord has set. The
    answer to the login tells the time before a table is restored.
    """

    def __init__(self, own: Clock) -> None:
        self._own = own
        self._ahead = 0

    def now(self) -> int:
        return self._own.now() - self._ahead

    def is_after(self, at: int) -> None:
        """Something was made at that instant (milliseconds) of Discord's clock."""
        if at > self.now():
            self._set(at)

    def hear(self, answer: aiohttp.ClientResponse) -> None:
        at = told_at(answer)
        if at is not None and not at <= self.now() <= at + _SECOND_MS + DELAY_MS:
            self._set(at + _SECOND_MS // 2)  # the header has whole seconds

    def _set(self, at: int) -> None:
        before, self._ahead = self._ahead, self._own.now() - at
        if abs(self._ahead - before) >= _WORTH_TELLING_MS:
            effect = "Discord's clock is followed; set this machine's, its log has the wrong times"
            _log.warning("clock.wrong", seconds_ahead=round(self._ahead / _SECOND_MS), effect=effect)


class RateVerdict(Enum):
    ADMITTED = auto()
    TOLD = auto()  # too fast: the person reads so
    HUSHED = auto()  # too fast, and told not long ago


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: int
    told_at: int | None = None


class PressRate:
    """All buckets, but for those of idle people, which are full."""

    def __init__(self, burst: int = BURST, per_second: float = PER_SECOND) -> None:
        self._burst = burst
        self._per_ms = per_second / 1000
        self._idle_ms = max(TOLD_AGAIN_MS, burst / self._per_ms)
        self._buckets: dict[int, _Bucket] = {}  # those used last are last

    def judge(self, user_id: int, made_at: int) -> RateVerdict:
        """Judge what somebody did at that instant (milliseconds), and count it if it is admitted."""
        if self.admits(user_id, made_at):
            return RateVerdict.ADMITTED
        bucket = self._buckets[user_id]
        if bucket.told_at is not None and bucket.at - bucket.told_at < TOLD_AGAIN_MS:
            return RateVerdict.HUSHED
        bucket.told_at = bucket.at
        return RateVerdict.TOLD

    def admits(self, user_id: int, made_at: int) -> bool:
        """The same for what cannot be answered."""
        self._forget_idle(made_at)
        bucket = self._buckets.pop(user_id, None) or _Bucket(self._burst, made_at)
        self._buckets[user_id] = bucket
        if made_at < bucket.at - CLOCK_MS:
            bucket.at = made_at
        since = max(0, made_at - bucket.at)  # what overtook it on its way has filled the bucket already
        bucket.at += since
        bucket.tokens = min(self._burst, bucket.tokens + since * self._per_ms)
        is_admitted = bucket.tokens >= 1
        bucket.tokens -= is_admitted
        return is_admitted

    def _forget_idle(self, now: int) -> None:
        while self._buckets:
            user_id, bucket = next(iter(self._buckets.items()))
            if now - bucket.at < self._idle_ms:
                return
            del self._buckets[user_id]


class Lateness:
    """Compares each press with the quickest so far, so that no clock has to be right."""

    def __init__(self) -> None:
        self._quickest: int | None = None

    def is_late(self, lag: int) -> bool:
        """`lag`: milliseconds since an interaction was made, by two clocks that may differ."""
        if self._quickest is None or lag < self._quickest:
            self._quickest = lag
        return lag - self._quickest > LATE_MS

    def was_in_time(self, lag: int) -> None:
        """Discord accepted the answer to an interaction that seemed late: a clock was put right, or runs too fast."""
        self._quickest = lag


class Admission:
    """Judges each interaction once, and answers those that it does not let in."""

    def __init__(
        self,
        clock: DiscordClock,
        rate: PressRate,
        notes: PressNotes | None = None,
        acts_until: Callable[[], float] = lambda: math.inf,
    ) -> None:
        """`acts_until`: see `bot.tables.cluster.Cluster`."""
        self._acts_until = acts_until
        self._clock = clock
        self._notes = notes
        self._lateness = Lateness()
        self._rate = rate
        self._inside: set[asyncio.Task[object]] = set()  # carry out presses, commands and reactions
        self._is_closed = False

    async def lets_in(self, interaction: discord.Interaction) -> bool:
        """Whether an interaction may act in the present task; if not, it is answered, here or by another process."""
        self._clock.is_after(made_at(interaction))
        lag = self._clock.now() - made_at(interaction)
        is_late = self._lateness.is_late(lag)
        verdict = self._rate.judge(interaction.user.id, made_at(interaction))
        is_closed = not self.lets_begin()
        if self._notes is not None and interaction.type is not _WHILE_TYPING:
            self._notes.begin(interaction)
        if not self.may_act():
            note(interaction, PressOutcome(TURNED_AWAY, "taken_over"), lag / _SECOND_MS)
            return False
        if verdict is RateVerdict.ADMITTED and not (is_late or is_closed):
            return True
        await self._turn_away(interaction, verdict, is_closed=is_closed)
        if is_late and interaction.response.is_done():
            self._lateness.was_in_time(lag)
        return False

    def lets_gesture(self, user_id: int) -> bool:
        """Whether a reaction or a message of a player may act; it counts as a press, but cannot be answered."""
        return self._rate.admits(user_id, self._clock.now())

    def may_act(self) -> bool:
        """Whether no other process can have taken this one's tables over."""
        return time.monotonic() < self._acts_until()

    def lets_begin(self) -> bool:
        """Whether the present task may begin with something that needs no answer; then `close` waits for it."""
        task = asyncio.current_task()
        if self._is_closed or task is None or not self.may_act():
            return False
        self._inside.add(task)
        task.add_done_callback(self._inside.discard)
        return True

    async def close(self) -> None:
        """Let no task begin, wait for those that have begun, and cancel them after `GRACE_S`."""
        self._is_closed = True
        others = {task for task in self._inside if task is not asyncio.current_task()}  # who leaves may be at work
        if not others:
            return
        _, late = await asyncio.wait(others, timeout=GRACE_S)
        for task in late:
            task.cancel()
        if late:
            _log.warning("work.broken_off", tasks=len(late))
            await asyncio.wait(late, timeout=GRACE_S)

    async def _turn_away(self, interaction: discord.Interaction, verdict: RateVerdict, *, is_closed: bool) -> None:
        if is_closed:
            outcome, line = "while_leaving", LEAVING
        elif verdict is RateVerdict.ADMITTED:
            outcome, line = "late", LATE
        else:
            outcome, line = "too_fast", TOO_FAST
        note(interaction, PressOutcome(TURNED_AWAY, outcome), (self._clock.now() - made_at(interaction)) / _SECOND_MS)
        try:
            if interaction.type is _WHILE_TYPING:
                await interaction.response.autocomplete([])
            elif is_closed or verdict is not RateVerdict.HUSHED or interaction.type is _BY_COMMAND:
                await say(interaction, reader(interaction).t(line))  # a command has no silent answer
            else:
                await interaction.response.defer()
        except FAILED as error:
            _log.warning("answer.failed", **facts(error))


@dataclass(slots=True)
class _Turn:
    """A first answer is due at the instant `until` of the loop's clock; `is_answered` is None once the turn is over.

    Tasks and timers that a press began keep its context: a turn that is over holds nothing of the press.
    """

    until: float
    is_answered: Callable[[], bool] | None


_turn: ContextVar[_Turn | None] = ContextVar("turn", default=None)
_going_on = Tasks()


class SlowStoreError(StoreError):
    """The store has not answered yet."""

    def __init__(self) -> None:
        super().__init__(f"The database did not answer within {PATIENCE_S} s: is it busy, or cut off?")


@contextmanager
def one_patience(is_answered: Callable[[], bool]) -> Iterator[None]:
    """Until the answer is given, all requests to the store together take `PATIENCE_S` at most."""
    turn = _Turn(asyncio.get_running_loop().time() + PATIENCE_S, is_answered)
    former = _turn.set(turn)
    try:
        yield
    finally:
        turn.is_answered = None
        _turn.reset(former)


def _left() -> float:
    turn = _turn.get()
    if turn is None or turn.is_answered is None or turn.is_answered():
        return PATIENCE_S
    return max(0.0, turn.until - asyncio.get_running_loop().time())


async def in_time(move: Coroutine[Any, Any, T]) -> T:
    """Make a move at a table; cancel it when it takes too long.

    Raises SlowStoreError: it was not made; if it was just being saved, it counts once the store gets to it.
    """
    try:
        async with asyncio.timeout(_left()):
            return await move
    except TimeoutError:
        raise SlowStoreError from None


async def or_later(work: Coroutine[Any, Any, T] | asyncio.Task[T], more_s: float = 0.0) -> T:
    """Do other work of the store, which goes on if it takes too long; Discord's part in it may take `more_s`.

    Raises SlowStoreError: it has not been done yet.
    """
    task = work if isinstance(work, asyncio.Task) else asyncio.create_task(work)
    await asyncio.wait({task}, timeout=_left() + more_s)
    if task.done():
        return task.result()
    _going_on.begin(_finish(task))
    raise SlowStoreError


async def _finish(task: asyncio.Task[T]) -> None:
    try:
        await task
    except StoreError as error:
        _log.warning("late.not_saved", problem=str(error))
    except RulesError as error:  # the presser has read already that the store is slow
        _log.info("late.refused", problem=error.problem.value)
    except BannedError:
        _log.info("late.refused", problem="banned")


def may_decide(interaction: discord.Interaction, lobby: Lobby | Damaged) -> bool:
    """Whether the presser is the host of a table, or moderates it; never at a table of another server."""
    if lobby.place.guild_id != interaction.guild_id:
        return False
    return interaction.user.id == lobby.host_id or moderates(interaction, lobby)


def may_kick(interaction: discord.Interaction, lobby: Lobby) -> bool:
    """Whether the presser may remove a player: in a ranked match only as a moderator without a seat."""
    if lobby.is_ranked:
        return lobby.seat_of(interaction.user.id) is None and moderates(interaction, lobby)
    return may_decide(interaction, lobby)


def moderates(interaction: discord.Interaction, lobby: Lobby | Damaged) -> bool:
    """Whether the presser may manage messages where the table is; here, if that place is gone."""
    place = lobby.place
    if place.guild_id != interaction.guild_id:
        return False
    user, guild, is_here = interaction.user, interaction.guild, place.channel_id == interaction.channel_id
    channel = None if guild is None or is_here else known_channel(guild, place.channel_id)
    if channel is None or not isinstance(user, discord.Member):
        return interaction.permissions.manage_messages
    return channel.permissions_for(user).manage_messages


def may_see(interaction: discord.Interaction, lobby: Lobby | Damaged) -> bool:
    """Whether a table is there for the presser: it is in this server, and they are in it or can see where it stands.

    The place of a table that Discord has not told of counts as seen by those who may manage messages here.
    """
    place, user, guild = lobby.place, interaction.user, interaction.guild
    if place.guild_id != interaction.guild_id:
        return False
    is_in_it = lobby.host_id == user.id
    if isinstance(lobby, Lobby):
        is_in_it = is_in_it or lobby.seat_of(user.id) is not None or user.id in lobby.invited
    channels = {place.channel_id, place.channel_id if place.post is None else place.post.channel_id}
    if is_in_it or interaction.channel_id in channels:
        return True
    if guild is None or not isinstance(user, discord.Member):
        return False
    return any(_sees(user, known_channel(guild, each), interaction.permissions) for each in channels)


def _sees(
    member: discord.Member, channel: discord.abc.GuildChannel | discord.Thread | None, here: discord.Permissions
) -> bool:
    if channel is None:
        return here.manage_messages
    granted = channel.permissions_for(member)
    is_private = isinstance(channel, discord.Thread) and channel.is_private()
    return granted.view_channel and (granted.manage_threads or not is_private)


def manages_server(interaction: discord.Interaction) -> bool:
    return interaction.permissions.manage_guild


def check_manages_server(interaction: discord.Interaction) -> None:
    if not manages_server(interaction):
        raise SentenceError(reader(interaction).t(NOT_MANAGING))
