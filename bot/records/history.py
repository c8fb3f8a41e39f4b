"""What was played and who stands where: matches, players' figures, boards; values, and the Protocols that return them.

Instants are milliseconds since the Unix epoch. Every method raises StoreError when the store could not do its work.
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
    """The result of a match: `winner` is a team, None for a draw; `scores` of the last game, `games` won by team.

    `season` is 0 between seasons.
    """

    winner: int | None
    scores: tuple[int, ...]
    games: tuple[int, ...]
    rounds: int
    ended_at: int
    season: int


@dataclass(frozen=True, slots=True)
class VoidRecord:
    """Who declared a match void, when and why; an erased user has the id 0."""

    table_id: int
    by_id: int
    reason: str
    at: int


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match that is over. One that `is_broken_off` is lost for its `losers`, to the `winner` where there is one."""

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
        return (self.result.ended_at, self.id)

    @property
    def user_ids(self) -> frozenset[int]:
        """The people who sat there at its end."""
        return frozenset(seat.user_id for seat in self.seats if seat.user_id is not None)


@dataclass(frozen=True, slots=True)
class MatchColumn:
    """What a season's files say of each match under a `name`. A value with `words` is told wherever a match is, too."""

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
class Nth:
    page: int = 1


@dataclass(frozen=True, slots=True)
class After:
    """The page that begins after the line with this key."""

    key: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Before:
    """The page that ends right before the line with this key."""

    key: tuple[int, ...]


Spot = Nth | After | Before
"""Where in a list a page begins. Keys fall from line to line, so that new lines do not shift a page."""


FIRST: Final = Nth()


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Finished matches, youngest first; whether there are matches before and after the page.

    `is_instead`: the list is shorter than the page that was asked for, and this is its last page.
    """

    matches: tuple[MatchRecord, ...]
    has_before: bool
    has_after: bool
    is_instead: bool = False


@dataclass(frozen=True, slots=True)
class Mate:
    """A partner or an opponent of a player: how many `matches` they played together, or against each other.

    `count` of them were won together, or lost against the opponent.
    """

    user_id: int
    name: str
    matches: int
    count: int


@dataclass(frozen=True, slots=True)
class ShownRating:
    value: int
    is_provisional: bool


@dataclass(frozen=True, slots=True)
class RatedAt:
    """A rating as it is shown from an instant on."""

    at: int
    value: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a match did to a rating, as it is shown; `before` is None for a player's first ranked match of a season."""

    user_id: int
    before: int | None
    after: int


MOST_SOURCES: Final = 5
"""How many opponents, and how many partners, `PointSources` lists."""
MOST_LATEST: Final = 8


@dataclass(frozen=True, slots=True)
class PointSource:
    """A partner or an opponent in a player's ranked matches.

    `share` is the part, 0 to 1, of all the points the player gained that came from matches with this person; the wins
    are the player's. An erased person has no name.
    """

    user_id: int
    name: str
    share: float
    matches: int
    wins: int


@dataclass(frozen=True, slots=True)
class PointSources:
    """Where a player's points of a season come from: `gained` in `matches` ranked ones, without void ones.

    A match gains what the shown rating rose by, 0 where it fell. A match has several opponents, and counts for each:
    their shares add up to more than 1. The largest shares stand first, `MOST_SOURCES` at most. `latest` are the table
    ids of the player's last wins against the first opponent, oldest first, `MOST_LATEST` at most.
    """

    gained: int
    matches: int
    opponents: tuple[PointSource, ...]
    partners: tuple[PointSource, ...]
    latest: tuple[int, ...]


MOST_POINTS: Final = 200
"""The most points of a rating's course."""


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """The sums of a player's finished matches, in one season or in all, without void matches.

    `streak`: how many of the last matches were won in a row, or lost (below zero); `best_streak`: most won in a row.
    `course` is the rating after each ranked match, oldest first, and its value now. Of more matches than
    `MOST_POINTS` it holds that many points, evenly chosen, the first and the last among them. `deeds` are those of all
    seasons; boards leave out who `is_hidden`.
    """

    user_id: int
    name: str
    matches: int
    ranked: int
    wins: int
    draws: int
    rounds: int
    tally: SeatTally
    rating: ShownRating | None
    partner: Mate | None
    opponent: Mate | None
    streak: int
    best_streak: int
    course: tuple[RatedAt, ...] = ()
    deeds: tuple[Deed, ...] = ()
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A player of a board, or a pair of players; equal lines share a place, which counts from 1.

    A player with too few matches in the season, or without a win, has no place, 0. On the league
    `matches` are nights, and the `note` says what each was worth.
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
        return (self.value, *self.user_ids)


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Lines from the best down; whether there are lines before and after the page."""

    lines: tuple[BoardLine, ...]
    has_before: bool
    has_after: bool


@dataclass(frozen=True, slots=True)
class Activity:
    """The matches of a stretch of time that count: when each of them began, oldest first.

    `before` says of each of their players when their last match before that time ended; None: they are newcomers.
    """

    starts: tuple[int, ...]
    before: tuple[int | None, ...]


class History(Protocol):
    async def match(self, table_id: int) -> MatchRecord | None:
        """A match that is over; None for one that is still played."""

    async def rating_changes(self, table_id: int) -> tuple[RatingChange, ...]:
        """What a ranked match did to the ratings of its players; empty for any other match."""

    async def history(self, guild_id: int, user_id: int | None = None, spot: Spot = FIRST) -> HistoryPage:
        """The finished matches of a server or of one of its players; beyond the end, the last page."""

    async def has_played(self, guild_id: int, user_id: int) -> bool:
        """Whether a player has played a match of a server to its end."""

    async def matches_played(self, guild_id: int, user_ids: Collection[int] | None) -> Mapping[int, int]:
        """How many matches of a server these players have played to their end: ranked or not, with robots or without,
        none that is void, and none that they left or that was broken off; players without one are left out.

        None asks for all who have played there.
        """

    async def ratings(self, guild_id: int, user_ids: Collection[int], at: int) -> Mapping[int, ShownRating]:
        """The ratings of these players at an instant; players without a ranked match are left out."""

    async def stats(self, guild_id: int, user_id: int, at: int, season: Season | None = None) -> PlayerStats | None:
        """A player's sums in a season, or in all; None without a match.

        The rating is that of the instant `at`, or of the season's end.
        """

    async def point_sources(
        self, guild_id: int, user_ids: Collection[int], season: Season
    ) -> Mapping[int, PointSources]:
        """Where the points of these players come from in a season; players without a ranked match are left out."""

    async def activity(self, guild_id: int, since: int) -> Activity:
        """What was played on a server since an instant."""

    async def voids(self, guild_id: int, limit: int) -> tuple[VoidRecord, ...]:
        """The matches of a server that were declared void, youngest first."""


class Boards(Protocol):
    """Reads the boards of a server's seasons. A player who opted out is on no board."""

    async def hidden(self, guild_id: int) -> frozenset[int]:
        """The users who have opted out of the boards of a server."""

    async def board(self, guild_id: int, season: Season, board: Board, at: int, spot: Spot = FIRST) -> BoardPage:
        """A page of a board as it is at the instant `at`."""

    async def unnumbered(self, guild_id: int, season: Season, at: int) -> tuple[BoardLine, ...]:
        """Some players who have too few matches in the season for a place, or no win, from the best down."""

    async def line(self, guild_id: int, season: Season, board: Board, at: int, user_id: int) -> BoardLine | None:
        """A player's line, on the board of ratings without a place if need be; None on the board of pairs."""
