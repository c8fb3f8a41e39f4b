"""Old matches go in small batches, once a day, and nothing that fails keeps the next day from coming."""

import asyncio
from dataclasses import dataclass, field

from structlog.testing import capture_logs

from bot.base.errors import StoreError
from bot.tables.erasure import BATCH, DAILY_MS, FIRST_MS, PAUSE_MS, RetentionJob
from tests.tables.fakes import LoopClock


@dataclass
class Shelf:
    """So many old matches; when somebody asked for some of them, and those that were purged."""

    old: list[int]
    problem: Exception | None = None
    asked: list[float] = field(default_factory=list)
    told: list[int] = field(default_factory=list)

    async def purge(self, at: int, most: int) -> tuple[int, ...]:
        assert at == LoopClock().now()
        self.asked.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.01)
        if self.problem is not None:
            raise self.problem
        gone, self.old = self.old[:most], self.old[most:]
        return tuple(gone)

    async def purged(self, table_id: int) -> None:
        self.told.append(table_id)


async def test_old_logs_are_deleted_in_batches_and_again_the_next_day() -> None:
    shelf = Shelf(list(range(BATCH + 2)))
    keeper = RetentionJob(LoopClock(), shelf, shelf.purged)
    keeper.start()
    keeper.start()
    began = asyncio.get_running_loop().time()
    await asyncio.sleep(FIRST_MS / 1000 - 1)
    assert shelf.asked == []
    await asyncio.sleep(60)
    assert shelf.told == list(range(BATCH + 2))
    steps = [round(at - began) for at in shelf.asked]
    assert steps == [FIRST_MS / 1000, FIRST_MS / 1000 + PAUSE_MS / 1000, FIRST_MS / 1000 + 2 * PAUSE_MS / 1000]
    shelf.old = [9]
    await asyncio.sleep(DAILY_MS / 1000)
    assert shelf.told[-1] == 9
    await keeper.stop()
    asked = len(shelf.asked)
    await asyncio.sleep(2 * DAILY_MS / 1000)
    assert len(shelf.asked) == asked


async def test_a_failed_day_of_retention_is_followed_by_another() -> None:
    async def purged(_table_id: int) -> None:
        raise AssertionError("nothing is purged")

    for problem, event in (
        (StoreError("The disk is full."), "retention.not_saved"),
        (ValueError("a bug"), "retention.failed"),
    ):
        shelf = Shelf([1], problem)
        keeper = RetentionJob(LoopClock(), shelf, purged)
        with capture_logs() as logs:
            keeper.start()
            await asyncio.sleep(FIRST_MS / 1000 + DAILY_MS / 1000 + 10)
        assert [entry["event"] for entry in logs] == [event, event]
        await keeper.stop()


async def test_stopping_waits_for_the_batch_that_is_being_deleted() -> None:
    shelf = Shelf(list(range(2 * BATCH)))
    keeper = RetentionJob(LoopClock(), shelf, shelf.purged)
    keeper.start()
    await asyncio.sleep(FIRST_MS / 1000 + 0.005)
    await keeper.stop()
    assert shelf.told == list(range(BATCH))
