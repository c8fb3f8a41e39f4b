"""Which process of the bot serves which shard: rows that PostgreSQL alone needs (`bot.store.engine.cluster`)."""

from typing import Final

from sqlalchemy import ForeignKey, String, false
from sqlalchemy.orm import Mapped, mapped_column

from bot.store.schema.columns import Base, Json, KeyNumber, KeySnowflake, Millis


class ProcessRow(Base):
    """A process that lives until `expires_at` (by the database's clock), and longer as long as it says so.

    `requests` are those that it may send to Discord in a second. A process that `is_alone` keeps all others out.
    """

    __tablename__ = "processes"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    expires_at: Mapped[Millis]
    requests: Mapped[int] = mapped_column(server_default="0")
    is_alone: Mapped[bool] = mapped_column(server_default=false())


class LeaseRow(Base):
    """A shard, or the work that one process does for all (`LEADER`); free without a `holder` that is in `processes`.

    There are as many shards as rows with an `id` from 0. `epoch` counts the changes of holder.
    """

    __tablename__ = "leases"

    id: Mapped[KeyNumber]
    holder: Mapped[str | None] = mapped_column(String(32))
    epoch: Mapped[int]


class ErasureRow(Base):
    """A process that is asked to let a person leave its tables (`bot.tables.erasure`).

    `unreadable` is its answer once they have left: the tables that it cannot read.
    """

    __tablename__ = "erasures"

    process: Mapped[str] = mapped_column(String(32), ForeignKey("processes.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[KeySnowflake]
    unreadable: Mapped[Json | None]


class IdentifyRow(Base):
    """From when on (by the database's clock) a shard of this bucket may identify; see Discord's `max_concurrency`."""

    __tablename__ = "identifies"

    bucket: Mapped[KeyNumber]
    free_at: Mapped[Millis]


OF_PROCESSES: Final = tuple(row.__tablename__ for row in (ErasureRow, IdentifyRow, LeaseRow, ProcessRow))
"""What running processes tell each other, which is nobody's outside of their database."""
