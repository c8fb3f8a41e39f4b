"""The rows of the deal of the day, and of moments of matches. `day` is a date as `date.toordinal` counts days."""

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, false
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.schema.columns import Base, KeyNumber, KeySnowflake, Millis, Snowflake


class DailySecretRow(Base):
    """The only row, number 1, has the `secret` in hexadecimal digits. It is made once and never exported."""

    __tablename__ = "daily_secrets"

    number: Mapped[KeyNumber]
    secret: Mapped[str] = mapped_column(String(64))


class AttemptRow(Base):
    """A `bot.daily.attempt.Attempt`; `scene` is its key as a word, `day` or `table_id` a part of it for queries.

    While it is not over, the encrypted `token` reaches its panel, in a `language`.
    """

    __tablename__ = "scene_attempts"
    __table_args__ = (Index(None, "guild_id", "day"),)

    user_id: Mapped[KeySnowflake]
    scene: Mapped[str] = mapped_column(String(40), primary_key=True)
    day: Mapped[int | None]
    table_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("tables.id", ondelete="CASCADE"), index=True)
    guild_id: Mapped[Snowflake]
    started_at: Mapped[Millis]
    pressed_at: Mapped[Millis]
    reference: Mapped[int]
    result: Mapped[int | None]
    is_over: Mapped[bool] = mapped_column(server_default=false())
    moves: Mapped[str] = mapped_column(Text)
    is_posted: Mapped[bool] = mapped_column(server_default=false())
    sign: Mapped[str] = mapped_column(String(64), server_default="")
    token: Mapped[str | None] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String(16))


Index("ix_scene_attempts_running", AttemptRow.pressed_at, sqlite_where=AttemptRow.is_over.is_(False))
