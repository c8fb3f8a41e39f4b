"""What was acknowledged is there after the worst: a killed process, a cut connection."""

import asyncio
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.errors import StoreError
from bot.game.events import HuntOpened
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from tests.store.conftest import opened
from tests.store.matches import lobby

ROOT = Path(__file__).parents[3]


def killed_while_appending(address: str, acknowledged: int) -> tuple[int, int]:
    """Kill an appending process: its table, and the last number it acknowledged."""
    command = [sys.executable, "-m", "tests.store.tables.appender", address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        words = next(line for line in process.stdout if line.startswith("table")).split()
        for line in process.stdout:
            if int(line) >= acknowledged:
                break
        process.kill()
        last = [int(line) for line in process.stdout if line.endswith("\n")]
    return int(words[1]), max(last, default=acknowledged)


async def test_a_killed_process_loses_nothing_it_acknowledged(address: str) -> None:
    for _ in range(3):
        table_id, acknowledged = await asyncio.to_thread(killed_while_appending, address, 40)
        async with opened(address) as database:
            entries = await SqlJournal(database).read(table_id, 1)
        assert len(entries) in (acknowledged, acknowledged + 1)  # the last one may be durable and unacknowledged
        assert entries[-1].event == HuntOpened(len(entries))


@pytest.mark.postgres
@pytest.mark.parametrize("backend", ["postgres"])
async def test_a_cut_connection_costs_one_append_at_most(address: str) -> None:
    async with opened(address) as database:
        table_id = await SqlTableStore(database).create(replace(lobby(), status=Status.PLAYING))
        log = SqlJournal(database)
        async with opened(address) as other, other.transaction() as session:
            await session.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
        try:
            await log.append(table_id, 1, (HuntOpened(1),), None)
        except StoreError:
            await log.append(table_id, 1, (HuntOpened(1),), None)
        assert len(await log.read(table_id, 1)) == 1
