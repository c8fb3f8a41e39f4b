"""`/readyz` says why a bot cannot be played with, and `kems_ready` is what the alert reads.

`tests/rig/test_status.py` asks a bot that is connected, and one whose token is refused.
"""

import asyncio
import re
import resource
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial
from pathlib import Path

import aiohttp
import pytest

from bot.base.errors import StoreError
from bot.base.settings import Settings
from bot.compose import build_client
from bot.discord.gateway.client import KemsClient
from bot.operating.status import WAITING, problem_of, serving, state_of
from bot.store.engine.database import Database
from bot.tables.directory import TableDirectory
from bot.tables.table_store import ServerFilter
from tests.databases import migrated


class Asked:
    """A bot that is not connected to Discord, and a supervisor that asks it."""

    def __init__(self, client: KemsClient, database: Database, port: int) -> None:
        self.client, self.database = client, database
        self._address = f"http://127.0.0.1:{port}"

    async def ready(self) -> tuple[int, str, float]:
        """The answer of /readyz, and the gauge of /metrics."""
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{self._address}/readyz") as answer:
                status, said = answer.status, (await answer.text()).strip()
            async with session.get(f"{self._address}/metrics") as answer:
                gauge = re.search(r"^kems_ready (\S+)$", await answer.text(), re.MULTILINE)
        return status, said, float(gauge[1])


@pytest.fixture
async def asked(tmp_path: Path) -> AsyncIterator[Asked]:
    database = Database(migrated(tmp_path))
    client = build_client(Settings(_env_file=None, database_url=str(database.url)), database=database)
    async with serving("127.0.0.1:0", partial(state_of, client), partial(problem_of, client, database)) as port:
        yield Asked(client, database, port)
    await database.close()


async def test_a_bot_that_waits_for_a_shard_is_not_ready_and_not_broken(asked: Asked) -> None:
    assert await asked.ready() == (503, WAITING, 1)


async def test_a_bot_that_has_a_shard_is_not_ready_before_it_is_connected(asked: Asked) -> None:
    await asked.client.keeper.start(1)
    assert await asked.ready() == (503, "Not connected to Discord: shards 0.", 0)


async def test_a_bot_is_not_ready_when_the_tables_of_a_shard_cannot_be_read(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def load(_directory: TableDirectory, _servers: ServerFilter) -> None:
        raise StoreError("The database kems.db is damaged: restore the last backup.")

    monkeypatch.setattr(TableDirectory, "restore", load)
    await asked.client.keeper.start(1)
    assert await asked.ready() == (503, "The database kems.db is damaged: restore the last backup.", 0)


async def test_a_bot_is_not_ready_when_nothing_can_be_saved(asked: Asked) -> None:
    await asked.database.check()
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (Path(f"{asked.database.file}-wal").stat().st_size, most[1]))
    try:
        status, said, gauge = await asked.ready()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert (status, gauge) == (503, 0)
    assert said.endswith("kems.db cannot be written: is the disk full, or failing?")


async def test_a_locked_database_is_reported_within_a_second(asked: Asked) -> None:
    await asked.database.check()
    with closing(sqlite3.connect(asked.database.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        status, said, gauge = await asked.ready()
        assert time.monotonic() - began < 4  # two answers on a machine that does other work
        assert (status, gauge) == (503, 0)
        assert said.endswith("has not answered for a second: does another program hold it?")
        other.execute("ROLLBACK")
    async with asyncio.timeout(10):
        await asked.database.check()


async def test_a_bot_is_not_ready_when_its_database_is_gone(asked: Asked) -> None:
    await asked.database.check()
    asked.database.file.unlink()
    status, said, gauge = await asked.ready()
    assert (status, gauge) == (503, 0)
    assert "is gone: its file was deleted or replaced" in said
