"""The tables of the database. Events name seats, never people; `store.privacy.personal_data` lists where people appear.

Instants are milliseconds since the Unix epoch, Discord's ids are BIGINT, structured values are JSON as text.
"""

from typing import Any, Final

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, MetaData, String, Text, false
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from bot.store.engine.columns import Json, Millis, OfTable, Rated, Snowflake, Tallied

NAMING: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)


class TableRow(Base):
    """A lobby and its match. `owner` is the run of the bot that may write it, `epoch` counts the changes of owner.

    `strategies` is what the players' vote allowed, NULL without one or during it; the `former_` message was left and
    does not say so yet. `is_ranked` is settled when the match starts, `ended_at` when it was played to its end. From
    `purged_at` on the log, the rounds and the names are gone (`bot.store.records.retention`).
    """

    __tablename__ = "tables"
    __table_args__ = (Index(None, "guild_id", "opened_at"), Index(None, "status"), Index(None, "host_id", "id"))

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    guild_id: Mapped[Snowflake]
    channel_id: Mapped[Snowflake]
    message_id: Mapped[Snowflake | None]
    message_round: Mapped[int] = mapped_column(server_default="0")
    message_final: Mapped[bool] = mapped_column(server_default=false())
    former_channel_id: Mapped[Snowflake | None]
    former_message_id: Mapped[Snowflake | None]
    host_id: Mapped[Snowflake]
    status: Mapped[str] = mapped_column(String(16))
    locale: Mapped[str] = mapped_column(String(16))
    rules: Mapped[Json]
    size: Mapped[int]
    random_teams: Mapped[bool]
    theme: Mapped[str] = mapped_column(String(16), server_default="french")
    rematch_of: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("tables.id", ondelete="SET NULL"))
    rule_set: Mapped[str | None] = mapped_column(String(32))
    strategies: Mapped[Json | None]
    opened_at: Mapped[Millis]
    closes_at: Mapped[Millis | None]
    started_at: Mapped[Millis | None]
    owner: Mapped[str] = mapped_column(String(32))
    epoch: Mapped[int]
    is_ranked: Mapped[bool] = mapped_column(server_default=false())
    absence: Mapped[str] = mapped_column(String(16), server_default="robot")
    afk_seconds: Mapped[int | None]
    purged_at: Mapped[Millis | None]
    ended_at: Mapped[Millis | None]


_IS_WHOLE: Final = TableRow.purged_at.is_(None)
Index("ix_tables_whole", TableRow.guild_id, TableRow.opened_at, sqlite_where=_IS_WHOLE, postgresql_where=_IS_WHOLE)
_HAS_ENDED: Final = TableRow.ended_at.is_not(None)
_ENDED: Final = (TableRow.guild_id, TableRow.channel_id, TableRow.ended_at, TableRow.id)
Index("ix_tables_ended", *_ENDED, sqlite_where=_HAS_ENDED, postgresql_where=_HAS_ENDED)


class SeatRow(Base):
    """Who sits where; a free seat has no row, a robot no user.

    For whoever `is_away` a robot plays; a seat that `is_open` may be taken by others. `ballot` is what its player said
    yes to in a secret vote that is running, gone with its end.
    """

    __tablename__ = "seats"
    __table_args__ = (Index(None, "user_id"),)

    table_id: Mapped[OfTable]
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    team: Mapped[int]
    user_id: Mapped[Snowflake | None]
    name: Mapped[str] = mapped_column(Text)
    is_away: Mapped[bool] = mapped_column(server_default=false())
    is_open: Mapped[bool] = mapped_column(server_default=false())
    ballot: Mapped[Json | None]


class EventRow(Base):
    """One event of a match's log, numbered from 1. `press_id` is the interaction that caused it, stored once."""

    __tablename__ = "events"

    table_id: Mapped[OfTable]
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[Millis]
    kind: Mapped[str] = mapped_column(String(32))
    version: Mapped[int]
    body: Mapped[Json]
    press_id: Mapped[Snowflake | None]


_HAS_PRESS: Final = EventRow.press_id.is_not(None)
Index("uq_events_press_id", EventRow.press_id, unique=True, sqlite_where=_HAS_PRESS, postgresql_where=_HAS_PRESS)


