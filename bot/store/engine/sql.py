"""Statements in the dialects of SQLite and PostgreSQL, and rows as values."""

from dataclasses import fields
from typing import Any, Final, TypeVar

from sqlalchemy import ColumnElement, text, true
from sqlalchemy.dialects.postgresql import Insert as PostgresInsert
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import Insert as SqliteInsert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.elements import SQLCoreOperations

from bot.store.engine.base import Base
from bot.store.engine.database import Database

T = TypeVar("T")
_SHARD_STEP: Final = 1 << 22


def from_row(kind: type[T], row: object, **others: Any) -> T:
    """A dataclass: its fields are the row's columns of the same names, but for the `others`."""
    names = (field.name for field in fields(kind) if field.name not in others)  # type: ignore[arg-type]
    return kind(**{name: getattr(row, name) for name in names}, **others)


def upsert(session: AsyncSession, row: type[Base]) -> PostgresInsert | SqliteInsert:
    """An INSERT that can say ON CONFLICT."""
    return sqlite_insert(row) if session.get_bind().dialect.name == "sqlite" else postgres_insert(row)


def shard_of(guild_id: SQLCoreOperations[int], shards: SQLCoreOperations[int] | int) -> ColumnElement[int]:
    """The shard of a server, as `bot.tables.shards.Shard` has it."""
    return (guild_id // _SHARD_STEP) % shards


def is_served(database: Database, guild_id: SQLCoreOperations[int]) -> ColumnElement[bool]:
    """Whether this process serves a row's server."""
    leases = database.leases
    return shard_of(guild_id, leases.count).in_(leases.held) if leases.count else true()


async def lock_table(session: AsyncSession, row: type[Base]) -> None:
    """Wait for other transactions that write a table, and keep new ones out until this transaction ends.

    SQLite runs one writing transaction at a time in any case.
    """
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(text(f"LOCK TABLE {row.__tablename__} IN SHARE ROW EXCLUSIVE MODE"))
