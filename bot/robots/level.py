"""The four levels of robots as data: how fast one acts, how it errs, what it notices and what it risks.

No level plays a choice out before it makes it: that won `master` nothing (docs/balance.md, "Levels").
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from bot.robots.timing import Timing


class RobotLevel(StrEnum):
    """The name of a level, from the weakest to the strongest."""

    BEGINNER = "beginner"
    REGULAR = "regular"
    STRONG = "strong"
    MASTER = "master"


@dataclass(frozen=True, slots=True)
class Skill:
    """How a robot errs, what it notices and what it risks; shares between 0 and 1.

    `overlooks` is the share of the pool's cards that it does not notice until a sweep is asked for; `misses`, of its
    partner's signs that it does not see; `misreads`, of its partner's other gestures that it takes for the sign;
    `daring`, of the opponents' gestures that it counters when it is quite sure of them, fewer when it is less sure.

    `counts`: it remembers which cards went by. `is_careful`: it does not end a round by accident. `watches`: it sees
    what others collect, keeps it from opponents and leaves it to partners; it learns opponents' signs from gestures
    before opened hands, counters where the expected points ask for it, whatever its daring, and stops a round that it
    fears to lose. `decoys` is the share of its takes after which it bluffs at once.
    `guesses_at` are the odds from which it guesses a sign for points. `is_subtle`: its team signals in the strategies
    that the vote allowed, and changes a sign that was seen often. `swaps` is the share of its exchanges that begin with
    a card of the pool, put and take in one move. It remembers who took what in the last `recalls` exchanges.
    """

    overlooks: float = 0.25
    misses: float = 0.1
    misreads: float = 0.01
    daring: float = 0.6
    counts: bool = True
    is_careful: bool = True
    watches: bool = False
    is_subtle: bool = False
    decoys: float = 0
    guesses_at: float = 1
    swaps: float = 0
    recalls: int = 6


@dataclass(frozen=True, slots=True)
class Level:
    """A robot's pace and skill. The defaults are those of a person who knows the game."""

    timing: Timing = field(default_factory=Timing)
    skill: Skill = field(default_factory=Skill)


FASTEST: Final = Timing(
    call=(1300, 3000),
    counter=(1500, 3400),
    put=(2100, 5000),
    take=(800, 1800),
    sweep=(600, 2500),
    answer=(900, 2200),
    open=(1000, 2200),
    gesture=(900, 2500),
    gesture_again=(4500, 8000),
    guess=(4000, 8000),
    notice=(500, 1200),
)
"""A practised person on a phone: no level is faster in anything."""

_SLOW: Final = Timing(
    call=(5000, 9000),
    counter=(6000, 11000),
    put=(9000, 15000),
    take=(3500, 6000),
    sweep=(4000, 8000),
    answer=(2500, 5000),
    open=(1500, 3000),
    gesture=(4000, 8000),
    gesture_again=(8000, 14000),
    bluff=(40000, 90000),
    propose=(5000, 9000),
    accept=(1500, 3500),
    show=(3000, 7000),
    guess=(8000, 15000),
    notice=(1500, 3000),
    next_round=(15000, 22000),
)
"""A newcomer who taps once in three seconds exchanges twice before this robot exchanges once."""

REGULAR: Final = Level()
_SHARP: Final = Skill(watches=True, is_subtle=True, swaps=0.25)

LEVELS: Final = {
    RobotLevel.BEGINNER: Level(
        _SLOW,
        Skill(overlooks=0.4, misses=0.25, misreads=0.02, daring=0.25, counts=False, is_careful=False, recalls=3),
    ),
    RobotLevel.REGULAR: REGULAR,
    RobotLevel.STRONG: Level(
        skill=replace(_SHARP, overlooks=0.06, misses=0.04, misreads=0.002, decoys=0.2, guesses_at=0.8, recalls=12)
    ),
    RobotLevel.MASTER: Level(
        FASTEST, replace(_SHARP, overlooks=0, misses=0.01, misreads=0, decoys=0.3, guesses_at=0.7, recalls=24)
    ),
}

COACH: Final = Level(Timing(notice=(0, 0)), Skill(overlooks=0, misses=0, misreads=0, watches=True, recalls=24))
"""Advises a person: it overlooks nothing, puts down before it takes, and signals in the plainest way."""
