"""When a robot acts: human paces, and the agenda that keeps each intention's moment while others move.

Knows nothing about cards or signs. Times are milliseconds.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from bot.game.actions import Action, PutDown, Take

Pace = tuple[int, int]
"""The shortest and the longest time an action takes, in milliseconds."""

# A timer may fire a little early: what is due this soon counts as done.
_SLACK: Final = 10
# Whoever waited for a move to become possible does it at once, but not in the very same instant.
_AT_ONCE: Final = (200, 600)


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a robot takes. The defaults are a person's; `quick` makes them short for tests and simulations."""

    call: Pace = (1500, 3500)
    counter: Pace = (1800, 4200)
    put: Pace = (2500, 6000)
    take: Pace = (900, 2000)
    sweep: Pace = (600, 3000)
    answer: Pace = (900, 2500)
    open: Pace = (1200, 2500)
    gesture: Pace = (1000, 3000)
    gesture_again: Pace = (5000, 9000)
    bluff: Pace = (15000, 50000)
    propose: Pace = (4000, 7000)
    accept: Pace = (1000, 2500)
    show: Pace = (1500, 4000)
    next_round: Pace = (12000, 18000)

    @classmethod
    def quick(cls, factor: int = 20) -> "Timing":
        """Everything `factor` times faster than a person."""
        person = cls()
        return cls(**{name: _faster(getattr(person, name), factor) for name in cls.__slots__})


@dataclass(frozen=True, slots=True)
class Skill:
    """How a robot errs and dares; shares between 0 and 1.

    `overlooks`: of the pool's cards it does not notice until it is asked about a sweep; `misses`: of its partner's
    signs it does not see; `misreads`: of its partner's other gestures it takes for the sign;
    `daring`: of the opponents' gestures it counters when it is quite sure of them, fewer when it is less sure.
    """

    overlooks: float = 0.25
    misses: float = 0.1
    misreads: float = 0.01
    daring: float = 0.6


@dataclass(frozen=True, slots=True)
class Intent:
    """What a robot means to do, and in how many milliseconds."""

    action: Action
    delay_ms: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action worth doing; its time is drawn from `pace`, counted from `not_before` when that lies ahead."""

    action: Action
    pace: Pace
    not_before: int = 0


class Agenda:
    """The candidates of a robot with the moment of each.

    A candidate keeps its moment as long as it stays a candidate, so that a busy table neither hurries nor starves it. One that
    cannot be done at its moment waits for the first chance. What was offered and has fallen due counts as done.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._due: dict[Action | str, int] = {}
        self._offered: Action | None = None

    def done(self, now: int) -> Action | None:
        """The action offered last, if its moment has come; it is forgotten then."""
        action = self._offered
        if action is None or self._due[_key(action)] > now + _SLACK:
            return None
        self._offered = None
        del self._due[_key(action)]
        return action

    def next(self, candidates: Iterable[Candidate], can_do: Callable[[Candidate], bool], now: int) -> Intent | None:
        """The earliest candidate that can be done; of two with one moment the first."""
        wanted: dict[Action | str, Candidate] = {}
        for candidate in candidates:
            wanted.setdefault(_key(candidate.action), candidate)
        self._due = {
            key: self._due[key] if key in self._due else self._draw(candidate, now) for key, candidate in wanted.items()
        }
        possible = [key for key, candidate in wanted.items() if can_do(candidate)]
        if not possible:
            self._offered = None
            return None
        earliest = min(possible, key=self._due.__getitem__)
        self._offered = wanted[earliest].action
        if self._due[earliest] < now:
            self._due[earliest] = now + self._rng.randint(*_AT_ONCE)
        return Intent(self._offered, self._due[earliest] - now)

    def _draw(self, candidate: Candidate, now: int) -> int:
        return max(now, candidate.not_before) + self._rng.randint(*candidate.pace)


def _key(action: Action) -> Action | str:
    """Another card is still the same exchange, and keeps its moment."""
    return type(action).__name__ if isinstance(action, PutDown | Take) else action


def _faster(pace: Pace, factor: int) -> Pace:
    return (pace[0] // factor, pace[1] // factor)
