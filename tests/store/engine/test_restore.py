"""A backup in the database's place: nothing of what was there before gets into it, and the matches of it go on."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from bot import operations
from bot.doctor import examine
from bot.errors import StoreError
from bot.settings import Settings
from bot.store.backup import back_up, restore
from tests.databases import migrated
from tests.store.conftest import opened
from tests.store.engine.test_outages import gesture, gestures
from tests.store.tables.test_durability import killed_while_appending
from tests.store.tables.test_restart import Run


def settings_for(address: str) -> Settings:
    return Settings(_env_file=None, database_url=address)


@pytest.mark.durable
@pytest.mark.usefixtures("postgres_programs")
async def test_the_drill(address: str, tmp_path: Path) -> None:
    """Write, back up, write, kill, restore, examine, play on."""
    copy, settings = tmp_path / "copy", settings_for(address)
    async with opened(address) as database:
        await database.take()
        run = Run(database)
        table = await run.hunting()
        await table.submit(gesture("🍀"), press_id=1)
        await operations.back_up(settings, copy)
        await table.submit(gesture("☕"), press_id=2)
        await run.directory.close()
    await asyncio.to_thread(killed_while_appending, address, 400)
    if address.startswith("sqlite"):
        assert (tmp_path / "kems.db-wal").stat().st_size > 400_000
    said = await operations.restore(settings, copy)
    assert said.endswith("Run `kems doctor`, then start the bot.")
    findings = [finding.sentence async for finding in examine(settings)]
    assert "All 1 open tables can be continued." in findings
    async with opened(address) as database:
        await database.take()
        directory = Run(database, run.clock).directory
        await directory.restore()
        again = directory.table(table.id)
        assert again is not None
        assert await gestures(database, again) == ["🍀"]
        await directory.release()
        await again.submit(gesture("🎲"), press_id=3)
        assert await gestures(database, again) == ["🍀", "🎲"]
        await directory.close()
    assert {file.suffix for file in tmp_path.iterdir()} <= {"", ".db", ".lock"}


@pytest.mark.usefixtures("postgres_programs")
async def test_it_refuses_while_a_bot_uses_the_database(address: str, tmp_path: Path) -> None:
    async with opened(address) as running, opened(address) as other:
        await running.take()
        await Run(running).hunting()
        await back_up(running, tmp_path / "copy")
        with pytest.raises(StoreError, match=r"is used by (another|a) bot"):
            await restore(other, tmp_path / "copy")
        async with running.transaction() as session:
            assert await session.scalar(text("SELECT count(*) FROM tables")) == 1


@pytest.mark.usefixtures("postgres_programs")
async def test_what_is_no_backup_changes_nothing(address: str, tmp_path: Path) -> None:
    kind = "db" if address.startswith("sqlite") else "dump"
    (tmp_path / "letter").write_text("a letter, and a rather long one, but no database at all\n" * 100)
    async with opened(address) as database:
        await Run(database).hunting()
        for copy, problem in (("letter", "is not a database file|cannot be read"), ("nothing", "There is no file")):
            with pytest.raises(StoreError, match=problem):
                await restore(database, tmp_path / copy)
        await back_up(database, tmp_path / f"whole.{kind}")
        async with database.transaction() as session:
            await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await back_up(database, tmp_path / f"newer.{kind}")
        async with database.transaction() as session:
            await session.execute(text("DROP TABLE alembic_version"))
        await back_up(database, tmp_path / f"other.{kind}")
        with pytest.raises(StoreError, match="has schema 9999, which this version"):
            await restore(database, tmp_path / f"newer.{kind}")
        with pytest.raises(StoreError, match="is not a backup of this bot"):
            await restore(database, tmp_path / f"other.{kind}")
        async with database.transaction() as session:
            assert await session.scalar(text("SELECT count(*) FROM tables")) == 1


async def test_a_damaged_file_and_a_file_with_a_wal_are_refused(tmp_path: Path) -> None:
    address = migrated(tmp_path)
    async with opened(address) as database:
        await Run(database).hunting()
        await back_up(database, tmp_path / "copy.db")
        whole = (tmp_path / "copy.db").read_bytes()
        (tmp_path / "copy.db").write_bytes(whole[:8192] + b"\xff" * 8192 + whole[16384:])
        with pytest.raises(StoreError, match="is damaged"):
            await restore(database, tmp_path / "copy.db")
        shutil.copy(tmp_path / "kems.db", tmp_path / "by-hand.db")
        shutil.copy(tmp_path / "kems.db-wal", tmp_path / "by-hand.db-wal")
        with pytest.raises(StoreError, match="has a -wal beside it"):
            await restore(database, tmp_path / "by-hand.db")
        with pytest.raises(StoreError, match="is the database itself"):
            await restore(database, tmp_path / "kems.db")
    with closing(sqlite3.connect(tmp_path / "kems.db")) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (1,)


async def test_a_restore_into_an_empty_folder(tmp_path: Path) -> None:
    async with opened(migrated(tmp_path)) as database:
        await back_up(database, tmp_path / "copy.db")
    (tmp_path / "new").mkdir()
    async with opened(f"sqlite:///{tmp_path}/new/kems.db") as database:
        await restore(database, tmp_path / "copy.db")
        async with database.transaction() as session:
            assert await session.scalar(text("SELECT count(*) FROM tables")) == 0
    assert (tmp_path / "new" / "kems.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.postgres
@pytest.mark.usefixtures("postgres_programs")
async def test_what_pg_restore_says_is_told_without_the_password(postgres: str, tmp_path: Path) -> None:
    unknown = make_url(postgres).set(database="kems_unknown", password="hunter2")
    (tmp_path / "copy.dump").write_bytes(b"PGDMP")
    async with opened(unknown.render_as_string(hide_password=False)) as database:
        with pytest.raises(StoreError, match="cannot be read as a backup of PostgreSQL") as caught:
            await restore(database, tmp_path / "copy.dump")
    assert "hunter2" not in str(caught.value)
