"""Matches, players' statistics and boards: values, and the Protocols that return them.

Instants are milliseconds since the Unix epoch. Every method raises StoreError if the store fails.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from bot.game.rules.rules import Rules
from bot.ladder.columns import Board, SeatTally
from bot.ladder.seasons import Season
from bot.ladder.tally import Deed


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A seat of a match; a robot or an erased player has no user id."""

    seat: int
    team: int
    name: str
    user_id: int | None


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """The result of a match.

    - `winner`: a team; None for a draw.
    - `scores`: points of the last game; `games`: games won. Both by team.
    - `season`: its number; 0 between seasons.
    """

    winner: int | None
    scores: tuple[int, ...]
    games: tuple[int, ...]
    rounds: int
    ended_at: int
    season: int


@dataclass(frozen=True, slots=True)
class VoidRecord:
    """A match that was declared void: by whom, why and when; an erased user has the id 0."""

    table_id: int
    by_id: int
    reason: str
    at: int


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that is over. One that `is_broken_off` is lost for its `losers`; `winner` may be None."""

    id: int
    guild_id: int
    channel_id: int
    rules: Rules
    is_ranked: bool
    seats: tuple[SeatRecord, ...]
    result: ResultRecord
    void: VoidRecord | None
    losers: tuple[SeatRecord, ...] = ()
    is_broken_off: bool = False

    @property
    def key(self) -> tuple[int, ...]:
        """The sort key of the match in lists, latest first."""
        return (self.result.ended_at, self.id)

    @property
    def user_ids(self) -> frozenset[int]:
        """The people that sat at the table when the match ended."""
        return frozenset(seat.user_id for seat in self.seats if seat.user_id is not None)


@dataclass(frozen=True, slots=True)
class MatchColumn:
    """What exports say of each match under a `name`. A value with `words` is shown with a match everywhere, too."""

    name: str
    value: Callable[[MatchRecord], Any]
    words: Mapping[Any, str] = field(default_factory=dict)


MATCH_COLUMNS: Final = (
    MatchColumn("match", lambda match: match.id),
    MatchColumn("ended_at", lambda match: match.result.ended_at),
    MatchColumn("rules", lambda match: match.rules.preset),
    MatchColumn("ranked", lambda match: match.is_ranked, {True: "ranked", False: "friendly"}),
    MatchColumn("broken_off", lambda match: match.is_broken_off, {True: "broken off"}),
    MatchColumn("void", lambda match: match.void is not None, {True: "**void**"}),
    MatchColumn("rounds", lambda match: match.result.rounds),
)


@dataclass(frozen=True, slots=True)
class PageNumber:
    """A page by its number, from 1."""

    page: int = 1


@dataclass(frozen=True, slots=True)
class AfterKey:
    """The page that begins after the line with this key."""

    key: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BeforeKey:
    """The page that ends right before the line with this key."""

    key: tuple[int, ...]


PageKey = PageNumber | AfterKey | BeforeKey
"""Which page of a list to read. Keys fall from line to line, so that new lines do not shift a page."""


FIRST: Final = PageNumber()


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Finished matches, latest first, and whether there are matches before and after the page.

    `is_clamped`: the list is shorter than the requested page, and this is its last one.
    """

    matches: tuple[MatchRecord, ...]
    has_before: bool
    has_after: bool
    is_clamped: bool = False


@dataclass(frozen=True, slots=True)
class Mate:
    """A partner or an opponent of a player.

    `count` of the `matches` were won together, or lost against the opponent.
    """

    user_id: int
    name: str
    matches: int
    count: int


@dataclass(frozen=True, slots=True)
class RatingView:
    """A rating as players see it."""

    value: int
    is_provisional: bool


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A displayed rating from an instant on."""

    at: int
    value: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a match did to a displayed rating; `before` is None for a player's first ranked match of a season."""

    user_id: int
    before: int | None
    after: int


MOST_SOURCES: Final = 5
"""How many opponents, and how many partners, `PointSources` lists."""
MOST_LATEST: Final = 8


@dataclass(frozen=True, slots=True)
class PointSource:
    """A partner or an opponent in a player's ranked matches. An erased person has no name.

    - `share`: the part, 0 to 1, of the player's gained points that came from matches with this person.
    - `wins`: those of the player.
    """

    user_id: int
    name: str
    share: float
    matches: int
    wins: int


@dataclass(frozen=True, slots=True)
class PointSources:
    """Where a player's points of a season come from.

    - `gained`: in `matches` ranked ones, without void ones. A match gains what the displayed rating rose by, 0 if it
      fell.
    - `opponents`, `partners`: largest shares first, at most `MOST_SOURCES`. Each opponent of a match counts, so the
      shares add up to more than 1.
    - `latest`: table ids of the last wins against the first opponent, oldest first, at most `MOST_LATEST`.
    """

    gained: int
    matches: int
    opponents: tuple[PointSource, ...]
    partners: tuple[PointSource, ...]
    latest: tuple[int, ...]


