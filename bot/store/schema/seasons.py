"""The rows of seasons: when they are, what their ends ask to be done, and who has the role of the champion."""

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.engine.base import Base
from bot.store.schema.columns import KeyNumber, KeySnowflake, Millis, Snowflake


class SeasonRow(Base):
    """A `bot.ladder.seasons.Season` of a server."""

    __tablename__ = "seasons"

    guild_id: Mapped[KeySnowflake]
    number: Mapped[KeyNumber]
    name: Mapped[str | None] = mapped_column(Text)
    starts_at: Mapped[Millis]
    ends_at: Mapped[Millis | None]


class SeasonDutyRow(Base):
    """A `bot.ladder.season_duties.Task`: something to be done for a season that is over.

    `due_at` is when the duty is tried next, NULL if never; `message_id` is the message of a podium.
    """

    __tablename__ = "season_duties"
    __table_args__ = (Index(None, "due_at"),)

    guild_id: Mapped[KeySnowflake]
    season: Mapped[KeyNumber]
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
    """A player who has a server's role for the best of a season, or is about to get it."""

    __tablename__ = "champions"
    __table_args__ = (Index(None, "user_id"),)

    guild_id: Mapped[KeySnowflake]
    user_id: Mapped[KeySnowflake]
    role_id: Mapped[Snowflake]
