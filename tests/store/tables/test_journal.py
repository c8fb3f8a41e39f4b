"""The journal: durable, in groups, each append on its own merit."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.base.errors import StoreError
from bot.game.events import HuntOpened, SweepAsked
from bot.store.engine.database import Database, Made
from bot.store.engine.failures import UnavailableError
from bot.store.schema.tables import ResultRow
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from bot.tables.table_store import LogEntry
from tests.store.conftest import execute, opened
from tests.store.matches import PLACE, a_match, lobby

pytestmark = pytest.mark.both_databases


async def new_table(database: Database) -> int:
    return await SqlTableStore(database).create(replace(lobby(), status=Status.PLAYING))


class CountingDatabase(Database):
    """Counts its commits; `held` keeps the first of them waiting."""

    commits = 0
    held: asyncio.Event | None = None

    @asynccontextmanager
    async def transaction(self, **fenced: Any) -> AsyncIterator[AsyncSession]:
        self.commits += 1
        if self.held is not None:
            await self.held.wait()
        async with super().transaction(**fenced) as session:
            yield session

    async def run(self, work: Callable[[Connection], Made], **fenced: Any) -> Made:
        self.commits += 1
        if self.held is not None:
            await self.held.wait()
        return await super().run(work, **fenced)


async def test_another_connection_sees_an_append(address: str) -> None:
    async with opened(address) as first:
        table_id = await new_table(first)
        await SqlJournal(first).append(table_id, 1, (HuntOpened(5), SweepAsked(6, 2)), 77)
    async with opened(address) as second:
        log = SqlJournal(second)
        assert await log.read(table_id, 1) == (LogEntry(1, HuntOpened(5), 77), LogEntry(2, SweepAsked(6, 2)))
        assert await log.read(table_id, 2) == (LogEntry(2, SweepAsked(6, 2)),)
        assert await log.read(table_id, 3) == ()


async def test_appends_of_many_tables_share_a_commit(address: str) -> None:
    database = CountingDatabase(address)
    ids = [await new_table(database) for _ in range(30)]
    log = SqlJournal(database)
    database.commits = 0
    await asyncio.gather(*(log.append(table_id, 1, (HuntOpened(1),), table_id) for table_id in ids))
    assert database.commits == 1
    database.held = asyncio.Event()
    first = asyncio.create_task(log.append(ids[0], 2, (HuntOpened(2),), None))
    await asyncio.sleep(0)
    others = [asyncio.create_task(log.append(table_id, 2, (HuntOpened(2),), None)) for table_id in ids[1:]]
    await asyncio.sleep(0)
    database.held.set()
    await asyncio.gather(first, *others)
    assert database.commits == 3
    await database.close()


async def test_no_writer_task_stays_idle(database: Database, log: SqlJournal) -> None:
    before = len(asyncio.all_tasks())
    await log.append(await new_table(database), 1, (HuntOpened(1),), None)
    await log.close()
    assert len(asyncio.all_tasks()) == before


async def test_one_bad_append_does_not_fail_its_batch(database: Database, log: SqlJournal) -> None:
    good, taken, other = [await new_table(database) for _ in range(3)]
    await log.append(taken, 1, (HuntOpened(1),), 500)
    answers = await asyncio.gather(
        log.append(good, 1, (HuntOpened(1),), 501),
        log.append(taken, 1, (HuntOpened(2),), 502),  # the number is taken
        log.append(other, 1, (HuntOpened(1),), 500),  # the press is taken
        log.append(9999, 1, (HuntOpened(1),), None),  # no such table
        log.append(taken, 2, (HuntOpened(3),), 503),
        return_exceptions=True,
    )
    assert [isinstance(answer, StoreError) for answer in answers] == [False, True, True, True, False]
    assert await log.read(good, 1) == (LogEntry(1, HuntOpened(1), 501),)
    assert await log.read(taken, 1) == (LogEntry(1, HuntOpened(1), 500), LogEntry(2, HuntOpened(3), 503))
    assert await log.read(other, 1) == ()


async def test_an_append_is_atomic(database: Database, log: SqlJournal) -> None:
    table_id = await new_table(database)
    await log.append(table_id, 2, (HuntOpened(2),), None)
    with pytest.raises(StoreError):
        await log.append(table_id, 1, (HuntOpened(1), HuntOpened(2)), None)
    with pytest.raises(StoreError, match=f"The log of table {table_id} has a gap: its event 1 is missing"):
        await log.read(table_id, 1)


async def test_a_cancelled_append_does_not_disturb_the_others(address: str) -> None:
    database = CountingDatabase(address)
    ids = [await new_table(database) for _ in range(3)]
    log = SqlJournal(database)
    database.held = asyncio.Event()
    tasks = [asyncio.create_task(log.append(table_id, 1, (HuntOpened(1),), None)) for table_id in ids]
    await asyncio.sleep(0)
    tasks[0].cancel()
    reading = asyncio.create_task(log.read(ids[0], 1))
    await asyncio.sleep(0)
    assert not reading.done()  # it waits for the append, whose outcome is open
    database.held.set()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(answer) for answer in answers] == [asyncio.CancelledError, type(None), type(None)]
    assert await reading == (LogEntry(1, HuntOpened(1)),)
    await database.close()


async def test_a_database_that_goes_away_fails_all_and_recovers(database: Database, log: SqlJournal) -> None:
    ids = [await new_table(database) for _ in range(3)]
    await execute(database, "ALTER TABLE events RENAME TO gone")
    appends = [log.append(table_id, 1, (HuntOpened(1),), None) for table_id in ids]
    answers = await asyncio.gather(*appends, return_exceptions=True)
    assert all(isinstance(answer, StoreError) for answer in answers)
    await execute(database, "ALTER TABLE gone RENAME TO events")
    await log.append(ids[0], 1, (HuntOpened(1),), None)
    assert len(await log.read(ids[0], 1)) == 1


async def test_an_end_that_cannot_be_counted_fails_its_own_append_alone(database: Database, log: SqlJournal) -> None:
    events, _ = a_match(target=2)
    unreadable, whole, other, empty = [await new_table(database) for _ in range(4)]
    for table_id in (unreadable, whole):
        await log.append(table_id, 1, events[:-1], None)
    await execute(database, "UPDATE events SET body = '?' WHERE table_id = :id AND seq = 3", id=unreadable)
    answers = await asyncio.gather(
        log.append(other, 1, (HuntOpened(1),), None),
        log.append(unreadable, len(events), events[-1:], None),
        log.append(empty, 1, events[-1:], None),  # the end of a match without a round
        log.append(whole, len(events), events[-1:], None),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [type(None), StoreError, StoreError, type(None)]
    assert "cannot be read" in str(answers[1])
    assert await log.read(whole, len(events)) == (LogEntry(len(events), events[-1]),)
    assert await log.read(empty, 1) == ()


async def test_an_unreachable_database_is_not_tried_for_each_append(address: str) -> None:
    database = CountingDatabase(address)
    ids = [await new_table(database) for _ in range(30)]
    log = SqlJournal(database)
    await execute(database, "ALTER TABLE events RENAME TO gone")
    database.commits = 0
    appends = [log.append(table_id, 1, (HuntOpened(1),), None) for table_id in ids]
    answers = await asyncio.gather(*appends, return_exceptions=True)
    assert {type(answer) for answer in answers} == {UnavailableError}
    assert database.commits == 1
    await database.close()


async def test_the_end_of_a_match_is_recorded_after_another_of_the_same_server(database: Database) -> None:
    events, _ = a_match(target=2)
    first, second = [await new_table(database) for _ in range(2)]
    log = SqlJournal(database)
    await log.append(second, 1, events[:-1], None)
    async with database.transaction() as session:
        same = {"guild_id": PLACE.guild_id, "season": 0, "scores": "[]", "games": "[]", "rounds": 0, "ended_at": 1}
        await session.execute(insert(ResultRow).values(table_id=first, number=1, **same))
        end = asyncio.create_task(log.append(second, len(events), events[-1:], None))
        await asyncio.wait({end}, timeout=0.5)
        assert not end.done()
    await end
    async with database.transaction() as session:
        numbers = await session.scalars(select(ResultRow.number).where(ResultRow.table_id == second))
        assert numbers.all() == [2]
