"""Moves an install between SQLite and PostgreSQL: copies every row, and compares each copy with its original."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from sqlalchemy import Row, String, Table, func, insert, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import StoreError
from bot.store.engine.database import Database
from bot.store.engine.migrate import needs_migration, take_and_migrate
from bot.store.schema import Base
from bot.store.schema.tables import OF_PROCESSES, NightRow, TableRow

BATCH: Final = 500
_TABLES: Final = tuple(table for table in Base.metadata.sorted_tables if table.name not in OF_PROCESSES)
_CONTINUE_IDS: Final = text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)")


async def copy_database(source: Database, target: Database) -> int:
    """Copy everything into an empty database, in one transaction; the number of rows.

    Raises StoreError: a bot uses one of them, the target holds something, the source has other tables than this
    version, or one of them cannot be used. Nothing has changed then but the target's empty tables.
    """
    if source.url == target.url:
        raise StoreError(f"{source.where} cannot be copied onto itself: name another database to copy to.")
    if source.file is not None and not source.file.exists():
        raise StoreError(f"There is no database {source.where} to copy: has the bot run here?")
    if await needs_migration(source):
        raise StoreError(f"The database {source.where} lacks tables of this version: run `kems migrate` with it first.")
    await source.take()
    await take_and_migrate(target)
    count = 0
    async with source.transaction() as reader, target.transaction() as writer:
        for table in _TABLES:
            if await writer.scalar(select(func.count()).select_from(table)):
                raise StoreError(f"The database {target.where} holds something already: name an empty one to copy to.")
        for table in _TABLES:
            async for rows in _batches(reader, table):
                await writer.execute(insert(table), [dict(row._mapping) for row in rows])
                count += len(rows)
        for table in _TABLES:
            await _compare(table, reader, writer, target.where)
        for row in (TableRow, NightRow):
            last = await writer.scalar(select(func.max(row.id)))
            if last is not None and not target.is_sqlite:
                await writer.execute(_CONTINUE_IDS, {"table": row.__tablename__, "last": last})
    return count


async def _compare(table: Table, source: AsyncSession, target: AsyncSession, where: str) -> None:
    copies = _batches(target, table)
    async for rows in _batches(source, table):
        if [tuple(row) for row in rows] != [tuple(row) for row in await anext(copies, None) or ()]:
            raise StoreError(f"The rows of {table.name} are not the same in {where}: nothing was copied.")
    if await anext(copies, None):
        raise StoreError(f"There are more rows of {table.name} in {where} than there were: nothing was copied.")


async def _batches(session: AsyncSession, table: Table) -> AsyncIterator[Sequence[Row[Any]]]:
    """All rows in the order of their keys, which is the same in both databases."""
    key = tuple(table.primary_key.columns)
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    by_bytes = [column.collate("C") if isinstance(column.type, String) and not is_sqlite else column for column in key]
    query = select(table).order_by(*by_bytes).limit(BATCH)
    rows = (await session.execute(query)).all()
    while rows:
        yield rows
        last = tuple(rows[-1]._mapping[column] for column in key)
        rows = (await session.execute(query.where(tuple_(*by_bytes) > last))).all()
