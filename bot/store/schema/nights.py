"""The rows of game nights. A `body` names people by their entrants' numbers; user ids and names stand beside it."""

from typing import Annotated, Final

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.schema.columns import Base, Json, KeyNumber, Millis, Snowflake

KeyNight = Annotated[
    int, mapped_column(BigInteger, ForeignKey("nights.id", ondelete="CASCADE"), primary_key=True, autoincrement=False)
]


class NightRow(Base):
    """A `bot.nights.night.Night`; `body` is all of it that has no column and no row of its own.

    `number` counts a server's nights. While something is still to be done for a night, it `is_live`. From `purged_at`
    on its names are deleted (`bot.store.records.retention`).
    """

    __tablename__ = "nights"
    __table_args__ = (
        Index(None, "guild_id", "number", unique=True),
        Index(None, "guild_id", "starts_at"),
        Index(None, "host_id", "id"),
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
    guild_id: Mapped[Snowflake]
    number: Mapped[int]
    host_id: Mapped[Snowflake | None]
    title: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(16))
    starts_at: Mapped[Millis]
    is_live: Mapped[bool]
    version: Mapped[int]
    body: Mapped[Json]
    purged_at: Mapped[Millis | None]


_IS_LIVE: Final = NightRow.is_live.is_(True)
Index("ix_nights_live", NightRow.id, sqlite_where=_IS_LIVE, postgresql_where=_IS_LIVE)


class EntrantRow(Base):
    """Who an entrant of a night is. Without a user the person is forgotten, without a name it is no longer kept."""

    __tablename__ = "entrants"
    __table_args__ = (Index(None, "user_id", "night_id"),)

    night_id: Mapped[KeyNight]
    number: Mapped[KeyNumber]
    user_id: Mapped[Snowflake | None]
    name: Mapped[str] = mapped_column(Text)


class NightStepRow(Base):
    """A `bot.nights.changes.DoneStep` of the user `by_id`, in the order of the log."""

    __tablename__ = "night_steps"
    __table_args__ = (Index(None, "by_id", "night_id"),)

    night_id: Mapped[KeyNight]
    number: Mapped[KeyNumber]
    by_id: Mapped[Snowflake | None]
    body: Mapped[Json]
