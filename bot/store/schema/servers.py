"""The rows of what servers have chosen.

A server without a row has the defaults.
"""

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.schema.columns import Base, Json, KeySnowflake, Millis, Snowflake


class ServerRow(Base):
    """A `bot.tables.server_settings.ServerSettings`."""

    __tablename__ = "servers"

    guild_id: Mapped[KeySnowflake]
    language: Mapped[str | None] = mapped_column(String(16))
    table_channels: Mapped[Json]
    podium_channel: Mapped[Snowflake | None]
    champion_role: Mapped[Snowflake | None]
    players_role: Mapped[Snowflake | None]
    players_called_at: Mapped[Millis | None]
    absence: Mapped[str] = mapped_column(String(16))
    afk_seconds: Mapped[int | None]
    retention_days: Mapped[int | None]
    retained_until: Mapped[Millis | None]


class LadderRow(Base):
    """A `bot.ladder.eligibility.Setup`."""

    __tablename__ = "ladders"

    guild_id: Mapped[KeySnowflake]
    ranked_presets: Mapped[Json]
    sign_required: Mapped[bool]
    season_every: Mapped[str] = mapped_column(String(16))
    zone: Mapped[str] = mapped_column(String(64))


class RuleSetRow(Base):
    """Rules that a server keeps. `key` is the name as names are compared; `bot.game.rules.line` reads `line`."""

    __tablename__ = "rule_sets"

    guild_id: Mapped[KeySnowflake]
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    line: Mapped[str] = mapped_column(Text)
