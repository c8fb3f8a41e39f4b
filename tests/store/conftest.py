"""Databases for the tests: a fresh SQLite file, and a PostgreSQL database of their own, both migrated.

The gate runs a test that is marked `both_databases` on both, any other on SQLite alone; `make long` runs the others on
PostgreSQL, too. `tests/store/test_servers_apart.py` sends every store's statements to both in the gate.

KEMS_TEST_POSTGRES_URL names a server on which databases may be made (default: postgres@127.0.0.1:5432). Where none
answers, its tests are skipped; on CI (the variable CI is set) they fail.
"""

import asyncio
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
from sqlalchemy import Connection, Engine, Executable, event, make_url, text

from bot.store.engine.database import COMMAND_S, Database
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.migrate import migrate
from bot.store.schema import Base
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from tests.databases import migrated
from tests.integration.sqlite_in_loop import answer_in_loop

T = TypeVar("T")

SERVER = os.environ.get("KEMS_TEST_POSTGRES_URL", "postgresql+asyncpg://postgres@127.0.0.1:5432/postgres")

# What a test may have left behind: connections, which hold locks, and rows.
CUT_OFF = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
EMPTY = ";".join(
    (
        *(f"DELETE FROM {table.name}" for table in reversed(Base.metadata.sorted_tables)),  # noqa: S608 - our own names
        "SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S'",
    )
)
NO_TABLES = "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT ALL ON SCHEMA public TO public"
SHAPE = """
    SELECT string_agg(concat_ws(' ', relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull), ', '
        ORDER BY relname, attnum) || (SELECT version_num FROM alembic_version)
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND attnum > 0
"""


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[asyncpg.Connection]:
    dsn = make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(dsn, timeout=5)
    try:
        yield connection
    finally:
        await connection.close()


async def on_server(statement: str, address: str = SERVER) -> None:
    async with connected(address) as connection:
        await connection.execute(statement)


async def shape_of(connection: asyncpg.Connection) -> str | None:
    """The columns and indexes of a database, and its revision; None without tables."""
    try:
        shape: str | None = await connection.fetchval(SHAPE)
    except asyncpg.UndefinedTableError:
        return None
    return shape


@contextmanager
def new_database() -> Iterator[str]:
    """The address of a database without tables, which is dropped afterwards."""
    name = f"kems_test_{secrets.token_hex(6)}"
    try:
        asyncio.run(on_server(f"CREATE DATABASE {name}"))
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        reason = f"no PostgreSQL to test with ({type(error).__name__}): set KEMS_TEST_POSTGRES_URL"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    # Tests kill the bot and never the server: what the server has taken need not be on the disk.
    asyncio.run(on_server(f"ALTER DATABASE {name} SET synchronous_commit = off"))
    yield make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    asyncio.run(on_server(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a database that lives as long as the session. It is no test's own."""
    with new_database() as address:
        yield address


@pytest.fixture(scope="session")
def migrated_postgres() -> Iterator[tuple[str, str | None]]:
    """The address of a database that is migrated once, and the shape that it has then."""

    async def migrated_shape(address: str) -> str | None:
        await _migrate(address)
        async with connected(address) as connection:
            return await shape_of(connection)

    with new_database() as address:
        yield address, asyncio.run(migrated_shape(address))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    definition = metafunc.definition
    if "backend" not in metafunc.fixturenames or any(
        "backend" in str(mark.args[0]) for mark in definition.iter_markers("parametrize")
    ):
        return
    more = [] if definition.get_closest_marker("both_databases") else [pytest.mark.long]
    postgres = pytest.param("postgres", marks=[pytest.mark.postgres, *more])
    metafunc.parametrize("backend", ["sqlite", postgres], indirect=True)


@pytest.fixture(autouse=True, scope="module")
def driver() -> Iterator[None]:
    """SQLite answers in the loop; a room or file that is about its driver overrides this."""
    with pytest.MonkeyPatch.context() as patch:
        answer_in_loop(patch)
        yield


@pytest.fixture
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
    asyncio.run(on_server(f"{CUT_OFF};{NO_TABLES}", address))
    return address


@pytest.fixture
def postgres_programs(request: pytest.FixtureRequest) -> None:
    """For tests that copy a database: PostgreSQL's client programs. Not asked for where a test runs on SQLite."""
    is_sqlite = "backend" in request.fixturenames and request.getfixturevalue("backend") == "sqlite"
    if not is_sqlite and shutil.which("pg_dump") is None:
        reason = "no pg_dump to test with: install PostgreSQL's client programs"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture
def address(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a migrated database without rows."""
    if backend == "sqlite":
        return migrated(tmp_path)
    address: str
    address, shape = request.getfixturevalue("migrated_postgres")
    asyncio.run(_empty(address, shape))
    return address


@pytest.fixture
async def database(address: str) -> AsyncIterator[Database]:
    async with opened(address) as database:
        yield database


@pytest.fixture
def tables(database: Database) -> SqlTableStore:
    return SqlTableStore(database)


@pytest.fixture
def log(database: Database) -> SqlJournal:
    return SqlJournal(database)


@pytest.fixture
def seasons(database: Database) -> SqlSeasonStore:
    return SqlSeasonStore(database)


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[Database]:
    async with opened(migrated(tmp_path)) as database:
        yield database


@asynccontextmanager
async def opened(address: str, *, command_s: float = COMMAND_S) -> AsyncIterator[Database]:
    database = Database(address, command_s=command_s)
    try:
        yield database
    finally:
        await database.close()


async def _empty(address: str, shape: str | None) -> None:
    """Leave the tables without rows; make them again where a test has changed them, which takes ten times as long."""
    async with connected(address) as connection:
        await connection.execute(CUT_OFF)
        is_migrated = await shape_of(connection) == shape
        await connection.execute(EMPTY if is_migrated else NO_TABLES)
    if not is_migrated:
        await _migrate(address)


async def _migrate(address: str) -> None:
    async with opened(address) as database:
        await migrate(database)


async def execute(database: Database, *statements: str | Executable, **values: object) -> None:
    async with database.transaction() as session:
        for statement in statements:
            await session.execute(text(statement) if isinstance(statement, str) else statement, values)


async def scalars(database: Database, query: str | Executable) -> list[Any]:
    async with database.transaction() as session:
        return [*await session.scalars(text(query) if isinstance(query, str) else query)]


async def sync(database: Database, work: Callable[[Connection], T]) -> T:
    """What `work` returns, run in a transaction on SQLAlchemy's synchronous connection."""
    async with database.transaction() as session:
        return await (await session.connection()).run_sync(work)


@contextmanager
def recorded_statements(database: Database) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are sent meanwhile, and their parameters; also those that begin transactions."""
    statements: list[tuple[str, Any]] = []
    dialect = database.url.get_backend_name()

    def note(connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if connection.dialect.name == dialect:
            statements.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)
