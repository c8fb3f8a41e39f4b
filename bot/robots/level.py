"""The levels of robots as data: their pace, their errors, what they notice and risk; and robots' names.

No level plays a choice out before it makes it: that won `master` nothing (docs/balance.md, "Levels"). A `Timing` says
when a robot acts: an agenda keeps each action's moment while others move. Times are milliseconds.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count
from math import inf
from random import Random
from typing import Final

from bot.game.actions import Action, PutDown, Swap, Take
from bot.game.value import value
from bot.robots.reasons import WAITS, MoveReason

DelayRange = tuple[int, int]
"""The shortest and the longest time an action takes, in milliseconds."""

_EXCHANGES: Final = (PutDown, Take, Swap)
# A timer may fire a little early: what is due this soon counts as done.
_SLACK: Final = 10
# A robot that waited for a move to become possible makes it after so many milliseconds.
_AT_ONCE: Final = (300, 700)
# People are mostly quick and now and then slow: the likeliest moment lies in this part of a delay's range.
_HASTE: Final = 0.2
# What a robot does faster where others exchange faster, and where they call faster.
_PACED: Final = (("put", "take"), ("call", "counter", "spot", "gesture"))


@dataclass(frozen=True, slots=True)
class Timing:
    """The shortest and longest delays of a robot's actions, in milliseconds. The defaults are a person's.

    `spot` is the delay of a counter against a sign for which the robot was waiting.
    """

    call: DelayRange = (1500, 3500)
    counter: DelayRange = (1600, 3800)
    spot: DelayRange = (900, 2400)
    put: DelayRange = (2500, 6000)
    take: DelayRange = (900, 2000)
    sweep: DelayRange = (600, 3000)
    answer: DelayRange = (900, 2500)
    open: DelayRange = (1200, 2500)
    gesture: DelayRange = (1000, 3000)
    gesture_again: DelayRange = (5000, 9000)
    bluff: DelayRange = (15000, 50000)
    propose: DelayRange = (4000, 7000)
    accept: DelayRange = (1000, 2500)
    show: DelayRange = (1500, 4000)
    guess: DelayRange = (4000, 9000)
    next_round: DelayRange = (12000, 18000)
    notice: DelayRange = (700, 1600)

    @property
    def swap(self) -> DelayRange:
        """The time to choose a card of the pool and one of the hand; at least that of a put-down and a take."""
        return (self.put[0] + self.take[0], self.put[1] + self.take[1])

    def at_pace(self, exchange: float, call: float, least: float) -> "Timing":
        """Return this timing adapted to the pace of a table's exchanges and calls; it only becomes faster.

        `least` is the smallest share of each delay that may remain; nothing is faster than `FASTEST`.
        """
        shares = (exchange / _usual(self.swap), call / _usual(self.call))
        if least == 1 or min(shares) >= 1:
            return self
        waits = {}
        for names, share in zip(_PACED, shares, strict=True):
            for name in names:
                bounds = zip(getattr(self, name), getattr(FASTEST, name), strict=True)
                waits[name] = tuple(
                    min(wait, max(limit, round(min(1, max(share, least)) * wait))) for wait, limit in bounds
                )
        return replace(self, **waits)


@value
class Intent:
    """What a robot means to do, in how many milliseconds, and why."""

    action: Action
    delay_ms: int
    reason: MoveReason = WAITS


@value
class CandidateAction:
    """An action worth doing after a random `delay`, counted from `not_before` if that is later than now."""

    action: Action
    delay: DelayRange
    not_before: int = 0
    reason: MoveReason = WAITS


class Agenda:
    """The actions that a robot may do next, each with its moment.

    An action keeps its moment as long as it stays a candidate, so that a busy table neither hurries nor starves it. One
    that cannot be done at its moment waits for the first chance. What was offered and has fallen due counts as done.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._due: dict[Action | str, int] = {}
        self._kinds: set[type[Action]] = set()
        self.offered: Action | None = None

    def done(self, now: int) -> Action | None:
        """Return the action that was offered last, and drop it, if its moment has come; else None."""
        action = self.offered
        if action is None or self._due[_key(action)] > now + _SLACK:
            return None
        self.offered = None
        del self._due[_key(action)]
        return action

    def plans(self, kinds: tuple[type[Action], ...]) -> bool:
        """Return whether an action of these kinds is planned."""
        return not self._kinds.isdisjoint(kinds)

    def next(
        self, candidates: Iterable[CandidateAction], can_do: Callable[[CandidateAction], bool], now: int
    ) -> Intent | None:
        """Return the earliest candidate that can be done; of simultaneous ones, the first."""
        wanted: dict[Action | str, CandidateAction] = {}
        for candidate in candidates:
            wanted.setdefault(_key(candidate.action), candidate)
        self._kinds = {type(candidate.action) for candidate in wanted.values()}
        due: dict[Action | str, int] = {}
        earliest = None
        for key, candidate in wanted.items():  # with each move of a match: a key is looked up as seldom as possible
            known = self._due.get(key)
            is_kept = known is not None and known >= candidate.not_before
            moment = due[key] = known if known is not None and is_kept else self._draw(candidate, now)
            if (earliest is None or moment < earliest[0]) and can_do(candidate):
                earliest = (moment, key, candidate)
        self._due = due
        if earliest is None:
            self.offered = None
            return None
        moment, key, chosen = earliest
        self.offered = chosen.action
        if moment < now:
            moment = due[key] = now + self._rng.randint(*_AT_ONCE)
        return Intent(chosen.action, moment - now, chosen.reason)

    def _draw(self, candidate: CandidateAction, now: int) -> int:
        low, high = candidate.delay
        return max(now, candidate.not_before) + round(self._rng.triangular(low, high, low + _HASTE * (high - low)))


