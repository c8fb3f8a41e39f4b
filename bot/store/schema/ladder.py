"""The rows of the ladder: what each player did in each match, the sums of that, and the seasons.

`plays` and `voids` are the source; `players`, `standings` and `pairs` follow from them (`bot.store.ladder.recount`).
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import BigInteger, Index, String, Text, false
from sqlalchemy.orm import Mapped, aliased, mapped_column

from bot.ladder.columns import MATCH_BOARDS, RankedBy, SeatTally
from bot.store.schema.columns import Base, Json, KeyNumber, KeySnowflake, KeyTable, Millis, Rated, Snowflake, Tallied


class PlayRow(Rated, Tallied, Base):
    """One player's part in a finished match, or their loss of a match that was broken off.

    - `user_id`: below zero, a stand-in for a player whose data was erased.
    - `place`: of the team, from 0. `outcome`: 1 won, 0 level, -1 lost.
    - `has_left_early`: before an opponent was halfway.
    - `mu`, `sigma`, `displayed_rating`, `opponents`, `day_start_rating`: the rating after a ranked match.
    - `ranked_number`: numbers the ranked matches of a player that count, from 1, in the order of their results.
    """

    __tablename__ = "plays"
    __table_args__ = (Index(None, "guild_id", "user_id", "ended_at", "table_id"), Index(None, "user_id", "table_id"))

    table_id: Mapped[KeyTable]
    user_id: Mapped[KeySnowflake]
    guild_id: Mapped[Snowflake]
    season: Mapped[int]
    ended_at: Mapped[Millis]
    seat: Mapped[int]
    team: Mapped[int]
    place: Mapped[int]
    outcome: Mapped[int]
    has_left: Mapped[bool]
    has_left_early: Mapped[bool] = mapped_column(server_default=false())
    is_ranked: Mapped[bool]
    is_void: Mapped[bool] = mapped_column(server_default=false())
    displayed_rating: Mapped[int | None]
    ranked_number: Mapped[int | None]
    opponents: Mapped[int | None]
    day_start_rating: Mapped[int | None]


_IS_RATED: Final = PlayRow.ranked_number.is_not(None)
Index("ix_plays_ranked_number", PlayRow.guild_id, PlayRow.user_id, PlayRow.ranked_number, sqlite_where=_IS_RATED)

OWN, OTHER = aliased(PlayRow), aliased(PlayRow)
"""A player's plays and those of others in the same matches; made once, since an alias copies all columns."""


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
    has_left_early: bool = False


class VoidRow(Base):
    """A match that a moderator declared void: it is kept, and counts for nothing."""

    __tablename__ = "voids"
    __table_args__ = (Index(None, "guild_id", "at"), Index(None, "by_id"))

    table_id: Mapped[KeyTable]
    guild_id: Mapped[Snowflake]
    by_id: Mapped[Snowflake]
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[Millis]


class PlayerRow(Rated, Base):
    """A player of a server: last name, choices, and present rating.

    - `is_hidden`: boards leave the player out.
    - `hides_avatar`: pictures show initials, in all servers.
    - `help_level`: the player's choice (`bot.records.player`), in all servers.
    - `first_partners`: the partners of the first ranked matches in which the player has stayed, until there are enough
      for `Deed.PARTNERS`.
    """

    __tablename__ = "players"

    guild_id: Mapped[KeySnowflake]
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False, index=True)
    name: Mapped[str] = mapped_column(Text)
    is_hidden: Mapped[bool] = mapped_column(server_default=false())
    hides_avatar: Mapped[bool] = mapped_column(server_default=false())
    help_level: Mapped[str | None] = mapped_column(String(16))
    season: Mapped[int | None]
    rated_at: Mapped[Millis | None]
    matches: Mapped[int | None]
    partners: Mapped[Json | None]
    opponents: Mapped[int | None]
    day_start_rating: Mapped[int | None]
    first_partners: Mapped[Json | None]


class StandingRow(Rated, Tallied, Base):
    """The sums of a player's matches in a season, ranked and friendly ones apart, without void ones.

    - `win_days`: the days (UTC) on which a match was won.
    - `mu`, `sigma`, `rated_at`: the rating after the last match; it is displayed as `displayed_rating` until
      `fresh_until`.
    """

    __tablename__ = "standings"

    guild_id: Mapped[KeySnowflake]
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False, index=True)
    season: Mapped[KeyNumber]
    is_ranked: Mapped[bool] = mapped_column(primary_key=True, autoincrement=False)
    matches: Mapped[int]
    wins: Mapped[int]
    draws: Mapped[int]
    win_days: Mapped[int]
    rated_at: Mapped[Millis | None]
    displayed_rating: Mapped[int | None]
    is_provisional: Mapped[bool | None]
    fresh_until: Mapped[Millis | None]


