"""Pages and upkeep are found by indexes in an archive of any size, and all on a person in parts."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.ladder.columns import MATCH_BOARDS
from bot.store.engine.database import Database
from bot.store.privacy import SqlPersonalData
from bot.store.tables.table_store import SqlTableStore
from bot.tables.table_store import DamagedTable
from tests.bench.archive import build
from tests.bench.ladder import _ORDERS, measured, plans
from tests.store.conftest import opened, recorded_statements
from tests.store.counted_matches import Match, play_all
from tests.store.privacy.test_personal_data import ANA, a_past


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "archive.db"
    build(path, 600)
    return path


@pytest.fixture
def path(built: Path, tmp_path: Path) -> Path:
    """The file of an archive of 600 matches."""
    return Path(shutil.copy(built, tmp_path))


async def test_a_start_reads_no_finished_table_whose_end_is_shown(path: Path) -> None:
    async with opened(f"sqlite:///{path}") as database:
        async with database.transaction() as session:
            await session.execute(text("UPDATE tables SET is_message_final = id != 300"))
        with recorded_statements(database) as statements:
            read = [table async for table in SqlTableStore(database).load_live()]
    assert [table.id for table in read if isinstance(table, DamagedTable)] == [300], "the archive has no logs"
    assert len(read) == 1
    listing, values = next(each for each in statements if "FROM tables" in each[0])
    with closing(sqlite3.connect(path)) as plain:
        plan = [row[3] for row in plain.execute(f"EXPLAIN QUERY PLAN {listing}", values)]
    assert sum("(status=? AND is_message_final=?)" in line for line in plan) == 2
    assert sum("(status=?)" in line for line in plan) == 1, "those that are open or played"


async def test_reading_in_parts_gives_the_same_rows(database: Database) -> None:
    await a_past(database)
    await play_all(database, [Match((1, 2, 3, 4), at=day) for day in range(1, 8)])
    for user_id in (ANA.user_id, 2):
        with recorded_statements(database) as at_once:
            whole = await SqlPersonalData(database).export(user_id)
        with recorded_statements(database) as in_parts:
            assert await SqlPersonalData(database, batch_size=2).export(user_id) == whole
        assert len(in_parts) > len(at_once) + len(whole["matches"]) // 2


QUERIES = 3 * len(_ORDERS) + 9


def test_pages_and_upkeep_find_their_rows_by_an_index(path: Path) -> None:
    timings = measured(path, rounds=1)
    assert len(timings) == QUERIES
    found = [plans(path, timing) for timing in timings.values()]
    assert all(found)
    told = "\n".join(line for lines in found for line in lines)
    assert told.count("SEARCH") >= 60
    assert not re.search(r"SCAN (?!anon_\d|pending_erasures|\(subquery)", told), "a whole table is read"
    for index in (
        *(f"ix_board_{board}" for board in MATCH_BOARDS),
        "ix_plays_guild_id",
        "ix_results_guild_id",
        "ix_board_fresh",
    ):
        assert index in told
