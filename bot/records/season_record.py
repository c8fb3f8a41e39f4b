"""All that a season was, to be taken away as a file: boards, what everybody's matches add up to, and the matches.

Who opted out of the boards is on none and in no sum, and has no name in a match, like somebody who was forgotten.
Instants are milliseconds since the Unix epoch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.ladder.boards import Board
from bot.ladder.seasons import Season
from bot.ladder.tally import SeatTally
from bot.records.history import BoardLine


@dataclass(frozen=True, slots=True)
class PersonSums:
    """What somebody's matches of the season add up to, ranked and friendly ones apart."""

    user_id: int
    name: str
    is_ranked: bool
    matches: int
    wins: int
    draws: int
    rounds: int
    tally: SeatTally


@dataclass(frozen=True, slots=True)
class MatchPart:
    """Who played in a match; without a user id a robot (`is_robot`), or somebody who is not named.

    `outcome` 1 won, 0 level, -1 lost, None for a robot. Who `has_left` was followed by another on the same seat.
    """

    seat: int
    team: int
    user_id: int | None
    name: str
    is_robot: bool
    outcome: int | None
    has_left: bool


@dataclass(frozen=True, slots=True)
class SeasonMatch:
    """A finished match. `winner` is a team, None for a draw; `scores` those of the last game, `games` won by team.

    One that `is_broken_off` has no winner, and of its people those alone for whom it was lost.
    """

    number: int
    ended_at: int
    preset: str
    is_ranked: bool
    is_void: bool
    is_broken_off: bool
    rounds: int
    winner: int | None
    scores: tuple[int, ...]
    games: tuple[int, ...]
    parts: tuple[MatchPart, ...]


@dataclass(frozen=True, slots=True)
class SeasonRecord:
    """`boards` from the best down, whole; `matches` in the order in which they ended."""

    guild_id: int
    season: Season
    boards: Mapping[Board, tuple[BoardLine, ...]]
    sums: tuple[PersonSums, ...]
    matches: tuple[SeasonMatch, ...]


class SeasonRecords(Protocol):
    async def read(self, guild_id: int, season: Season, at: int) -> SeasonRecord:
        """Everything of a season as it is at an instant.

        Raises:
            StoreError: it could not be read.
        """
