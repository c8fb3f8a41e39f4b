"""The drill: a copy is made while two processes play on PostgreSQL, and restored elsewhere; the matches go on there."""

import asyncio
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.rig.evidence import postgres_database, read_postgres
from tests.rig.players import playing
from tests.rig.rig import running
from tests.rig.several import PAUSE, SETTINGS, SIZE, SeveralProcesses

SHARDS = 2
PATIENCE = 6.0
ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
@pytest.mark.skipif(shutil.which("pg_dump") is None, reason="pg_dump is not installed")
async def test_a_copy_made_while_two_processes_play_is_restored_elsewhere_and_played_on(tmp_path: Path) -> None:
    people = [f"P{number:02}" for number in range(SHARDS * SIZE)]
    copy = tmp_path / "copy.dump"
    async with (
        postgres_database() as dsn,
        postgres_database() as elsewhere,
        running(tmp_path, people, guilds=SHARDS, shards=SHARDS, database_url=dsn, **SETTINGS) as rig,
    ):
        several = SeveralProcesses(rig, dsn, 5, PATIENCE, SHARDS)
        await several.begin()
        async with playing(several.groups, PAUSE) as players:
            await several.play(players)
            several.accounts.collect()  # what was acknowledged before the copy was begun
            await kems(dsn, "backup", str(copy))
            await several.play(players)
        lost = sum(len(table.log) for table in (await read_postgres(dsn)).values())
        for bot in several.bots:
            await bot.kill()

        await kems(elsewhere, "restore", str(copy))
        restored = await read_postgres(elsewhere)
        several.accounts.settle(restored)
        assert several.accounts.acknowledged.total() > 10
        assert 0 < sum(len(table.log) for table in restored.values()) < lost, "they played on after the copy"
        for table in restored.values():
            if table.log:
                table.state()

        several.dsn = elsewhere
        several.bots = [rig.another(name, database_url=elsewhere) for name in ("third", "fourth")]
        for bot in several.bots:
            await bot.launch()
        await several.shared()
        async with playing(several.groups, PAUSE):
            await several.all_go_on(SHARDS)


async def kems(dsn: str, *words: str) -> None:
    environment = {**os.environ, "DATABASE_URL": dsn, "PYTHONPATH": str(ROOT)}
    command = (sys.executable, "-m", "bot", *words)
    process = await asyncio.create_subprocess_exec(
        *command, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(60 * PATIENCE):
        said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
