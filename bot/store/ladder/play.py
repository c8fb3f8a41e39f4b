"""What each player did in a match that has just ended."""

from dataclasses import dataclass

from sqlalchemy.orm import aliased

from bot.ladder.columns import SeatTally
from bot.store.schema.ladder import PlayRow

OWN, OTHER = aliased(PlayRow), aliased(PlayRow)
"""A player's plays, and those of others beside them. An alias makes all columns of its table: these are made once."""


@dataclass(frozen=True, slots=True)
class Play:
    """One player's part in a match; see `PlayRow`."""

    user_id: int
    name: str
    seat: int
    team: int
    place: int
    outcome: int
    has_left: bool
    is_ranked: bool
    tally: SeatTally
    left_early: bool = False
