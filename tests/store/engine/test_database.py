"""The connection: its settings, and its errors as sentences without secrets."""

import asyncio
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url, text

from bot.errors import StoreError
from bot.store.engine import database as database_module
from bot.store.engine.database import Database
from bot.store.engine.migrate import migrate
from bot.store.tables.table_store import SqlTableStore
from tests.store.conftest import opened
from tests.store.matches import lobby


async def complaint(address: str) -> str:
    async with opened(address) as database:
        with pytest.raises(StoreError) as caught:
            await migrate(database)
    return str(caught.value)


@pytest.mark.durable
async def test_sqlite_is_durable_and_strict(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database, database.transaction() as session:
        pragmas = {
            name: await session.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}


@pytest.mark.parametrize("address", ["", "kems.db", "mysql://user:secret@host/name", "postgresql://u:secret@h:port/n"])
def test_no_address(address: str) -> None:
    with pytest.raises(StoreError, match="write sqlite:///") as caught:
        Database(address)
    assert "secret" not in str(caught.value)


async def test_a_connection_that_is_given_up_while_it_opens_has_ended_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    begun, connect = threading.Event(), sqlite3.connect

    def slowly(*args: Any, **options: Any) -> sqlite3.Connection:
        begun.set()
        time.sleep(0.3)
        return connect(*args, **options)

    monkeypatch.setattr(sqlite3, "connect", slowly)
    async with opened(f"sqlite:///{folder}/kems.db") as database:
        reading = asyncio.create_task(migrate(database))
        assert await asyncio.to_thread(begun.wait, 10)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
    for path in folder.iterdir():
        path.unlink()
    await asyncio.sleep(0.5)
    assert list(folder.iterdir()) == [], "nobody opens a file there any more"


async def test_a_place_where_no_database_can_be(tmp_path: Path) -> None:
    assert "for the database is missing: make it" in await complaint(f"sqlite:///{tmp_path}/nowhere/kems.db")
    (tmp_path / "kems.db").write_text("a letter, and a rather long one, but no database at all\n" * 100)
    assert "is not a database file" in await complaint(f"sqlite:///{tmp_path}/kems.db")


async def test_a_read_only_file(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "kems.db")) as connection:
        connection.execute("CREATE TABLE something (id INTEGER)")
    assert "is read-only" in await complaint(f"sqlite:///file:{tmp_path}/kems.db?mode=ro&uri=true")


async def test_a_database_that_only_reads(address: str) -> None:
    is_sqlite = address.startswith("sqlite")
    async with opened(address) as database:
        async with database.transaction() as session:
            query = "PRAGMA query_only = ON" if is_sqlite else "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"
            await session.execute(text(query))
        with pytest.raises(StoreError, match="is read-only: give the bot the right to write"):
            await SqlTableStore(database).create(lobby())


async def test_in_use_by_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "_PRAGMAS", ("busy_timeout=50",))
    other = sqlite3.connect(tmp_path / "kems.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert "is in use by another program" in await complaint(f"sqlite:///{tmp_path}/kems.db")
    other.close()


async def test_not_migrated(empty_address: str) -> None:
    async with opened(empty_address) as database:
        with pytest.raises(StoreError, match="has no tables yet: run `kems migrate`"):
            await SqlTableStore(database).create(lobby())


async def test_nobody_answers_and_no_secret_is_told() -> None:
    said = await complaint("postgresql://kems:hunter2@127.0.0.1:9/kems?password=hunter3")
    assert said == (
        "The database postgresql+asyncpg://kems:***@127.0.0.1:9/kems cannot be reached: "
        "is it running, and is the address right?"
    )


@pytest.mark.postgres
async def test_an_unknown_database_or_user(postgres: str) -> None:
    unknown = make_url(postgres).set(database="kems_unknown").render_as_string(hide_password=False)
    assert "does not know this database or user" in await complaint(unknown)


async def test_a_closed_database_stays_closed(address: str) -> None:
    """What is under way ends first; whatever comes later opens no new connection."""
    database = Database(address)
    is_in, may_end = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with database.transaction() as session:
            is_in.set()
            await may_end.wait()
            await session.execute(text("SELECT 1"))

    writing = asyncio.create_task(write())
    await is_in.wait()
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    with pytest.raises(StoreError, match="is closed already: the bot is stopping"):
        await SqlTableStore(database).load(1)
    assert not closing.done()
    may_end.set()
    await asyncio.gather(writing, closing)
    assert database.engine.pool.checkedin() == 0  # type: ignore[attr-defined]  # both pools count what they keep
    with pytest.raises(StoreError, match="is closed already"):
        await SqlTableStore(database).load(1)
