"""Databases for the tests: a fresh SQLite file, and a PostgreSQL database of their own, both migrated.

KEMS_TEST_POSTGRES_URL names a server on which databases may be made (default: postgres@127.0.0.1:5432). Where none
answers, its tests are skipped; on CI (the variable CI is set) they fail.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from sqlalchemy import Connection, event, make_url

from bot.store.engine.database import Database
from bot.store.engine.migrate import migrate
from tests.databases import migrated

T = TypeVar("T")

SERVER = os.environ.get("KEMS_TEST_POSTGRES_URL", "postgresql+asyncpg://postgres@127.0.0.1:5432/postgres")


async def on_server(statement: str, address: str = SERVER) -> None:
    dsn = make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(dsn, timeout=5)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a database that lives as long as the session."""
    name = f"kems_test_{secrets.token_hex(6)}"
    try:
        asyncio.run(on_server(f"CREATE DATABASE {name}"))
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        reason = f"no PostgreSQL to test with ({type(error).__name__}): set KEMS_TEST_POSTGRES_URL"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    yield make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    asyncio.run(on_server(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def migrated_postgres(postgres: str) -> Iterator[str]:
    """The name of a migrated database to copy; PostgreSQL copies one that nobody is connected to."""
    name = f"{make_url(postgres).database}_migrated"
    asyncio.run(on_server(f"CREATE DATABASE {name}"))
    asyncio.run(_migrate(make_url(postgres).set(database=name).render_as_string(hide_password=False)))
    yield name
    asyncio.run(on_server(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def backend(request: pytest.FixtureRequest) -> str:
    """The kind of database that a test is run with."""
    kind: str = request.param
    return kind


@pytest.fixture
def empty_address(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without tables."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path}/kems.db"
    address: str = request.getfixturevalue("postgres")
    asyncio.run(on_server("DROP SCHEMA public CASCADE; CREATE SCHEMA public", address))
    return address


@pytest.fixture
def address(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a migrated database without rows."""
    if backend == "sqlite":
        return migrated(tmp_path)
    address: str = request.getfixturevalue("postgres")
    name, template = make_url(address).database, request.getfixturevalue("migrated_postgres")
    asyncio.run(on_server(f"DROP DATABASE {name} WITH (FORCE)"))
    asyncio.run(on_server(f"CREATE DATABASE {name} TEMPLATE {template}"))
    return address


@pytest.fixture
async def database(address: str) -> AsyncIterator[Database]:
    async with opened(address) as database:
        yield database


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Database]:
    database = Database(address)
    try:
        yield database
    finally:
        await database.close()


async def _migrate(address: str) -> None:
    async with opened(address) as database:
        await migrate(database)


async def sync(database: Database, work: Callable[[Connection], T]) -> T:
    """What `work` returns, run in a transaction on SQLAlchemy's synchronous connection."""
    async with database.transaction() as session:
        return await (await session.connection()).run_sync(work)


@contextmanager
def recorded_statements(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are sent meanwhile, and their parameters; also those that begin transactions."""
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        statements.append((statement, parameters))

    event.listen(database.engine.sync_engine, "before_cursor_execute", note)
    yield statements
    event.remove(database.engine.sync_engine, "before_cursor_execute", note)
