"""A start: one process has a database for itself, and one that cannot be used is told of in one sentence."""

import asyncio
import signal
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from bot.__main__ import main
from bot.base.errors import StoreError
from bot.operating import operations
from bot.store import migrate
from bot.store.engine import cluster
from bot.store.engine.database_file import DatabaseFile
from bot.store.migrate import open_for_bot
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from tests.databases import migrated
from tests.rig.processes import Running
from tests.store.conftest import execute, opened, scalars
from tests.store.matches import a_match, live, lobby
from tests.store.small_disks import updates

pytestmark = pytest.mark.both_databases

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


@pytest.fixture(autouse=True)
def _a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logging_restored: None) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(sys, "argv", ["kems", "run"])


def refusal(address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], status: int = 1) -> str:
    """Why the bot did not start."""
    monkeypatch.setenv("DATABASE_URL", address)
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == status
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said.splitlines()[-1]


@pytest.mark.parametrize("command", ["run", "migrate", "rebuild-standings"])
def test_a_newer_schema_is_refused(
    command: str, address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is changed: the newer version goes on with it."""

    async def make_newer() -> None:
        async with opened(address) as database:
            await execute(database, "UPDATE alembic_version SET version_num = '9999'")

    async def revision() -> str:
        async with opened(address) as database:
            return (await scalars(database, "SELECT version_num FROM alembic_version"))[0]

    asyncio.run(make_newer())
    monkeypatch.setattr(sys, "argv", ["kems", command])
    said = refusal(address, monkeypatch, capsys, status=78)
    assert "has schema 9999, which this version of the bot does not know: a newer version made it" in said
    assert "Install that version again, or `kems restore` the copy that it made before its update" in said
    assert asyncio.run(revision()) == "9999"


FULL = ["kems.db cannot ", "the disk", "full"]
NO_COPY = ["stays as it is, because no copy of it can be made", "cannot be written: the disk of "]
UNCOPIED = ["because no copy of it can be made", "`kems migrate --no-backup` changes them"]


async def test_an_update_on_a_full_disk_changes_nothing(tmp_path: Path) -> None:
    """The copy before it fails, and nothing is changed."""
    cases = [("run", 0, 1, FULL), ("run", 200_000, 78, NO_COPY), ("migrate", 200_000, 78, UNCOPIED)]
    process = await Running.start(updates, tmp_path, TOKEN, [case[:2] for case in cases], is_alone=True)
    for _, _, status, words in cases:
        if (told := await process.heard()) is None:
            pytest.skip("this user may mount no disk")
        code, said = told
        assert code == status, said
        assert all(each in said.splitlines()[-1] for each in words), said
        assert "Traceback" not in said
    assert await process.code() == 0


def test_missing_and_damaged_databases_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kems.db"
    file.write_text("a letter, and a rather long one, but no database at all\n" * 100)
    assert "is not a database file: name another file" in refusal(f"sqlite:///{file}", monkeypatch, capsys)
    file.unlink()
    migrated(tmp_path)
    content = bytearray(file.read_bytes())
    content[100:512] = b"\xff" * 412
    file.write_bytes(content)
    assert "is damaged: restore the last backup" in refusal(f"sqlite:///{file}", monkeypatch, capsys)
    assert file.read_bytes() == content


async def test_a_damaged_page_of_the_log_is_reported(tmp_path: Path) -> None:
    """The file opens, and the tables cannot be brought back: that is told, and nothing is written."""
    file = tmp_path / "kems.db"
    async with opened(migrated(tmp_path)) as database:
        tables = SqlTableStore(database)
        table_id = await tables.create(lobby())
        await tables.record_start(replace(lobby(Status.PLAYING), id=table_id), a_match(target=2)[0][:1])
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(file.read_bytes())
    content[(root - 1) * size : root * size] = b"\xff" * size
    file.write_bytes(content)
    async with opened(f"sqlite:///{file}") as database:
        with pytest.raises(StoreError, match="is damaged: restore the last backup"):
            await live(SqlTableStore(database))


postgres_only = pytest.mark.parametrize("backend", ["postgres"])


@pytest.fixture
def short_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LEASE_S", 2.0)
    monkeypatch.setattr(cluster, "RENEW_S", 0.2)


async def test_a_second_bot_is_refused_and_comes_in_when_the_first_has_left(address: str) -> None:
    async with opened(address) as first, opened(address) as second:
        await first.lock()
        await first.lock()
        with pytest.raises(StoreError, match=r"is used by another bot.*: stop that one, or give this one a database"):
            await second.lock()
        waiting = asyncio.create_task(second.lock(wait_s=60))
        await asyncio.sleep(0.4)
        assert not waiting.done()
        await first.close()
        await waiting
        await SqlTableStore(second).create(lobby())


async def test_the_system_drops_the_lock_of_a_killed_process(tmp_path: Path) -> None:
    file = tmp_path / "kems.db"
    held = f"from bot.store.engine.database_file import *; print(DatabaseFile(Path({str(file)!r}), '').lock()); input()"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", held, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert await process.stdout.readline() == b"True\n"
    lock = DatabaseFile(file, "")
    assert not lock.lock()
    assert lock.owner() == f" (process {process.pid})"
    assert (tmp_path / "kems.db.lock").stat().st_mode & 0o777 == 0o600
    process.send_signal(signal.SIGKILL)
    await process.wait()
    assert lock.lock()
    lock.release()


@postgres_only
@pytest.mark.usefixtures("short_lease")
async def test_a_lease_is_renewed_for_as_long_as_its_bot_lives(address: str) -> None:
    async with opened(address) as first, opened(address) as second:
        await first.lock()
        with pytest.raises(StoreError, match="is used by another bot"):
            await second.lock(wait_s=2.5)
        await SqlTableStore(first).create(lobby())


@postgres_only
async def test_a_new_version_changes_the_tables_once_the_processes_of_the_old_one_have_left(address: str) -> None:
    async with opened(address) as old, opened(address) as new, opened(address) as newer:
        await old.cluster.enter(1)
        await open_for_bot(new, 0)  # it has nothing to change
        await execute(old, "UPDATE alembic_version SET version_num = 'before'")
        known = migrate._known
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(migrate, "_known", lambda: ["before", *known()])
            patch.setattr(migrate, "_upgrade", upgrade)
            with pytest.raises(StoreError, match="is used by another bot: stop that one"):
                await open_for_bot(new, 0)
            starts = [asyncio.create_task(open_for_bot(database, 60)) for database in (new, newer)]
            await asyncio.sleep(0.4)
            assert not any(start.done() for start in starts)
            await old.close()
            await asyncio.gather(*starts)
        for database in (new, newer):
            await database.cluster.enter(1)
        assert await new.cluster.acquire_lease() == 0


def upgrade(connection: Connection) -> None:
    """There is one revision so far, and no step from an earlier one."""
    connection.execute(text("UPDATE alembic_version SET version_num = :head"), {"head": migrate._known()[-1]})


@pytest.mark.parametrize("command", ["run", "migrate", "rebuild-standings"])
def test_commands_that_write_refuse_a_database_in_use(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(operations, "_HANDOVER_S", 0)
    monkeypatch.setattr(sys, "argv", ["kems", command])
    lock = DatabaseFile(tmp_path / "kems.db", "")
    assert lock.lock()
    address = f"sqlite:///{tmp_path / 'kems.db'}" if command == "migrate" else migrated(tmp_path)
    said = refusal(address, monkeypatch, capsys)
    lock.release()
    assert "is used by another bot (process " in said
