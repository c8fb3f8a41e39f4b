"""What each player did in a match that has just ended."""

from dataclasses import dataclass

from bot.ladder.columns import SeatTally


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
