"""The rows of the deal of the day, and of moments that are played again.

`day` is a date as `date.toordinal` counts days.
"""

from sqlalchemy import Index, String, Text, false
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.schema.columns import Base, KeyNumber, KeySnowflake, KeyTable, Millis, Snowflake


class DailySecretRow(Base):
    """The only row, number 1, has the `secret` in hexadecimal digits. It is made once and never exported."""

    __tablename__ = "daily_secrets"

    number: Mapped[KeyNumber]
    secret: Mapped[str] = mapped_column(String(64))


class DailyTryRow(Base):
    """A `bot.daily.day.Try`. While it is not over, the encrypted `token` reaches its panel, in a `language`."""

    __tablename__ = "daily_tries"
    __table_args__ = (Index(None, "guild_id", "day"),)

    user_id: Mapped[KeySnowflake]
    day: Mapped[KeyNumber]
    number: Mapped[KeyNumber]
    guild_id: Mapped[Snowflake]
    started_at: Mapped[Millis]
    pressed_at: Mapped[Millis]
    reference_ms: Mapped[int]
    time_ms: Mapped[int | None]
    is_over: Mapped[bool] = mapped_column(server_default=false())
    moves: Mapped[str] = mapped_column(Text)
    is_posted: Mapped[bool] = mapped_column(server_default=false())
    token: Mapped[str | None] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String(16))


IS_RUNNING = DailyTryRow.is_over.is_(False)
Index("ix_daily_tries_running", DailyTryRow.pressed_at, sqlite_where=IS_RUNNING)


class MomentTryRow(Base):
    """A `bot.daily.moment.MomentTry`; `token` and `language` as in `DailyTryRow`."""

    __tablename__ = "moment_tries"

    user_id: Mapped[KeySnowflake]
    table_id: Mapped[KeyTable]
    round: Mapped[KeyNumber]
    step: Mapped[KeyNumber]
    seat: Mapped[KeyNumber]
    guild_id: Mapped[Snowflake]
    started_at: Mapped[Millis]
    pressed_at: Mapped[Millis]
    gain: Mapped[int | None]
    is_over: Mapped[bool] = mapped_column(server_default=false())
    moves: Mapped[str] = mapped_column(Text)
    token: Mapped[str | None] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String(16))


Index("ix_moment_tries_running", MomentTryRow.pressed_at, sqlite_where=MomentTryRow.is_over.is_(False))


class ChallengeRow(Base):
    """A `bot.daily.moment.Challenge`."""

    __tablename__ = "challenges"
    __table_args__ = (Index(None, "user_id"),)

    table_id: Mapped[KeyTable]
    round: Mapped[KeyNumber]
    step: Mapped[KeyNumber]
    seat: Mapped[KeyNumber]
    user_id: Mapped[Snowflake]
    guild_id: Mapped[Snowflake]
