"""The log of a match that is over, as one compressed value: all that read its rows read it, and nothing is lost."""

from random import Random
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.base.errors import StoreError
from bot.game.events import Event
from bot.game.rules.presets import PRESETS
from bot.store.engine.database import Database
from bot.store.privacy import SqlPersonalData
from bot.store.records.history import SqlArchive
from bot.store.records.retention import SqlRetention
from bot.store.schema.codec import StoredEvent, event_rows, pack, unpack
from bot.store.schema.tables import EventRow, LogRow
from bot.store.tables.journal import SqlJournal
from bot.store.tables.log_packing import SqlLogPacking
from bot.store.tables.servers import SqlServerStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.servers.settings import ServerSettings
from bot.tables.table_store import DamagedTable
from tests.game.matches import play_at_random
from tests.store.conftest import execute
from tests.store.dying import dying_at
from tests.store.matches import PLACE
from tests.store.tables.test_results import begun, ended

PRESSED = 2**61 + 3


def stored(events: tuple[Event, ...]) -> list[StoredEvent]:
    rows = event_rows(1, 1, events, PRESSED)
    return [StoredEvent(row["seq"], row["kind"], row["version"], row["body"], row["press_id"]) for row in rows]


@pytest.mark.parametrize("count", [3, pytest.param(1000, marks=pytest.mark.long)])
def test_random_matches_come_back_byte_for_byte(count: int) -> None:
    before, after = 0, 0
    for seed in range(count):
        chance = Random(seed)
        rules = chance.choice(list(PRESETS.values()))
        log = stored(tuple(play_at_random(rules, 4, seed, moves=120)))
        packed = pack(log)
        assert unpack(packed) == log
        before, after = before + sum(len(each.body) for each in log), after + len(packed)
    assert after * 3 < before, "short ones take more"


async def counts(database: Database) -> tuple[int, int]:
    """Rows of events, and packed logs."""
    async with database.reading() as session:
        rows = await session.scalar(select(func.count()).select_from(EventRow))
        logs = await session.scalar(select(func.count()).select_from(LogRow))
        return rows or 0, logs or 0


async def test_a_match_that_is_over_is_read_as_before(database: Database) -> None:
    running, _ = await begun(database)
    over, events = await begun(database)
    await ended(database, over, events)
    journal, tables = SqlJournal(database), SqlTableStore(database)
    archive, people = SqlArchive(database), SqlPersonalData(database)
    person = over.players[0].user_id

    async def told() -> tuple[Any, ...]:
        return (
            await journal.read(over.id, 1),
            await journal.read(over.id, 5),
            await archive.read(over.id),
            await tables.read_table(over.id),
            await people.export(person),
        )

    before = await told()
    assert await SqlLogPacking(database).pack_all() == 1
    assert await counts(database) == (1, 1), "a running match keeps its rows"
    assert await told() == before
    assert [saved.lobby.id async for saved in tables.load_live()] == [running.id, over.id]
    assert await SqlLogPacking(database).pack_all() == 0, "there is nothing left to pack"


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_stop_at_any_step_of_packing_loses_nothing(database: Database, number: int) -> None:
    over, events = await begun(database)
    await ended(database, over, events)
    before = await SqlJournal(database).read(over.id, 1)
    with dying_at(database, number) as seen:
        try:
            await SqlLogPacking(database).pack_all()
        except StoreError:
            assert len(seen) == number
        else:
            assert len(seen) == 2 < number, "the third one never comes"
    assert await SqlJournal(database).read(over.id, 1) == before
    await SqlLogPacking(database).pack_all()
    assert await SqlJournal(database).read(over.id, 1) == before
    assert await counts(database) == (0, 1)


async def test_a_damaged_log_stays_as_it_is(database: Database) -> None:
    over, events = await begun(database)
    await ended(database, over, events)
    await execute(database, "UPDATE events SET body = '{' WHERE seq = 2")
    rows, _ = await counts(database)
    assert await SqlLogPacking(database).pack_all() == 0
    assert await counts(database) == (rows, 0)


async def test_a_damaged_packed_log_is_reported(database: Database) -> None:
    over, events = await begun(database)
    await ended(database, over, events)
    await SqlLogPacking(database).pack_all()
    await execute(database, "UPDATE logs SET packed_events = :packed", packed=b"no log")
    with pytest.raises(StoreError, match=f"Table {over.id} cannot be read: its packed log is damaged"):
        await SqlJournal(database).read(over.id, 1)
    assert isinstance(await SqlTableStore(database).read_table(over.id), DamagedTable)


async def test_a_packed_log_is_deleted_by_the_retention_like_rows(database: Database) -> None:
    over, events = await begun(database)
    await ended(database, over, events)
    await SqlLogPacking(database).pack_all()
    settings = ServerSettings(retention_days=30, retained_until=0)
    await SqlServerStore(database).change(PLACE.guild_id, lambda _: settings)
    assert await SqlRetention(database).purge(events[-1].at + 10**11, 10) == (over.id,)
    assert await counts(database) == (0, 0)
