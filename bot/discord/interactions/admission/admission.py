"""Admission of presses, modal submissions, commands and gestures: none too late, too fast, or while the bot stops."""

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

import discord
import structlog

from bot.discord.api.interactions import made_at, texts_of
from bot.discord.api.requests import FAILED, error_fields
from bot.discord.api.responses import defer_update, reply
from bot.discord.interactions.admission.discord_clock import DiscordClock
from bot.discord.interactions.admission.press_notes import TURNED_AWAY, PressNotes, PressOutcome, log_press
from bot.discord.interactions.admission.spending import Spending
from bot.discord.text.texts import mark

LATE_MS: Final = 3000
"""Milliseconds after which Discord accepts no answer, and shows the user that the interaction failed."""
GRACE_S: Final = 3.0
"""Seconds that a bot that stops waits for running tasks; a first answer takes a third of that at most."""
BURST: Final = 20
"""Presses that are admitted at once: enough for ten exchanges."""
PER_SECOND: Final = 5.0
"""Presses a second that are admitted for ever; at eight a second a full bucket lasts seven seconds."""
TOLD_AGAIN_MS: Final = 10_000
CLOCK_MS: Final = 10_000
"""A press older than the latest by more than this was not overtaken on its way: the clock was wrong before."""
LATE: Final = mark("That reached me too late, so nothing happened: press again.")
TOO_FAST: Final = mark("Not so fast, this was not counted: wait a moment, then go on.")
LEAVING: Final = mark("The bot is just being restarted, so nothing has happened: try again in a moment.")
_BY_COMMAND = discord.InteractionType.application_command
_WHILE_TYPING = discord.InteractionType.autocomplete

_log = structlog.get_logger(__name__)


class RateVerdict(Enum):
    """Whether a press is admitted, and how one that is too fast is answered."""

    ADMITTED = auto()
    TOLD = auto()  # too fast: a sentence says so
    HUSHED = auto()  # too fast, and warned not long ago


@dataclass(slots=True)
class _Bucket:
    """A token bucket; `at` is the time of its last press, `told_at` that of the last warning (milliseconds)."""

    tokens: float
    at: int
    told_at: int | None = None


class PressRate:
    """The rate limit of presses: a token bucket for each user. Those of idle users, which are full, are dropped."""

    def __init__(self, burst: int = BURST, per_second: float = PER_SECOND) -> None:
        self._burst = burst
        self._per_ms = per_second / 1000
        self._idle_ms = max(TOLD_AGAIN_MS, burst / self._per_ms)
        self._buckets: dict[int, _Bucket] = {}  # those used last are last

    def judge(self, user_id: int, made_at: int) -> RateVerdict:
        """Judge an interaction made at that time (milliseconds), and take a token if it is admitted.

        A user gets at most one warning in ten seconds (`TOLD`), and none in between (`HUSHED`).
        """
        if self.admits(user_id, made_at):
            return RateVerdict.ADMITTED
        bucket = self._buckets[user_id]
        if bucket.told_at is not None and bucket.at - bucket.told_at < TOLD_AGAIN_MS:
            return RateVerdict.HUSHED
        bucket.told_at = bucket.at
        return RateVerdict.TOLD

    def admits(self, user_id: int, made_at: int) -> bool:
        """Take a token for something done at that time (milliseconds); return whether there was one."""
        self._forget_idle(made_at)
        bucket = self._buckets.pop(user_id, None) or _Bucket(self._burst, made_at)
        self._buckets[user_id] = bucket
        if made_at < bucket.at - CLOCK_MS:
            bucket.at = made_at
        since = max(0, made_at - bucket.at)  # presses that have overtaken it have filled the bucket already
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
    """Finds late interactions by comparing each with the quickest one, so that no clock has to be right."""

    def __init__(self) -> None:
        self._quickest: int | None = None

    def is_late(self, lag: int) -> bool:
        """Return whether an interaction is too late to be answered.

        Args:
            lag: Milliseconds from its creation to its arrival, by two clocks that may differ.
        """
        if self._quickest is None or lag < self._quickest:
            self._quickest = lag
        return lag - self._quickest > LATE_MS

    def was_in_time(self, lag: int) -> None:
        """Take this lag as the new shortest one: Discord accepted an answer that seemed late, so the clocks differ."""
        self._quickest = lag


@dataclass(eq=False)
class Admission:
    """Admits or refuses each interaction, and answers those that it refuses.

    - `_acts_until`: returns `Cluster.acts_until`, until when no other process can have taken over the tables.
    - `_spending`: counts allowances; None if there are none.
    """

    _clock: DiscordClock
    _rate: PressRate
    _notes: PressNotes | None = None
    _acts_until: Callable[[], float] = lambda: math.inf
    _spending: Spending | None = None
    _lateness: Lateness = field(default_factory=Lateness, init=False)
    _inside: set[asyncio.Task[object]] = field(default_factory=set, init=False)
    """The running tasks of presses, commands and gestures."""
    _is_closed: bool = field(default=False, init=False)

    async def admits(self, interaction: discord.Interaction) -> bool:
        """Return whether the current task may carry out an interaction.

        If not, it has been answered, unless another process may have to do that. Malformed interactions without a user
        get no answer.
        """
        if not hasattr(interaction.user, "id"):
            return False
        self._clock.is_after(made_at(interaction))
        lag = self._clock.now() - made_at(interaction)
        is_late = self._lateness.is_late(lag)
        verdict = self._rate.judge(interaction.user.id, made_at(interaction))
        is_closed = not self.enter()
        if self._notes is not None and interaction.type is not _WHILE_TYPING:
            self._notes.start(interaction)
        if self._spending is not None:
            self._spending.attach_to(interaction)
        if not self.may_act():
            log_press(interaction, PressOutcome(TURNED_AWAY, "taken_over"), lag / 1000)
            return False
        if verdict is RateVerdict.ADMITTED and not (is_late or is_closed):
            return True
        await self._turn_away(interaction, verdict, is_closed=is_closed)
        if is_late and interaction.response.is_done():
            self._lateness.was_in_time(lag)
        return False

    def lets_gesture(self, user_id: int) -> bool:
        """Return whether a player's gesture (a reaction or a message) is admitted; it counts as a press."""
        return self._rate.admits(user_id, self._clock.now())

    def may_act(self) -> bool:
        """Return whether this process certainly owns its tables: no other process can have taken them over."""
        return time.monotonic() < self._acts_until()

    def enter(self) -> bool:
        """Return whether the current task may change something; if so, `close` waits for it."""
        task = asyncio.current_task()
        if self._is_closed or task is None or not self.may_act():
            return False
        self._inside.add(task)
        task.add_done_callback(self._inside.discard)
        return True

    async def close(self) -> None:
        """Admit nothing more, wait for running tasks, and cancel those that last longer than `GRACE_S` seconds."""
        self._is_closed = True
        others = {task for task in self._inside if task is not asyncio.current_task()}  # the caller may be one
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
        log_press(interaction, PressOutcome(TURNED_AWAY, outcome), (self._clock.now() - made_at(interaction)) / 1000)
        try:
            if interaction.type is _WHILE_TYPING:
                await interaction.response.autocomplete([])
            elif is_closed or verdict is not RateVerdict.HUSHED or interaction.type is _BY_COMMAND:
                await reply(interaction, texts_of(interaction).t(line))  # a command cannot be answered silently
            else:
                await defer_update(interaction)
        except FAILED as error:
            _log.warning("answer.failed", **error_fields(error))
