"""A database that is locked, read-only, full, frozen, gone or damaged, and a SQLite file that is deleted or replaced.

A player who acts gets a sentence, nothing is lost or answered as done, and the table goes on by itself.
"""

import asyncio
import resource
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from bot.base.errors import StoreError
from bot.discord.api.patience import PATIENCE_S, SlowStoreError, cancel_when_slow
from bot.game.actions import MakeGesture
from bot.game.signs import GestureKind
from bot.store.engine.database import Database
from bot.store.migrate import migrate
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.match.table import Table
from tests.databases import migrated
from tests.store.conftest import execute, opened, scalars
from tests.store.engine.proxy import Proxy
from tests.store.matches import lobby
from tests.store.tables.test_restart import Run
from tests.waiting import until

pytestmark = pytest.mark.both_databases

SLACK_S = 3.0
"""Less than a database that is not given up would take, and enough for a busy machine."""

postgres_only = pytest.mark.parametrize("backend", ["postgres"])


def gesture(name: str) -> MakeGesture:
    return MakeGesture(0, GestureKind.REACT, name)


async def gestures(database: Database, table: Table) -> list[str]:
    """Those in the log."""
    entries = await SqlJournal(database).read(table.id, 1)
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    return [entry.event.text for entry in entries if hasattr(entry.event, "text")]


async def outside(database: Database, statement: str) -> None:
    """Run a statement in no transaction."""
    async with database._pooled(), database.engine.connect() as connection:
        raw = await connection.get_raw_connection()
        await raw.driver_connection.execute(statement)


@asynccontextmanager
async def locked(address: str) -> AsyncIterator[None]:
    """Another program keeps the events to itself."""
    async with opened(address) as other, other.transaction() as session:
        is_sqlite = address.startswith("sqlite")  # there a transaction locks everything
        await session.execute(text("SELECT 1" if is_sqlite else "LOCK TABLE events IN ACCESS EXCLUSIVE MODE"))
        yield


async def test_a_press_is_answered_within_a_second_while_the_database_is_locked(address: str) -> None:
    async with opened(address) as database:
        table = await Run(database).hunting()
        await table.submit(gesture("🍀"))
        async with locked(address):
            presses = [cancel_when_slow(table.submit(gesture(name), press_id=n)) for n, name in enumerate("☕👀🎲", 1)]
            answers = await asyncio.gather(*presses, return_exceptions=True)
            assert [type(answer) for answer in answers] == [SlowStoreError] * 3
            assert PATIENCE_S < 1, "which is when they were told"
            assert table.is_stuck
            asked_at = time.monotonic()
            with pytest.raises(SlowStoreError):  # it begins by reading the log again, which waits for the lock
                await cancel_when_slow(table.submit(gesture("🎯")))
            assert time.monotonic() - asked_at < PATIENCE_S + SLACK_S
        await until(lambda: not table.is_stuck)
        # What was just being saved got through, once; what waited behind it did not.
        assert await gestures(database, table) == ["🍀", "☕"]
        assert [made.text for made in table.table_view().gestures] == ["🍀", "☕"]
        assert await table.submit(gesture("☕"), press_id=1) == ()
        await table.submit(gesture("🎲"), press_id=3)
        assert await gestures(database, table) == ["🍀", "☕", "🎲"]
        await table.close()


async def test_reading_a_log_that_is_locked_is_given_up_in_time(address: str) -> None:
    async with opened(address) as database:
        table = await Run(database).hunting()
        async with locked(address):
            asked_at = time.monotonic()
            with pytest.raises(SlowStoreError):
                await cancel_when_slow(SqlJournal(database).read(table.id, 1))
            assert time.monotonic() - asked_at < PATIENCE_S + SLACK_S
        assert len(await gestures(database, table)) == 0
        await table.close()


async def test_a_read_only_database_is_waited_for(address: str) -> None:
    is_sqlite = address.startswith("sqlite")
    switch = "PRAGMA query_only = {}" if is_sqlite else "SET SESSION CHARACTERISTICS AS TRANSACTION {}"
    async with opened(address) as database:
        table = await Run(database).hunting()
        await outside(database, switch.format("ON" if is_sqlite else "READ ONLY"))
        with pytest.raises(StoreError, match="is read-only: give the bot the right to write"):
            await table.submit(gesture("🍀"), press_id=1)
        assert table.is_stuck
        await outside(database, switch.format("OFF" if is_sqlite else "READ WRITE"))
        await until(lambda: not table.is_stuck)
        await table.submit(gesture("🍀"), press_id=1)
        assert await gestures(database, table) == ["🍀"]
        await table.close()


async def test_a_check_says_that_nothing_can_be_saved(sqlite: Database) -> None:
    await sqlite.check()
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (Path(f"{sqlite.file}-wal").stat().st_size, most[1]))
    try:
        with pytest.raises(StoreError, match="cannot be written: is the disk full"):
            await sqlite.check()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    await sqlite.check()


async def test_a_full_disk_is_waited_for(sqlite: Database) -> None:
    table = await Run(sqlite).hunting()
    (pages,) = await scalars(sqlite, "PRAGMA page_count")
    await execute(sqlite, f"PRAGMA max_page_count = {pages}")
    made: list[str] = []

    async def until_it_fails() -> None:
        while True:
            await table.submit(gesture(str(len(made))), press_id=len(made))
            made.append(str(len(made)))

    with pytest.raises(StoreError, match="cannot grow: the disk is full"):
        await asyncio.wait_for(until_it_fails(), 60)
    assert table.is_stuck
    assert await gestures(sqlite, table) == made
    await execute(sqlite, "PRAGMA max_page_count = 100000")
    await until(lambda: not table.is_stuck)
    await table.submit(gesture("at last"), press_id=len(made))
    assert await gestures(sqlite, table) == [*made, "at last"]
    await table.close()


