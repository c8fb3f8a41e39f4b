"""What both databases can do, but say in their own dialects."""

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import Insert as PostgresInsert
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import Insert as SqliteInsert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncSession

from bot.store.engine.models import Base


def upsert(session: AsyncSession, row: type[Base]) -> PostgresInsert | SqliteInsert:
    """An INSERT that can say ON CONFLICT."""
    return sqlite_insert(row) if session.get_bind().dialect.name == "sqlite" else postgres_insert(row)


async def hold_back(session: AsyncSession, row: type[Base]) -> None:
    """Wait for those who are writing a table, and keep others from it until the transaction ends.

    In SQLite one transaction at a time writes anyway.
    """
    if session.get_bind().dialect.name == "postgresql":
        await session.execute(text(f"LOCK TABLE {row.__tablename__} IN SHARE ROW EXCLUSIVE MODE"))
