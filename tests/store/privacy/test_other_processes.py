"""A process that erases somebody waits for the others, and for no process that is gone."""

import asyncio

import pytest
from sqlalchemy import select, text

from bot.errors import StoreError
from bot.store.engine.database import Database
from bot.store.privacy.other_processes import SqlOtherProcesses
from bot.store.schema.processes import ErasureRow
from tests.store.conftest import opened
from tests.store.engine.test_cluster import processes, stand_still

SOMEBODY = 1 << 60
on_postgres = pytest.mark.parametrize("backend", ["postgres"])


async def rows(database: Database) -> list[int]:
    async with database.transaction() as session:
        return [*await session.scalars(select(ErasureRow.user_id))]


async def test_a_process_that_serves_everything_asks_nobody(address: str) -> None:
    async with opened(address) as database:
        await database.cluster.enter(1)
        others = SqlOtherProcesses(database)
        assert not await others.ask(SOMEBODY)
        assert not await others.answers(SOMEBODY)


@on_postgres
async def test_a_process_learns_with_its_heartbeat_and_its_answer_is_awaited(address: str) -> None:
    async with processes(address) as [(asking, first), (asked, second)]:
        await first.claim()
        await second.claim()
        others = SqlOtherProcesses(asking)
        assert await others.ask(SOMEBODY)
        answers = asyncio.ensure_future(others.answers(SOMEBODY))
        await first._renew()
        await second._renew()
        assert (first.asked_to_let_go, second.asked_to_let_go) == ((), [SOMEBODY])
        assert not answers.done()
        await SqlOtherProcesses(asked).answer(SOMEBODY, [3, 5])
        assert await answers == {3, 5}
        await second._renew()
        assert second.asked_to_let_go == ()
        assert await rows(asking) == []


@on_postgres
async def test_a_process_without_a_shard_is_not_asked(address: str) -> None:
    async with processes(address) as [(asking, first), (_, second)]:
        await first.claim()
        assert not await SqlOtherProcesses(asking).ask(SOMEBODY)
        await second._renew()
        assert second.asked_to_let_go == ()


@on_postgres
async def test_a_process_that_dies_owes_no_answer(address: str) -> None:
    async with processes(address) as [(asking, first), (_, second)]:
        await first.claim()
        await second.claim()
        others = SqlOtherProcesses(asking)
        assert await others.ask(SOMEBODY)
        answers = asyncio.ensure_future(others.answers(SOMEBODY))
        await stand_still(second)
        await first._renew()  # it removes the processes that have expired
        assert await answers == set()
        assert not await others.ask(SOMEBODY)


@on_postgres
async def test_a_process_that_does_not_answer_lets_nothing_be_erased(address: str) -> None:
    async with processes(address) as [(asking, first), (_, second)]:
        await first.claim()
        await second.claim()
        others = SqlOtherProcesses(asking, answer_s=0.3)
        await others.ask(SOMEBODY)
        with pytest.raises(StoreError, match="does not answer"):
            await others.answers(SOMEBODY)
        assert await rows(asking) == [], "nobody is asked for a person who was not erased"
        async with asking.transaction() as session:
            assert await session.scalar(text("SELECT count(*) FROM processes")) == 2
