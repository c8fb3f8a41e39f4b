"""The short form of the test of faults; `make crash` has two hundred."""

from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import update

from bot.store.migrate import migrate
from bot.store.schema.tables import TableRow
from bot.store.tables.table_store import SqlTableStore
from tests.rig.evidence import postgres_database
from tests.rig.faults import UNCOVERED, faults, watch
from tests.store.conftest import execute, opened
from tests.store.matches import lobby


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
async def test_matches_go_on_after_a_fault_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    tally = await faults(tmp_path, count=1, seed=3, patience=3)
    print(tally)
    assert tally.acknowledged > 5
    assert tally.comings > 1


@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
async def test_a_write_without_a_lease_is_detected() -> None:
    async with (
        postgres_database() as dsn,
        opened(f"{dsn}?application_name=first") as database,
        asyncpg.create_pool(dsn, min_size=1, max_size=1) as sql,
    ):
        await migrate(database)
        await watch(sql)
        await database.cluster.enter(1)
        await database.cluster.acquire_lease()
        tables, opening = SqlTableStore(database), lobby()
        table_id = await tables.create(opening)
        await tables.save(replace(opening, id=table_id, locale="en"))
        assert await sql.fetchval("SELECT count(*) FROM seen_writes") > 1
        assert not await sql.fetch(UNCOVERED)
        await execute(database, update(TableRow).values(locale="fr"))
        assert [(row["what"], row["owner"], row["is_held"]) for row in await sql.fetch(UNCOVERED)] == [
            ("tables", "first", False)
        ]
