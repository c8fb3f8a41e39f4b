"""A whole season, to be written to a file: boards, players' sums and matches.

A player who opted out of the boards is on no board and in no sum, and has no name in a match, like an erased player.
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
    """The sums of a player's ranked or friendly matches of the season."""

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
    """A player of a match; without a user id a robot (`is_robot`), or a player who is not named.

    `outcome`: 1 won, 0 level, -1 lost, None for a robot. `has_left`: another player followed on the same seat.
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

    A match that `is_broken_off` has no winner; its `parts` are the players for whom it was lost.
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
    """All lines of the `boards`, from the best down; `matches` in the order in which they ended."""

    guild_id: int
    season: Season
    boards: Mapping[Board, tuple[BoardLine, ...]]
    sums: tuple[PersonSums, ...]
    matches: tuple[SeasonMatch, ...]


class SeasonRecords(Protocol):
    async def read(self, guild_id: int, season: Season, at: int) -> SeasonRecord:
        """A season as it is at the instant `at`. Raises StoreError when it could not be read."""
