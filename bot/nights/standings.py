"""The standings of a night, with tie-breaks that are published."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.nights.night import Night
from bot.nights.plan import Format


class TieBreak(StrEnum):
    """What places are decided by; between equals the next one of the format counts.

    `POINTS`: 2 for a table won, 1 for a shared first place; a bye is worth 1 in a rotation, 2 to a pair. `WINS`: tables
    won. `SCORE_DIFFERENCE`: own scores less the best other score of each table. `OPPONENTS` (Buchholz): the points of
    everybody whom one has met, one's own for a bye. `DEFEATED` (Sonneborn-Berger): the points of those whom one has
    beaten, half of those with whom one drew. `HEAD_TO_HEAD`: points from tables against those who are level so far.
    `ROUNDS_SURVIVED`: rounds of a knock-out that one has come through. `FEWEST_TABLES`: fewer tables played.
    """

    POINTS = "points"
    WINS = "wins"
    SCORE_DIFFERENCE = "score_difference"
    OPPONENTS = "opponents"
    DEFEATED = "defeated"
    HEAD_TO_HEAD = "head_to_head"
    ROUNDS_SURVIVED = "rounds_survived"
    FEWEST_TABLES = "fewest_tables"


TIE_BREAKS: Final[dict[Format, tuple[TieBreak, ...]]] = {
    Format.LOUNGE: (TieBreak.POINTS, TieBreak.FEWEST_TABLES, TieBreak.SCORE_DIFFERENCE),
    Format.ROTATION: (TieBreak.POINTS, TieBreak.WINS, TieBreak.SCORE_DIFFERENCE, TieBreak.OPPONENTS),
    Format.SWISS: (TieBreak.POINTS, TieBreak.OPPONENTS, TieBreak.DEFEATED, TieBreak.SCORE_DIFFERENCE),
    Format.KNOCKOUT: (TieBreak.ROUNDS_SURVIVED, TieBreak.POINTS, TieBreak.SCORE_DIFFERENCE),
    Format.ROUND_ROBIN: (TieBreak.POINTS, TieBreak.HEAD_TO_HEAD, TieBreak.DEFEATED, TieBreak.SCORE_DIFFERENCE),
}
"""In the order in which they count."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One line. `place` counts from 1, and is shared by those who are level in everything.

    `entrants` is one person, or the two of a pair. `points` as `TieBreak.POINTS` says; `won`, `drawn` and `lost` count
    tables, `byes` rounds without one. `values` are those of `TIE_BREAKS`, in its order.
    """

    place: int
    entrants: tuple[int, ...]
    points: int
    won: int
    drawn: int
    lost: int
    byes: int
    values: tuple[int, ...]

    @property
    def tables(self) -> int:
        """How many tables were played to a result."""
        return self.won + self.drawn + self.lost


def standings(night: Night, after_round: int | None = None) -> tuple[Standing, ...]:
    """Returns the standings, the best first, of all rounds or of the first ones; tables without a result count nothing.

    Everybody who is there or has played has a line.
    """
    raise NotImplementedError
