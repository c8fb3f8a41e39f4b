"""A process that loses its lease for a moment takes it again, and every match goes on by itself."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from tests.rig.evidence import read_postgres
from tests.rig.players import one_in_each_channel, playing
from tests.rig.rig import running
from tests.store.conftest import _migrate


@pytest.fixture
def migrated_copy(postgres: str) -> str:
    asyncio.run(_migrate(postgres))
    return postgres


async def test_all_matches_go_on_after_short_losses_of_the_lease(tmp_path: Path, migrated_copy: str) -> None:
    people = [f"P{number}" for number in range(8)]
    dsn = migrated_copy.replace("+asyncpg", "")
    async with running(
        tmp_path, people, guilds=2, auto_open=2, auto_next=2, sign_deadline=10, database_url=migrated_copy
    ) as rig:
        await rig.start()
        groups = await one_in_each_channel(rig.remote)
        connection = await asyncpg.connect(dsn)
        await connection.execute("DELETE FROM processes")
        await connection.close()
        await rig.remote.until(lambda: bool(rig.logged("shards.rejoined")), "that it joins again", 30)
        before = await read_postgres(dsn)
        async with playing(groups, (0.05, 0.3)), asyncio.timeout(60):
            while any(
                len(table.log) < len(before[number].log) + 4 for number, table in (await read_postgres(dsn)).items()
            ):
                await asyncio.sleep(0.2)
