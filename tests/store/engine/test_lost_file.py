"""A SQLite file that is deleted or replaced while the bot runs: nothing is answered as done that would be lost."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.store.engine.database import Database
from bot.store.engine.migrate import migrate
from bot.store.tables.table_store import SqlTableStore
from tests.databases import migrated
from tests.store.conftest import opened
from tests.store.engine.test_outages import gesture, gestures, until
from tests.store.matches import lobby
from tests.store.tables.test_restart import Run


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
async def test_a_move_is_refused_until_the_file_is_back(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    file = tmp_path / "kems.db"
    async with opened(migrated(tmp_path)) as database:
        table = await Run(database).hunting()
        await table.submit(gesture("🍀"), press_id=1)
        lose(file)
        for _ in range(2):
            with pytest.raises(StoreError, match="is gone: its file was deleted or replaced"):
                await table.submit(gesture("☕"), press_id=2)
        with pytest.raises(StoreError, match="is gone"):
            await SqlTableStore(database).create(lobby())
        assert table.is_stuck
        put_back(file)
        await until(lambda: not table.is_stuck)
        await table.submit(gesture("☕"), press_id=2)
        assert await gestures(database, table) == ["🍀", "☕"]
        await table.close()


async def test_a_lost_file_is_not_made_again_by_a_new_connection(tmp_path: Path) -> None:
    async with opened(migrated(tmp_path)) as database:
        await SqlTableStore(database).create(lobby())
        await database.engine.dispose()
        (tmp_path / "kems.db").unlink()
        with pytest.raises(StoreError, match="is gone"):
            await SqlTableStore(database).create(lobby())
    assert not (tmp_path / "kems.db").exists()


async def test_a_start_beside_a_stray_wal_makes_no_new_database(tmp_path: Path) -> None:
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


async def test_a_new_database_is_for_its_owner_alone(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database:
        await migrate(database)
        assert {each.name: each.stat().st_mode & 0o777 for each in names(tmp_path / "kems.db")} == {
            "kems.db": 0o600,
            "kems.db-wal": 0o600,
            "kems.db-shm": 0o600,
        }


def test_the_file_of_an_address(tmp_path: Path) -> None:
    assert Database(f"sqlite:///file:{tmp_path}/kems.db?mode=ro&uri=true").file == tmp_path / "kems.db"
    assert Database("sqlite://").file is None