class PanelRow(Base):
    """A private panel that can be reached until its token expires; `token` is encrypted (`bot.store.engine.cipher`)."""

    __tablename__ = "panels"

    table_id: Mapped[OfTable]
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    seat: Mapped[int]
    page: Mapped[str] = mapped_column(String(16))
    language: Mapped[str] = mapped_column(String(16))
    round: Mapped[int]
    made_at: Mapped[Millis]
    message_id: Mapped[Snowflake]
    token: Mapped[str] = mapped_column(Text)


class RoundRow(Base):
    """One round. `points` are all that were given during it, by team; `game_winner` is set if it decided a game.

    `margin` is how many milliseconds the caller was before the `rival_call` of the seat `rival`, if it was close.
    """

    __tablename__ = "rounds"

    table_id: Mapped[OfTable]
    round: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    dealer: Mapped[int]
    outcome: Mapped[str | None] = mapped_column(String(32))
    caller: Mapped[int | None]
    target: Mapped[int | None]
    team: Mapped[int | None]
    points: Mapped[Json]
    game_winner: Mapped[int | None]
    margin: Mapped[int | None]
    rival: Mapped[int | None]
    rival_call: Mapped[str | None] = mapped_column(String(16))
    started_at: Mapped[Millis]
    ended_at: Mapped[Millis | None]


class RuleSetRow(Base):
    """Rules that a server keeps; `key` is the name as it is compared, `line` what `bot.game.rules_line` reads."""

    __tablename__ = "rule_sets"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    line: Mapped[str] = mapped_column(Text)


class ResultRow(Base):
    """How a match ended; one row at most, so that it counts once. `scores` are those of its last game.

    `number` counts a server's results in the order in which they were recorded; `season` is 0 between seasons.
    """

    __tablename__ = "results"
    __table_args__ = (Index(None, "guild_id", "number", unique=True), Index(None, "guild_id", "ended_at", "table_id"))

    table_id: Mapped[OfTable]
    guild_id: Mapped[Snowflake]
    number: Mapped[int]
    season: Mapped[int]
    winner: Mapped[int | None]
    scores: Mapped[Json]
    games: Mapped[Json]
    rounds: Mapped[int]
    ended_at: Mapped[Millis]


class DepartureRow(Base):
    """Somebody who left their seat at a running match: for good, or for the time being, if the seat is still theirs."""

    __tablename__ = "departures"
    __table_args__ = (Index(None, "user_id", "table_id"),)

    table_id: Mapped[OfTable]
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    seat: Mapped[int]
    name: Mapped[str] = mapped_column(Text)
    at: Mapped[Millis]
    was_sent_away: Mapped[bool] = mapped_column(server_default=false())


class LadderRow(Base):
    """What a server has chosen for its ladder; one that has no row has the defaults."""

    __tablename__ = "ladders"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    ranked_presets: Mapped[Json]
    sign_required: Mapped[bool]
    season_every: Mapped[str] = mapped_column(String(16))
    zone: Mapped[str] = mapped_column(String(64))


class ServerRow(Base):
    """A `bot.tables.server_settings.ServerSettings`; a server that has no row has the defaults."""

    __tablename__ = "servers"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    language: Mapped[str | None] = mapped_column(String(16))
    table_channels: Mapped[Json]
    podium_channel: Mapped[Snowflake | None]
    champion_role: Mapped[Snowflake | None]
    absence: Mapped[str] = mapped_column(String(16))
    afk_seconds: Mapped[int | None]
    retention_days: Mapped[int | None]
    retained_until: Mapped[Millis | None]


class SeasonRow(Base):
    """A season of a server, see `bot.ladder.seasons`."""

    __tablename__ = "seasons"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str | None] = mapped_column(Text)
    starts_at: Mapped[Millis]
    ends_at: Mapped[Millis | None]


class SeasonDutyRow(Base):
    """Something to be done for a season that is over, see `bot.ladder.season_duties`; written when its end is settled.

    `due_at` is when it is tried next, NULL if never; `asked` and `told` see `Task`; `message_id` is of a podium.
    """

    __tablename__ = "season_duties"
    __table_args__ = (Index(None, "due_at"),)

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    season: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    duty: Mapped[str] = mapped_column(String(16), primary_key=True)
    progress: Mapped[str] = mapped_column(String(16))
    nonce: Mapped[str] = mapped_column(String(25))
    until: Mapped[Millis]
    due_at: Mapped[Millis | None]
    tries: Mapped[int]
    problem: Mapped[str | None] = mapped_column(String(16))
    asked: Mapped[int] = mapped_column(server_default="0")
    told: Mapped[str | None] = mapped_column(String(32))
    channel_id: Mapped[Snowflake | None]
    message_id: Mapped[Snowflake | None]


