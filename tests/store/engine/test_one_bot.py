"""Two bots on one database: the second waits or refuses, and one that was taken over saves nothing more."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from bot import cli, operations
from bot.errors import StoreError
from bot.game.events import HuntOpened
from bot.store.engine import lease
from bot.store.engine.database import Database
from bot.store.engine.file_lock import FileLock
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from tests.databases import migrated
from tests.store.conftest import opened
from tests.store.matches import lobby

postgres_only = pytest.mark.parametrize("backend", ["postgres"])


@pytest.fixture
def short_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "LEASE_S", 0.6)
    monkeypatch.setattr(lease, "RENEW_S", 0.2)


async def expire(database: Database) -> None:
    """What time does to the lease of a bot that is cut off."""
    assert database._lease is not None
    renewing = database._lease._renewing
    assert renewing is not None
    renewing.cancel()
    async with database.engine.begin() as connection:
        await connection.execute(text("UPDATE leases SET expires_at = 0"))


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
    file = tmp_path / "kems.db.lock"
    held = f"from bot.store.engine.file_lock import *; print(FileLock(Path({str(file)!r})).take()); input()"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", held, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"True\n"
    lock = FileLock(file)
    assert not lock.take()
    assert lock.holder() == f" (process {process.pid})"
    assert file.stat().st_mode & 0o777 == 0o600
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
async def test_a_bot_that_was_taken_over_saves_nothing_more(address: str) -> None:
    async with opened(address) as first, opened(address) as second:
        await first.take()
        table_id = await SqlTableStore(first).create(lobby())
        await SqlJournal(first).append(table_id, 1, (HuntOpened(1),), None)
        await expire(first)
        await second.take()
        for _ in range(2):
            with pytest.raises(StoreError, match=r"Another bot has taken the database .* over"):
                await SqlJournal(first).append(table_id, 2, (HuntOpened(2),), None)
        with pytest.raises(StoreError, match="Another bot has taken"):
            await SqlTableStore(first).create(lobby())
        with pytest.raises(StoreError, match="Another bot has taken"):
            await first.wait_until_taken_over()
        await SqlTableStore(second).create(lobby())
        async with second.transaction() as session:
            assert (await session.execute(text("SELECT epoch FROM leases"))).all() == [(2,)]
            assert await session.scalar(text("SELECT count(*) FROM events")) == 1


@postgres_only
async def test_nobody_takes_over_between_the_check_and_the_commit_of_an_append(address: str) -> None:
    async with opened(address) as first, opened(address) as second:
        await first.take()
        async with first.transaction(fenced=True):
            await expire(first)
            taking = asyncio.create_task(second.take())
            await asyncio.sleep(0.3)
            assert not taking.done()
        await taking


@postgres_only
@pytest.mark.usefixtures("short_lease")
async def test_a_bot_without_traffic_notices_that_it_was_taken_over_and_ends(address: str) -> None:
    async with opened(address) as first, opened(address) as second:
        await first.take()
        async with second.engine.begin() as connection:
            await connection.execute(text("UPDATE leases SET expires_at = 0"))
        await second.take()
        has_ended = asyncio.Event()

        async def play() -> None:
            try:
                await asyncio.sleep(30)
            finally:
                has_ended.set()

        with pytest.raises(StoreError, match="Another bot has taken"):
            await asyncio.wait_for(operations._unless_taken_over(play(), first), 5)
        assert has_ended.is_set()


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
    lock = FileLock(tmp_path / "kems.db.lock")
    assert lock.take()
    try:
        with pytest.raises(SystemExit) as caught:
            cli.main()
    finally:
        lock.release()
    assert caught.value.code == 1
    assert "is used by another bot (process " in capsys.readouterr().err