def _usual(delay: DelayRange) -> float:
    low, high = delay
    return low + (1 + _HASTE) / 3 * (high - low)


def _key(action: Action) -> Action | str:
    """Return a key that exchanges share: with another card an exchange keeps its moment."""
    return type(action).__name__ if isinstance(action, _EXCHANGES) else action


class RobotLevel(StrEnum):
    """The name of a level, from the weakest to the strongest."""

    BEGINNER = "beginner"
    REGULAR = "regular"
    STRONG = "strong"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Skill:
    """A robot's errors, what it notices and what it risks; shares are between 0 and 1.

    - `overlooks`: the share of the pool's cards that it does not notice until a sweep is asked for.
    - `misses`: the share of its partner's signs that it does not see.
    - `misreads`: the share of its partner's other gestures that it takes for the sign.
    - `daring`: the share of the opponents' gestures that it counters if the expected points are positive.
    - `spots`: the share of the gestures by which opponents have won two rounds (`bot.robots.kept_signs`).
    - `counts`: it remembers which cards went by.
    - `watches`: it sees what others collect, blocks opponents, leaves it to partners, and stops a round that it fears
      to lose.
    - `decoys`: the share of its takes after which it bluffs at once.
    - `guesses_at`: the odds from which it guesses a sign for points.
    - `is_subtle`: its team signals by the strategies that the vote allowed.
    - `changes_after`: it changes a sign with which its team has won so many rounds.
    - `swaps`: the share of its exchanges that put and take in one move.
    - `recalls`: of how many exchanges it remembers who took what.
    - `votes`: how many sweeps it asks for, and refuses, in a hunt, until nobody has exchanged a card for a minute.
    """

    overlooks: float = 0.25
    misses: float = 0.1
    misreads: float = 0.01
    daring: float = 0.6
    spots: float = 0.35
    counts: bool = True
    watches: bool = False
    is_subtle: bool = False
    changes_after: float = inf
    decoys: float = 0
    guesses_at: float = 1
    swaps: float = 0
    recalls: int = 6
    votes: float = inf


@dataclass(frozen=True, slots=True)
class Level:
    """A robot's pace and skill. The defaults are those of a person who knows the game, and keeps to a pace.

    A robot plays at the pace of its table: if others exchange or call faster than `timing` says, its own waits shrink,
    but to no less than the share `least_wait`.
    """

    timing: Timing = field(default_factory=Timing)
    skill: Skill = field(default_factory=Skill)
    least_wait: float = 1


FASTEST: Final = Timing(
    call=(600, 1500),
    counter=(600, 1600),
    spot=(600, 1500),
    put=(1000, 2000),
    take=(500, 1000),
    sweep=(500, 1800),
    answer=(600, 1600),
    open=(700, 1600),
    gesture=(600, 1500),
    gesture_again=(4000, 7000),
    guess=(3000, 7000),
    notice=(400, 900),
)
"""A practised person who looks at nothing else: no level is faster in anything."""

_SLOW: Final = Timing(
    call=(5000, 9000),
    counter=(6000, 11000),
    spot=(6000, 11000),
    put=(9000, 15000),
    take=(3500, 6000),
    sweep=(4000, 8000),
    answer=(2500, 5000),
    open=(1500, 3000),
    gesture=(2500, 6000),
    gesture_again=(8000, 14000),
    bluff=(20000, 60000),
    propose=(5000, 9000),
    accept=(1500, 3500),
    show=(3000, 7000),
    guess=(8000, 15000),
    notice=(1500, 3000),
    next_round=(15000, 22000),
)
"""A newcomer who taps once in three seconds exchanges twice before this robot exchanges once."""

REGULAR: Final = Level(least_wait=0.75)
_SHARP: Final = Skill(daring=1, spots=1, watches=True, is_subtle=True, changes_after=1, swaps=0.25)

LEVELS: Final = {
    RobotLevel.BEGINNER: Level(
        _SLOW,
        Skill(overlooks=0.4, misses=0.25, misreads=0.02, daring=0.25, spots=0, counts=False, recalls=3, votes=1),
        least_wait=0.9,
    ),
    RobotLevel.REGULAR: REGULAR,
    RobotLevel.STRONG: Level(
        skill=replace(
            _SHARP,
            daring=0.8,
            spots=0.9,
            overlooks=0.1,
            misses=0.06,
            misreads=0.002,
            decoys=0.2,
            guesses_at=0.8,
            recalls=12,
        ),
        least_wait=0.36,
    ),
    RobotLevel.MASTER: Level(
        FASTEST,
        replace(_SHARP, overlooks=0, misses=0.01, misreads=0, decoys=0.3, guesses_at=0.7, recalls=24),
        least_wait=1,
    ),
}

COACH: Final = Level(Timing(notice=(0, 0)), Skill(overlooks=0, misses=0, misreads=0, watches=True, recalls=24))
"""Advises a person: it overlooks nothing, puts down before it takes, and signals in the plainest form."""


_NAMES: Final = (
    "Zoé Hugo Noé Oscar Inès Basile Margot Félix Suzanne Anatole Clémence Marius Ondine Gaspard Capucine Achille"
)
NAMES: Final = tuple(_NAMES.split())


def unused_name(used: Collection[str], rng: Random) -> str:
    """Return a name that is not in use; once all are, one with a number."""
    free = [name for name in NAMES if name not in used]
    if free:
        return rng.choice(free)
    return next(name for number in count(2) for name in (f"{base} {number}" for base in NAMES) if name not in used)
