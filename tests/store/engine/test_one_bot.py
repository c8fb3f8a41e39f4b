"""A database that one process has for itself: a SQLite file, and any database while a command changes it."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from bot import cli, operations
from bot.errors import StoreError
from bot.store.engine import cluster, migrate
from bot.store.engine.database_file import DatabaseFile
from bot.store.engine.migrate import open_for_bot
from bot.store.tables.table_store import SqlTableStore
from tests.databases import migrated
from tests.store.conftest import opened
from tests.store.matches import lobby

postgres_only = pytest.mark.parametrize("backend", ["postgres"])


@pytest.fixture
def short_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "LEASE_S", 0.6)
    monkeypatch.setattr(cluster, "RENEW_S", 0.2)


async def test_a_second_bot_is_refused_and_comes_in_when_the_first_has_left(address: str) -> None:
    async with opened(address) as first, opened(address) as second:
        await first.take()
        await first.take()
        with pytest.raises(StoreError, match=r"is used by another bot.*: stop that one, or give this one a database"):
            await second.take()
        waiting = asyncio.create_task(second.take(wait_s=5))
        await asyncio.sleep(0.4)
        assert not waiting.done()
        await first.close()
        await waiting
        await SqlTableStore(second).create(lobby())


async def test_the_system_drops_the_lock_of_a_killed_process(tmp_path: Path) -> None:
    file = tmp_path / "kems.db"
    held = f"from bot.store.engine.database_file import *; print(DatabaseFile(Path({str(file)!r}), '').take()); input()"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", held, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"True\n"
    lock = DatabaseFile(file, "")
    assert not lock.take()
    assert lock.holder() == f" (process {process.pid})"
    assert (tmp_path / "kems.db.lock").stat().st_mode & 0o777 == 0o600
    process.send_signal(signal.SIGKILL)
    await process.wait()
    assert lock.take()
    lock.release()


@postgres_only
@pytest.mark.usefixtures("short_lease")
async def test_a_lease_is_renewed_for_as_long_as_its_bot_lives(address: str) -> None:
    async with opened(address) as first, opened(address) as second:
        await first.take()
        with pytest.raises(StoreError, match="is used by another bot"):
            await second.take(wait_s=1.5)
        await SqlTableStore(first).create(lobby())


@postgres_only
async def test_a_new_version_changes_the_tables_once_the_processes_of_the_old_one_have_left(address: str) -> None:
    async with opened(address) as old, opened(address) as new, opened(address) as newer:
        await old.cluster.enter(1)
        await open_for_bot(new, 0)  # it has nothing to change
        async with old.transaction() as session:
            await session.execute(text("UPDATE alembic_version SET version_num = 'before'"))
        known = migrate._known
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(migrate, "_known", lambda: ["before", *known()])
            patch.setattr(migrate, "_upgrade", upgrade)
            with pytest.raises(StoreError, match="is used by another bot: stop that one"):
                await open_for_bot(new, 0)
            starts = [asyncio.create_task(open_for_bot(database, 10)) for database in (new, newer)]
            await asyncio.sleep(0.4)
            assert not any(start.done() for start in starts)
            await old.close()
            await asyncio.gather(*starts)
        for database in (new, newer):
            await database.cluster.enter(1)
        assert await new.cluster.claim() == 0


def upgrade(connection: Connection, _where: str) -> tuple[str, str]:
    """There is one revision so far, and no step from an earlier one."""
    connection.execute(text("UPDATE alembic_version SET version_num = :head"), {"head": migrate._known()[-1]})
    return "before", migrate._known()[-1]


@pytest.mark.parametrize("command", ["run", "migrate", "rebuild-standings"])
@pytest.mark.usefixtures("logging_restored")
def test_commands_that_write_refuse_a_database_in_use(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", migrated(tmp_path))
    monkeypatch.setenv("DISCORD_TOKEN", "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB")
    monkeypatch.setattr(operations, "_HANDOVER_S", 0)
    monkeypatch.setattr(sys, "argv", ["kems", command])
    lock = DatabaseFile(tmp_path / "kems.db", "")
    assert lock.take()
    try:
        with pytest.raises(SystemExit) as caught:
            cli.main()
    finally:
        lock.release()
    assert caught.value.code == 1
    assert "is used by another bot (process " in capsys.readouterr().err