class ChampionRow(Base):
    """Somebody who was given a server's role for the best of a season, or was just being given it."""

    __tablename__ = "champions"
    __table_args__ = (Index(None, "user_id"),)

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    role_id: Mapped[Snowflake]


class PlayerRow(Rated, Base):
    """Somebody who played in a server: the name used last, whether boards leave it out, and the present rating."""

    __tablename__ = "players"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False, index=True)
    name: Mapped[str] = mapped_column(Text)
    is_hidden: Mapped[bool] = mapped_column(server_default=false())
    season: Mapped[int | None]
    rated_at: Mapped[Millis | None]
    matches: Mapped[int | None]
    partners: Mapped[Json | None]


class PlayRow(Rated, Tallied, Base):
    """One person's part in a finished match, or their loss of one that was broken off. An id below zero was forgotten.

    `place` of the team from 0; `outcome` 1 won, 0 level, -1 lost; the rating after the match, of those ranked by it.
    """

    __tablename__ = "plays"
    __table_args__ = (Index(None, "guild_id", "user_id", "ended_at", "table_id"), Index(None, "user_id", "table_id"))

    table_id: Mapped[OfTable]
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    guild_id: Mapped[Snowflake]
    season: Mapped[int]
    ended_at: Mapped[Millis]
    seat: Mapped[int]
    team: Mapped[int]
    place: Mapped[int]
    outcome: Mapped[int]
    has_left: Mapped[bool]
    is_ranked: Mapped[bool]
    is_void: Mapped[bool] = mapped_column(server_default=false())
    shown: Mapped[int | None]


class StandingRow(Rated, Tallied, Base):
    """What somebody's matches of a season add up to, ranked and friendly ones apart; void ones left out.

    The rating is that after the last of them; `shown` is what it looks like until `fresh_until`.
    """

    __tablename__ = "standings"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False, index=True)
    season: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    is_ranked: Mapped[bool] = mapped_column(primary_key=True, autoincrement=False)
    matches: Mapped[int]
    wins: Mapped[int]
    draws: Mapped[int]
    rated_at: Mapped[Millis | None]
    shown: Mapped[int | None]
    is_provisional: Mapped[bool | None]
    fresh_until: Mapped[Millis | None]


class PairRow(Base):
    """Two people in a season: matches together and won so, matches against each other and who won those."""

    __tablename__ = "pairs"
    __table_args__ = (Index(None, "low_id", "guild_id", "high_id"), Index(None, "high_id", "guild_id", "low_id"))

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    low_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    high_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    season: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    is_ranked: Mapped[bool] = mapped_column(primary_key=True, autoincrement=False)
    together: Mapped[int]
    together_wins: Mapped[int]
    apart: Mapped[int]
    low_wins: Mapped[int]
    high_wins: Mapped[int]


class VoidRow(Base):
    """A match that a moderator declared void: it is kept, and counts for nothing."""

    __tablename__ = "voids"
    __table_args__ = (Index(None, "guild_id", "at"),)

    table_id: Mapped[OfTable]
    guild_id: Mapped[Snowflake]
    by_id: Mapped[Snowflake]
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[Millis]


class RecountRow(Base):
    """A server whose ratings are being made anew, from the result number `since` on; from nothing, if it is 0.

    `season` is the first one whose boards may be others then. Whenever it has to begin again, `stamp` is another.
    """

    __tablename__ = "recounts"

    guild_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    since: Mapped[int]
    season: Mapped[int]
    stamp: Mapped[int]


def _board(name: str, row: type[StandingRow | PairRow], *columns: Any) -> None:
    """An index in the order of a board, to be read backwards; of ranked standings alone."""
    is_ranked = row.is_ranked.is_(True)
    Index(f"ix_board_{name}", *columns, sqlite_where=is_ranked, postgresql_where=is_ranked)


for _column in (StandingRow.shown, StandingRow.wins, StandingRow.kems, StandingRow.counters, StandingRow.baits):
    _board(_column.key, StandingRow, StandingRow.guild_id, StandingRow.season, _column, StandingRow.user_id)
_board("fresh", StandingRow, StandingRow.guild_id, StandingRow.season, StandingRow.fresh_until)
_board("duos", PairRow, PairRow.guild_id, PairRow.season, PairRow.together_wins, PairRow.low_id, PairRow.high_id)
