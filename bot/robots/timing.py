"""When a robot acts: human delays, and an agenda that keeps each action's moment while others move.

Knows nothing about cards or signs. Times are milliseconds.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from random import Random
from typing import Final

from bot.game.actions import Action, PutDown, Swap, Take
from bot.robots.reasons import Reason

DelayRange = tuple[int, int]
"""The shortest and the longest time an action takes, in milliseconds."""

# A timer may fire a little early: what is due this soon counts as done.
_SLACK: Final = 10
# A robot that waited for a move to become possible makes it after so many milliseconds.
_AT_ONCE: Final = (200, 600)


@dataclass(frozen=True, slots=True)
class Timing:
    """The shortest and longest delays of a robot's actions, in milliseconds. The defaults are a person's."""

    call: DelayRange = (1500, 3500)
    counter: DelayRange = (1800, 4200)
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
        """Returns what choosing a card of the pool and then one of the hand takes: never less than put and take."""
        return (self.put[0] + self.take[0], self.put[1] + self.take[1])

    @classmethod
    def quick(cls, factor: int = 20) -> "Timing":
        """Returns a timing `factor` times faster than a person's."""
        return cls(**{name: (low // factor, high // factor) for name, (low, high) in asdict(cls()).items()})


@dataclass(frozen=True, slots=True)
class Intent:
    """What a robot means to do, in how many milliseconds, and why."""

    action: Action
    delay_ms: int
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action worth doing after a `delay` drawn by chance, counted from `not_before` where that lies ahead."""

    action: Action
    delay: DelayRange
    not_before: int = 0
    reason: Reason | None = None


class Agenda:
    """The actions that a robot may do next, each with its moment.

    An action keeps its moment as long as it stays a candidate, so that a busy table neither hurries nor starves it. One
    that cannot be done at its moment waits for the first chance. What was offered and has fallen due counts as done.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._due: dict[Action | str, int] = {}
        self._offered: Action | None = None

    def done(self, now: int) -> Action | None:
        """Returns and forgets the action offered last, if its moment has come."""
        action = self._offered
        if action is None or self._due[_key(action)] > now + _SLACK:
            return None
        self._offered = None
        del self._due[_key(action)]
        return action

    def next(self, candidates: Iterable[Candidate], can_do: Callable[[Candidate], bool], now: int) -> Intent | None:
        """Returns the earliest candidate that can be done; of two with one moment the first."""
        wanted: dict[Action | str, Candidate] = {}
        for candidate in candidates:
            wanted.setdefault(_key(candidate.action), candidate)
        due: dict[Action | str, int] = {}
        earliest = None
        for key, candidate in wanted.items():  # with each move of a match: a key is looked up as seldom as possible
            known = self._due.get(key)
            moment = due[key] = self._draw(candidate, now) if known is None else known
            if (earliest is None or moment < earliest[0]) and can_do(candidate):
                earliest = (moment, key, candidate)
        self._due = due
        if earliest is None:
            self._offered = None
            return None
        moment, key, chosen = earliest
        self._offered = chosen.action
        if moment < now:
            moment = due[key] = now + self._rng.randint(*_AT_ONCE)
        return Intent(chosen.action, moment - now, chosen.reason)

    def _draw(self, candidate: Candidate, now: int) -> int:
        return max(now, candidate.not_before) + self._rng.randint(*candidate.delay)


def _key(action: Action) -> Action | str:
    """Returns a key that exchanges share: with another card an exchange keeps its moment."""
    return type(action).__name__ if isinstance(action, PutDown | Take | Swap) else action
