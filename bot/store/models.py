"""The tables of the database. People appear in `tables.host_id` and in `seats` alone; events name seats.

Instants are milliseconds since the Unix epoch, Discord's ids are BIGINT, structured values are JSON as text.
"""

from typing import Annotated, Final

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMING: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

Millis = Annotated[int, mapped_column(BigInteger)]
Snowflake = Annotated[int, mapped_column(BigInteger)]
Json = Annotated[str, mapped_column(Text)]
OfTable = Annotated[
    int, mapped_column(BigInteger, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, autoincrement=False)
]


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)


class TableRow(Base):
    """A lobby and its match. `owner` is the run of the bot that may write it, `epoch` counts the changes of owner.

    `strategies` is what the players' vote allowed, NULL without a vote or while it runs.
    """

    __tablename__ = "tables"
    __table_args__ = (Index(None, "guild_id", "opened_at"), Index(None, "status"))

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    guild_id: Mapped[Snowflake]
    channel_id: Mapped[Snowflake]
    message_id: Mapped[Snowflake | None]
    host_id: Mapped[Snowflake]
    status: Mapped[str] = mapped_column(String(16))
    locale: Mapped[str] = mapped_column(String(16))
    rules: Mapped[Json]
    size: Mapped[int]
    random_teams: Mapped[bool]
    rematch_of: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("tables.id", ondelete="SET NULL"))
    rule_set: Mapped[str | None] = mapped_column(String(32))
    strategies: Mapped[Json | None]
    opened_at: Mapped[Millis]
    started_at: Mapped[Millis | None]
    owner: Mapped[str] = mapped_column(String(32))
    epoch: Mapped[int]


class SeatRow(Base):
    """Who sits where; a free seat has no row, a robot no user.

    `ballot` is what its player said yes to in a secret vote that is running, gone with its end.
    """

    __tablename__ = "seats"
    __table_args__ = (Index(None, "user_id"),)

    table_id: Mapped[OfTable]
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    team: Mapped[int]
    user_id: Mapped[Snowflake | None]
    name: Mapped[str] = mapped_column(Text)
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


class RoundRow(Base):
    """One round. `points` are all that were given during it, by team; `game_winner` is set if it decided a game."""

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
    """How a match ended; one row at most, so that it counts once. `scores` are those of its last game."""

    __tablename__ = "results"

    table_id: Mapped[OfTable]
    winner: Mapped[int | None]
    scores: Mapped[Json]
    games: Mapped[Json]
    rounds: Mapped[int]
    ended_at: Mapped[Millis]