class StreakRow(Base):
    """A player's `bot.ladder.outcomes.Streak` in a season, or in `ALL_SEASONS`, without void matches."""

    __tablename__ = "streaks"
    __table_args__ = (Index(None, "user_id"),)

    guild_id: Mapped[KeySnowflake]
    user_id: Mapped[KeySnowflake]
    season: Mapped[KeyNumber]
    running: Mapped[int]
    best: Mapped[int]


ALL_SEASONS: Final = -1


class PairRow(Base):
    """Two players in a season: matches won and played together, and matches against each other by winner."""

    __tablename__ = "pairs"
    __table_args__ = (Index(None, "low_id", "guild_id", "high_id"), Index(None, "high_id", "guild_id", "low_id"))

    guild_id: Mapped[KeySnowflake]
    low_id: Mapped[KeySnowflake]
    high_id: Mapped[KeySnowflake]
    season: Mapped[KeyNumber]
    is_ranked: Mapped[bool] = mapped_column(primary_key=True, autoincrement=False)
    together: Mapped[int]
    together_wins: Mapped[int]
    against: Mapped[int]
    low_wins: Mapped[int]
    high_wins: Mapped[int]


class RecountRow(Base):
    """A server whose ratings are to be computed again, from the result with this `number` on.

    `season` is the first one whose boards may change by it. `stamp` is a random number; it changes with everything that
    makes a running recount start over.
    """

    __tablename__ = "recounts"

    guild_id: Mapped[KeySnowflake]
    number: Mapped[int]
    season: Mapped[int]
    stamp: Mapped[int]


def _add_board_index(name: str, row: type[StandingRow | PairRow], *by: str, is_ranked: bool = True) -> None:
    """Add an index in the order of a board, to be read backwards."""
    columns = [getattr(row, each) for each in ("guild_id", "season", *by)]
    Index(f"ix_board_{name}", *columns, sqlite_where=row.is_ranked.is_(is_ranked))


for _board in MATCH_BOARDS:
    if _board.ranked_by is RankedBy.PAIRS:
        _add_board_index(_board, PairRow, _board.by, "low_id", "high_id")
    else:
        _add_board_index(_board, StandingRow, _board.by, "user_id", is_ranked=_board.ranked_by is RankedBy.RANKED)
_add_board_index("fresh", StandingRow, "fresh_until")


class LadderRow(Base):
    """A `bot.ladder.seasons.LadderSetup`."""

    __tablename__ = "ladders"

    guild_id: Mapped[KeySnowflake]
    ranked_presets: Mapped[Json]
    sign_required: Mapped[bool]
    ranked_entry: Mapped[Json]
    season_length: Mapped[str] = mapped_column(String(16))
    zone: Mapped[str] = mapped_column(String(64))


class SeasonRow(Base):
    """A `bot.ladder.seasons.Season` of a server, and once it is over a `bot.records.seasons.EndedSeason`.

    Its podium and the champion's role are right as of the change `podium_changes`; NULL: not known to be.
    """

    __tablename__ = "seasons"

    guild_id: Mapped[KeySnowflake]
    number: Mapped[KeyNumber]
    name: Mapped[str | None] = mapped_column(Text)
    starts_at: Mapped[Millis]
    ends_at: Mapped[Millis | None]
    changes: Mapped[int] = mapped_column(server_default="0")
    podium_changes: Mapped[int | None]
    channel_id: Mapped[Snowflake | None]
    message_id: Mapped[Snowflake | None]
    podium_digest: Mapped[str | None] = mapped_column(String(32))


IS_DUE: Final = SeasonRow.podium_changes.is_distinct_from(SeasonRow.changes)
Index("ix_seasons_due", SeasonRow.guild_id, SeasonRow.ends_at, sqlite_where=IS_DUE)


class ChampionRow(Base):
    """A player who has a server's role for the best of a season or of a night, or is about to get it.

    `is_erased`: the player's data is deleted, and this row will be once the role is taken back.
    """

    __tablename__ = "champions"
    __table_args__ = (Index(None, "user_id"),)

    guild_id: Mapped[KeySnowflake]
    user_id: Mapped[KeySnowflake]
    is_of_night: Mapped[bool] = mapped_column(primary_key=True)
    role_id: Mapped[Snowflake]
    season: Mapped[int | None]
    is_erased: Mapped[bool] = mapped_column(server_default=false())


_IS_ERASED: Final = ChampionRow.is_erased.is_(True)
_KEY: Final = (ChampionRow.guild_id, ChampionRow.user_id, ChampionRow.is_of_night)
Index("ix_champions_erased", ChampionRow.is_erased, *_KEY, sqlite_where=_IS_ERASED)