@postgres_only
async def test_a_database_that_stops_answering_is_waited_for(address: str) -> None:
    async with Proxy.to(address) as proxy, opened(proxy.address) as database:
        table = await Run(database).hunting()
        proxy.freeze()
        with pytest.raises(SlowStoreError):
            await cancel_when_slow(table.submit(gesture("🍀"), press_id=1))
        proxy.thaw()
        await until(lambda: not table.is_stuck)
        assert await table.submit(gesture("🍀"), press_id=1) == ()
        assert await gestures(database, table) == ["🍀"]
        await table.close()


@postgres_only
async def test_silently_dropped_connections_delay_a_table_for_seconds_only(address: str) -> None:
    async with Proxy.to(address) as proxy, opened(proxy.address, command_s=1.5) as database:
        table = await Run(database).hunting()
        async with database.transaction(), database.transaction():
            pass  # two connections in the pool
        proxy.swallow()
        with pytest.raises(SlowStoreError):
            await cancel_when_slow(table.submit(gesture("🍀"), press_id=1))
        await until(lambda: not table.is_stuck, 10)
        await table.submit(gesture("🍀"), press_id=1)
        assert await gestures(database, table) == ["🍀"]
        await table.close()


@postgres_only
async def test_a_database_that_disappears_is_waited_for(address: str) -> None:
    async with Proxy.to(address) as proxy, opened(proxy.address) as database:
        table = await Run(database).hunting()
        await table.submit(gesture("🍀"), press_id=1)
        await proxy.cut()
        for _ in range(2):
            with pytest.raises(StoreError, match="cannot be reached"):
                await table.submit(gesture("☕"), press_id=2)
        assert table.is_stuck
        await proxy.mend()
        await until(lambda: not table.is_stuck)
        await table.submit(gesture("☕"), press_id=2)
        assert await gestures(database, table) == ["🍀", "☕"]
        await table.close()


def test_the_proxy_names_its_own_port() -> None:
    """Or the tests above would not go through it."""
    assert make_url(Proxy("host", 5432, "postgresql://u@host:5432/db", 1).address).port == 1


def names(file: Path) -> list[Path]:
    return [file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm"))]


def delete(file: Path) -> None:
    for each in names(file):
        each.rename(each.with_name(f"away-{each.name}"))


def replace_by_a_copy(file: Path) -> None:
    file.rename(file.with_name(f"away-{file.name}"))
    shutil.copy(file.with_name(f"away-{file.name}"), file)


def delete_the_wal(file: Path) -> None:
    wal = names(file)[1]
    wal.rename(wal.with_name(f"away-{wal.name}"))


def put_back(file: Path) -> None:
    for each in names(file):
        away = each.with_name(f"away-{each.name}")
        if away.exists():
            away.rename(each)


@pytest.mark.parametrize("lose", [delete, replace_by_a_copy, delete_the_wal])
async def test_a_move_is_refused_until_the_file_is_back(
    sqlite: Database, tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    table = await Run(sqlite).hunting()
    await table.submit(gesture("🍀"), press_id=1)
    lose(tmp_path / "kems.db")
    for _ in range(2):
        with pytest.raises(StoreError, match="is gone: its file was deleted or replaced"):
            await table.submit(gesture("☕"), press_id=2)
    with pytest.raises(StoreError, match="is gone"):
        await SqlTableStore(sqlite).create(lobby())
    assert table.is_stuck
    put_back(tmp_path / "kems.db")
    await until(lambda: not table.is_stuck)
    await table.submit(gesture("☕"), press_id=2)
    assert await gestures(sqlite, table) == ["🍀", "☕"]
    await table.close()


async def test_a_new_connection_does_not_recreate_a_lost_file(sqlite: Database, tmp_path: Path) -> None:
    await SqlTableStore(sqlite).create(lobby())
    await sqlite.engine.dispose()
    (tmp_path / "kems.db").unlink()
    with pytest.raises(StoreError, match="is gone"):
        await SqlTableStore(sqlite).create(lobby())
    assert not (tmp_path / "kems.db").exists()


async def test_a_start_beside_a_stray_wal_creates_no_database(tmp_path: Path) -> None:
    file, wal, _ = names(tmp_path / "kems.db")
    migrated(tmp_path)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE something (id INTEGER)")
        kept = wal.read_bytes()
    file.unlink()
    wal.write_bytes(kept)
    async with opened(f"sqlite:///{file}") as database:
        with pytest.raises(StoreError, match=r"is missing, and .*-wal holds changes of it: put the file back"):
            await migrate(database)
    assert not file.exists()
    assert wal.read_bytes() == kept


async def test_only_the_owner_can_read_a_new_database(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database:
        await migrate(database)
        assert [each.stat().st_mode & 0o777 for each in names(tmp_path / "kems.db")] == [0o600] * 3


def test_the_file_of_an_address_is_found(tmp_path: Path) -> None:
    assert Database(f"sqlite:///file:{tmp_path}/kems.db?mode=ro&uri=true").file == tmp_path / "kems.db"
    assert Database("sqlite://").file is None
