"""The archive of `tests.bench.archive` in a PostgreSQL database of its own, copied from the SQLite file."""

import os
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Final

import asyncpg
from sqlalchemy import Boolean, Table, make_url

from bot.store.engine.database import LONG_COMMAND_S, Database
from bot.store.engine.migrate import migrate
from bot.store.schema import Base

SERVER: Final = os.environ.get("KEMS_TEST_POSTGRES_URL", "postgresql+asyncpg://postgres@127.0.0.1:5432/postgres")
_CONNECT_S: Final = 5
_INDEXES: Final = """
    SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
    AND indexname NOT IN (SELECT conname FROM pg_constraint)
"""


class NoServerError(Exception):
    """There is no PostgreSQL to measure."""


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection of asyncpg alone. Raises NoServerError."""
    dsn = make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        connection = await asyncpg.connect(dsn, timeout=_CONNECT_S)
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        raise NoServerError(f"No server answers ({type(error).__name__}): set KEMS_TEST_POSTGRES_URL.") from error
    try:
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def copied(path: Path) -> AsyncIterator[str]:
    """The address of a database with the rows of the file, which is dropped in the end. Raises NoServerError."""
    name = f"kems_bench_{secrets.token_hex(6)}"
    async with connected(SERVER) as server:
        await server.execute(f"CREATE DATABASE {name}")
        address = make_url(SERVER).set(database=name).render_as_string(hide_password=False)
        try:
            database = Database(address, command_s=LONG_COMMAND_S)
            try:
                await migrate(database)
            finally:
                await database.close()
            async with connected(address) as connection:
                await _copy(path, connection)
            yield address
        finally:
            await server.execute(f"DROP DATABASE {name} WITH (FORCE)")


async def send_again(connection: asyncpg.Connection, statements: Sequence[tuple[str, Sequence[Any], bool]]) -> float:
    """Milliseconds of recorded statements, read to the end; what was written is taken back."""
    transaction = connection.transaction()
    await transaction.start()
    started = time.perf_counter()
    for statement, parameters, is_many in statements:
        if is_many:
            await connection.executemany(statement, parameters)
        else:
            await connection.fetch(statement, *parameters)
    passed = time.perf_counter() - started
    await transaction.rollback()
    return 1000 * passed


async def _copy(path: Path, connection: asyncpg.Connection) -> None:
    indexes = await connection.fetch(_INDEXES)
    for name, _ in indexes:  # they are made faster afterwards, in one go
        await connection.execute(f"DROP INDEX {name}")
    await connection.execute("SET session_replication_role = replica")  # what the file refers to is there
    with closing(sqlite3.connect(path)) as source:
        for table in Base.metadata.sorted_tables:
            columns = [column.name for column in table.columns]
            await connection.copy_records_to_table(table.name, records=_rows(source, table), columns=columns)
    for _, index in indexes:
        await connection.execute(index)
    await connection.execute("VACUUM ANALYZE")


def _rows(source: sqlite3.Connection, table: Table) -> Iterator[tuple[Any, ...]]:
    """SQLite has no truth values: its 0 and 1 become what PostgreSQL wants."""
    flags = [number for number, column in enumerate(table.columns) if isinstance(column.type, Boolean)]
    names = ", ".join(column.name for column in table.columns)
    for row in source.execute(f"SELECT {names} FROM {table.name}"):  # noqa: S608 - our own names
        values = list(row)
        for number in flags:
            values[number] = None if row[number] is None else bool(row[number])
        yield tuple(values)
