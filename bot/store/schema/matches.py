"""The rows of matches: their events, their rounds and their results."""

from typing import Final

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.engine.base import Base
from bot.store.schema.columns import Json, KeyNumber, KeySnowflake, KeyTable, Millis, Snowflake


class EventRow(Base):
    """One event of a match's log, numbered from 1. `press_id` is the interaction that caused it, stored once."""

    __tablename__ = "events"

    table_id: Mapped[KeyTable]
    seq: Mapped[KeyNumber]
    at: Mapped[Millis]
    kind: Mapped[str] = mapped_column(String(32))
    version: Mapped[int]
    body: Mapped[Json]
    press_id: Mapped[Snowflake | None]


_HAS_PRESS: Final = EventRow.press_id.is_not(None)
Index("uq_events_press_id", EventRow.press_id, unique=True, sqlite_where=_HAS_PRESS, postgresql_where=_HAS_PRESS)


class RoundRow(Base):
    """One round. `points` are all points given during it, by team; `game_winner` is set if the round decided a game.

    `margin` is the milliseconds between the caller and the `rival_call` of the seat `rival`, if the calls were close.
    """

    __tablename__ = "rounds"

    table_id: Mapped[KeyTable]
    round: Mapped[KeyNumber]
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


class ShareRow(Base):
    """The message that shows a round of a finished match in a channel."""

    __tablename__ = "shares"

    table_id: Mapped[KeyTable]
    round: Mapped[KeyNumber]
    channel_id: Mapped[KeySnowflake]
    message_id: Mapped[Snowflake]


class ResultRow(Base):
    """How a match ended; one row at most, so that the match counts once. `scores` are those of its last game.

    `number` counts a server's results in the order in which they were recorded; `season` is 0 between seasons.
    """

    __tablename__ = "results"
    __table_args__ = (Index(None, "guild_id", "number", unique=True), Index(None, "guild_id", "ended_at", "table_id"))

    table_id: Mapped[KeyTable]
    guild_id: Mapped[Snowflake]
    number: Mapped[int]
    season: Mapped[int]
    winner: Mapped[int | None]
    scores: Mapped[Json]
    games: Mapped[Json]
    rounds: Mapped[int]
    ended_at: Mapped[Millis]
