"""Copies of the database while the bot writes to it, and a backup in its place: whole, of one moment, never half."""

import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy import make_url

from bot.base.errors import StoreError
from bot.base.settings import Settings
from bot.operating import operations
from bot.operating.doctor import examine
from bot.store.backup import add_backup, back_up, restore
from bot.store.engine.database import Database
from bot.store.tables.table_store import SqlTableStore
from tests.databases import migrated
from tests.store.conftest import execute, opened, scalars
from tests.store.engine.test_outages import gesture, gestures
from tests.store.matches import lobby
from tests.store.tables.appender import killed_while_appending
from tests.store.tables.test_restart import Run

pytestmark = pytest.mark.both_databases


async def test_a_copy_while_somebody_writes_has_what_was_saved_before(sqlite: Database, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    kept = await SqlTableStore(sqlite).create(lobby())
    async with sqlite.transaction() as session:
        await session.connection()  # BEGIN IMMEDIATE: the bot is in the middle of something
        assert await back_up(sqlite, copy) == copy.stat().st_size > 0
    saved = await SqlTableStore(sqlite).load(kept)
    async with opened(f"sqlite:///{copy}") as restored:
        assert await SqlTableStore(restored).load(kept) == saved
    assert list(tmp_path.glob("*.part")) == []
    assert copy.stat().st_mode & 0o777 == 0o600


async def test_only_the_newest_dated_copies_are_kept_and_nothing_else_is_touched(
    sqlite: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    others = ["kems-20250101-000000.txt", "kems-backup.db", "kems-20250101.db"]
    for name in (*others, "kems-20250101-000000.db", "kems-20250102-000000.dump", "kems-20250103-000000.db"):
        (folder / name).touch()
    file, size, deleted = await add_backup(sqlite, folder, 2)
    assert (size, deleted) == (file.stat().st_size, 2)
    assert {each.name for each in folder.iterdir()} == {*others, "kems-20250103-000000.db", file.name}
    file, _, _ = await add_backup(sqlite, tmp_path / "new", 1)
    assert ([*(tmp_path / "new").iterdir()], (tmp_path / "new").stat().st_mode & 0o777) == ([file], 0o700)
    for no_folder in (file, tmp_path / "missing" / "copies"):
        with pytest.raises(StoreError, match=r"cannot be a folder of copies: .*\. Name another one"):
            await add_backup(sqlite, no_folder, 1)


async def test_pg_dump_is_asked_for_when_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    async with opened("postgresql://kems@127.0.0.1:9/kems") as database:
        with pytest.raises(StoreError, match="pg_dump is not installed: install"):
            await back_up(database, tmp_path / "copy.dump")


async def test_an_existing_file_is_never_overwritten(sqlite: Database, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(StoreError, match="exists already: name another file"):
        await back_up(sqlite, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "precious"


async def test_a_too_long_file_name_is_reported_in_a_sentence(sqlite: Database, tmp_path: Path) -> None:
    """A copy is written under a name that is longer still."""
    for name in ("n" * 300, "n" * 252):
        with pytest.raises(StoreError, match=r"cannot be written: File name too long\. Choose a shorter name\.$"):
            await back_up(sqlite, tmp_path / name)
    with pytest.raises(StoreError, match=r"There is no file .*: name a backup"):
        await restore(sqlite, tmp_path / ("n" * 300))
    assert not list(tmp_path.glob("n*"))


async def test_a_missing_source_or_folder_is_reported_in_a_sentence(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database:
        with pytest.raises(StoreError, match=r"There is no database .* to back up: has the bot run here\?"):
            await back_up(database, tmp_path / "copy.db")
        with closing(sqlite3.connect(tmp_path / "kems.db")) as connection:
            connection.execute("CREATE TABLE something (id INTEGER)")
        with pytest.raises(StoreError, match=r"cannot be written: No such file or directory\. Name a folder"):
            await back_up(database, tmp_path / "nowhere" / "copy.db")


async def test_a_full_disk_is_reported_with_the_folder_of_the_copy(
    sqlite: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    monkeypatch.setattr(sqlite3, "connect", Mock(side_effect=full))
    target = tmp_path / "small" / "copy.db"
    target.parent.mkdir()
    with pytest.raises(StoreError) as refused:
        await back_up(sqlite, target)
    assert str(refused.value) == f"{target} cannot be written: the disk of {target.parent} is full."
    assert not [*target.parent.iterdir()]


async def test_a_damaged_database_is_not_copied(tmp_path: Path) -> None:
    file = tmp_path / "kems.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE something (id INTEGER, body TEXT)")
        connection.executemany("INSERT INTO something VALUES (?, ?)", [(n, "x" * 900) for n in range(200)])
        connection.commit()
    damage(file)
    async with opened(f"sqlite:///{file}") as database:
        with pytest.raises(StoreError, match="is damaged"):
            await back_up(database, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


def damage(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\xff" * 8192 + whole[16384:])


@pytest.mark.durable
@pytest.mark.parametrize(
    "backend", ["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.long])], indirect=True
)
@pytest.mark.usefixtures("postgres_programs")
async def test_a_copy_restores_every_row_after_a_loss(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Write, back up, write, kill, restore, examine, play on."""
    monkeypatch.chdir(tmp_path)  # where PostgreSQL's copies go
    copy, settings = tmp_path / "copy", Settings(_env_file=None, database_url=address)
    async with opened(address) as database:
        await database.lock()
        run = Run(database)
        table = await run.hunting()
        await table.submit(gesture("🍀"), press_id=1)
        await operations.back_up(settings, copy)
        assert copy.stat().st_mode & 0o777 == 0o600
        await table.submit(gesture("☕"), press_id=2)
        await run.directory.close()
    await killed_while_appending(address, 400)
    if address.startswith("sqlite"):
        assert (tmp_path / "kems.db-wal").stat().st_size > 400_000
    said = await operations.restore(settings, copy)
    (kept,) = tmp_path.glob("kems-before-restore-*")
    assert said.endswith(f"What it held before is in {kept}. Run `kems doctor`, then start the bot.")
    findings = [finding.sentence async for finding in examine(settings)]
    assert "All open tables can be continued (1)." in findings
    async with opened(address) as database:
        await database.lock()
        directory = Run(database, run.clock).directory
        await directory.restore()
        again = directory.table(table.id)
        assert await gestures(database, again) == ["🍀"]
        await directory.resume()
        await again.submit(gesture("🎲"), press_id=3)
        assert await gestures(database, again) == ["🍀", "🎲"]
        await directory.close()
    assert {file.suffix for file in tmp_path.iterdir()} <= {"", ".db", ".dump", ".lock"}


@pytest.mark.usefixtures("postgres_programs")
async def test_a_restore_is_refused_while_a_bot_uses_the_database(address: str, tmp_path: Path) -> None:
    async with opened(address) as running, opened(address) as other:
        await running.lock()
        await Run(running).hunting()
        await back_up(running, tmp_path / "copy")
        with pytest.raises(StoreError, match=r"is used by (another|a) bot"):
            await restore(other, tmp_path / "copy")
        assert await scalars(running, "SELECT count(*) FROM tables") == [1]


@pytest.mark.usefixtures("postgres_programs")
async def test_a_file_that_is_no_backup_is_refused_and_changes_nothing(address: str, tmp_path: Path) -> None:
    kind = "db" if address.startswith("sqlite") else "dump"
    (tmp_path / "letter").write_text("a letter, and a rather long one, but no database at all\n" * 100)
    async with opened(address) as database:
        await Run(database).hunting()
        for copy, problem in (
            ("letter", "is damaged|cannot be read as a whole backup"),
            ("nothing", "There is no file"),
        ):
            with pytest.raises(StoreError, match=problem):
                await restore(database, tmp_path / copy)
        await back_up(database, tmp_path / f"whole.{kind}")
        await execute(database, "UPDATE alembic_version SET version_num = '9999'")
        await back_up(database, tmp_path / f"newer.{kind}")
        await execute(database, "DROP TABLE alembic_version")
        await back_up(database, tmp_path / f"other.{kind}")
        with pytest.raises(StoreError, match="has schema 9999, which this version"):
            await restore(database, tmp_path / f"newer.{kind}")
        with pytest.raises(StoreError, match="is not a backup of this bot"):
            await restore(database, tmp_path / f"other.{kind}")
        assert await scalars(database, "SELECT count(*) FROM tables") == [1]


@pytest.mark.usefixtures("postgres_programs")
async def test_a_copy_that_is_cut_short_is_refused_before_anything_changes(address: str, tmp_path: Path) -> None:
    async with opened(address) as database:
        await Run(database).hunting()
        await back_up(database, tmp_path / "copy")
        whole = (tmp_path / "copy").read_bytes()
        (tmp_path / "copy").write_bytes(whole[: len(whole) * 9 // 10])
        with pytest.raises(StoreError, match="take an older"):
            await restore(database, tmp_path / "copy")
        assert await scalars(database, "SELECT count(*) FROM tables") == [1]


@pytest.mark.usefixtures("postgres_programs")
async def test_a_copy_of_the_other_kind_of_database_is_refused_with_the_way_to_move(
    address: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    is_sqlite = address.startswith("sqlite")
    copy.write_bytes(b"PGDMP" + bytes(95) if is_sqlite else b"SQLite format 3\0" + bytes(84))
    async with opened(address) as database:
        with pytest.raises(
            StoreError, match="is a copy of a PostgreSQL" if is_sqlite else "is a copy of an SQLite"
        ) as no:
            await restore(database, copy)
    assert "kems copy-db" in str(no.value)


async def test_a_damaged_file_and_a_file_with_a_wal_are_refused(sqlite: Database, tmp_path: Path) -> None:
    await Run(sqlite).hunting()
    await back_up(sqlite, tmp_path / "copy.db")
    damage(tmp_path / "copy.db")
    for ending in ("", "-wal"):
        shutil.copy(tmp_path / f"kems.db{ending}", tmp_path / f"by-hand.db{ending}")
    for file, problem in (("copy", "damaged"), ("by-hand", "has a -wal beside it"), ("kems", "is the database itself")):
        with pytest.raises(StoreError, match=problem):
            await restore(sqlite, tmp_path / f"{file}.db")
    assert await scalars(sqlite, "SELECT count(*) FROM tables") == [1]


@pytest.mark.usefixtures("postgres_programs")
async def test_the_data_that_a_restore_replaces_can_be_restored(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(address) as database:
        await back_up(database, tmp_path / "empty")
        await SqlTableStore(database).create(lobby())
        assert await restore(database, tmp_path / "empty", keeps_copy=False) is None
    async with opened(address) as database:
        assert await scalars(database, "SELECT count(*) FROM tables") == [0]
        await SqlTableStore(database).create(lobby())
    async with opened(address) as database:
        kept = await restore(database, tmp_path / "empty")
    assert kept is not None
    async with opened(address) as database:
        await restore(database, kept, keeps_copy=False)
    async with opened(address) as database:  # the other one's process is not in what was put back
        assert await scalars(database, "SELECT count(*) FROM tables") == [1]


async def test_a_damaged_database_is_copied_as_it_is_before_it_is_replaced(tmp_path: Path) -> None:
    address = migrated(tmp_path)
    async with opened(address) as database:
        await back_up(database, tmp_path / "copy.db")
    damage(tmp_path / "kems.db")
    damaged = (tmp_path / "kems.db").read_bytes()
    async with opened(address) as database:
        kept = await restore(database, tmp_path / "copy.db")
        assert await scalars(database, "SELECT count(*) FROM tables") == [0]
    assert kept is not None
    assert kept.read_bytes() == damaged


async def test_nothing_is_replaced_when_it_cannot_be_copied_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> int:
        raise StoreError("The disk is full.")

    def fail_too(*_: object) -> None:
        raise OSError

    async with opened(migrated(tmp_path)) as database:
        await back_up(database, tmp_path / "copy.db")
        await SqlTableStore(database).create(lobby())
        monkeypatch.setattr("bot.store.backup.back_up", fail)
        monkeypatch.setattr(shutil, "copy2", fail_too)
        with pytest.raises(StoreError, match=r"stays as it is.* The disk is full\. `kems restore --no-backup`"):
            await restore(database, tmp_path / "copy.db")
        assert await scalars(database, "SELECT count(*) FROM tables") == [1]


async def test_a_restore_works_in_an_empty_folder(tmp_path: Path) -> None:
    async with opened(migrated(tmp_path)) as database:
        await back_up(database, tmp_path / "copy.db")
    (tmp_path / "new").mkdir()
    async with opened(f"sqlite:///{tmp_path}/new/kems.db") as database:
        await restore(database, tmp_path / "copy.db")
        assert await scalars(database, "SELECT count(*) FROM tables") == [0]
    assert (tmp_path / "new" / "kems.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.postgres
@pytest.mark.usefixtures("postgres_programs")
@pytest.mark.parametrize(
    ("work", "said"),
    [(back_up, "could not be copied: .*kems_unknown"), (restore, "cannot be read as a whole backup of Postgre")],
)
async def test_an_error_of_a_program_is_reported_without_the_password(
    work: Callable[[Database, Path], Awaitable[object]], said: str, postgres: str, tmp_path: Path
) -> None:
    unknown = make_url(postgres).set(database="kems_unknown", password="hunter2")
    if work is restore:
        (tmp_path / "copy.dump").write_bytes(b"PGDMP")
    async with opened(unknown.render_as_string(hide_password=False)) as database:
        with pytest.raises(StoreError, match=said) as caught:
            await work(database, tmp_path / "copy.dump")
    assert "hunter2" not in str(caught.value)
    assert work is restore or list(tmp_path.iterdir()) == []