MOST_POINTS: Final = 200
"""The most points of a rating history."""


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A player's statistics in one season or in all, without void matches.

    - `streak`: how many of the last matches were won in a row, or lost (below zero); `best_streak`: most won in a row.
    - `rating_history`: the rating after each ranked match, oldest first, and now. Beyond `MOST_POINTS` it is thinned
      evenly, and keeps the first and the last one.
    - `deeds`: of all seasons.
    - `is_hidden`: boards leave the player out.
    """

    user_id: int
    name: str
    matches: int
    ranked: int
    wins: int
    draws: int
    rounds: int
    tally: SeatTally
    rating: RatingView | None
    partner: Mate | None
    opponent: Mate | None
    streak: int
    best_streak: int
    rating_history: tuple[RatingPoint, ...] = ()
    deeds: tuple[Deed, ...] = ()
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A player on a board, or a pair of players.

    - `place`: from 1, shared by equal lines; 0, no place, with too few matches in the season or without a win.
    - `matches`: on the league, nights; `note` says what each was worth.
    """

    place: int
    value: int
    user_ids: tuple[int, ...]
    names: tuple[str, ...]
    matches: int
    wins: int
    note: str = ""

    @property
    def key(self) -> tuple[int, ...]:
        """The sort key of the line on its board."""
        return (self.value, *self.user_ids)


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Lines, best first, and whether there are lines before and after the page."""

    lines: tuple[BoardLine, ...]
    has_before: bool
    has_after: bool


@dataclass(frozen=True, slots=True)
class Activity:
    """The matches of a period that count.

    - `starts`: when each of them began, oldest first.
    - `before`: for each of their players, when their last match before the period ended; None for newcomers.
    """

    starts: tuple[int, ...]
    before: tuple[int | None, ...]


class History(Protocol):
    """Reads matches and statistics."""

    async def match(self, table_id: int) -> MatchRecord | None:
        """Return a match that is over; None for one that is still played."""

    async def rating_changes(self, table_id: int) -> tuple[RatingChange, ...]:
        """Return what a ranked match did to its players' ratings; empty for any other match."""

    async def history(self, guild_id: int, user_id: int | None = None, page_key: PageKey = FIRST) -> HistoryPage:
        """Return a page of finished matches of a server, or of one of its players; beyond the end, the last page."""

    async def has_played(self, guild_id: int, user_id: int) -> bool:
        """Return whether a player has played a match of a server to its end."""

    async def matches_played(self, guild_id: int, user_ids: Collection[int] | None) -> Mapping[int, int]:
        """Return how many matches of a server these players have played to their end; players without one are left out.

        Ranked or not, with robots or without; void matches, and those that a player left or that were broken off, do
        not count.

        Args:
            guild_id: The server.
            user_ids: The players; None for all who have played there.
        """

    async def ratings(self, guild_id: int, user_ids: Collection[int], at: int) -> Mapping[int, RatingView]:
        """Return the ratings of these players at an instant; players without a ranked match are left out."""

    async def stats(self, guild_id: int, user_id: int, at: int, season: Season | None = None) -> PlayerStats | None:
        """Return a player's statistics in a season, or in all seasons; None if they have played no match.

        The rating is the one at the instant `at`, or at the season's end.
        """

    async def point_sources(
        self, guild_id: int, user_ids: Collection[int], season: Season
    ) -> Mapping[int, PointSources]:
        """Return where these players' points of a season come from; players without a ranked match are left out."""

    async def activity(self, guild_id: int, since: int) -> Activity:
        """Return what was played on a server since an instant."""

    async def voids(self, guild_id: int, limit: int) -> tuple[VoidRecord, ...]:
        """Return the matches of a server that were declared void, latest first."""


class Boards(Protocol):
    """Reads the boards of a server's seasons. A player who opted out is on no board."""

    async def hidden(self, guild_id: int) -> frozenset[int]:
        """Return the users who have opted out of a server's boards."""

    async def board(self, guild_id: int, season: Season, board: Board, at: int, page_key: PageKey = FIRST) -> BoardPage:
        """Return a page of a board as it is at the instant `at`."""

    async def unnumbered(self, guild_id: int, season: Season, at: int) -> tuple[BoardLine, ...]:
        """Return some players without a place, best first: they have too few matches in the season, or no win."""

    async def line(self, guild_id: int, season: Season, board: Board, at: int, user_id: int) -> BoardLine | None:
        """Return a player's line on a board; None on the board of pairs.

        On the board of ratings, a player with too few matches has a line without a place.
        """
