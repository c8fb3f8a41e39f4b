"""Work runs when it is asked for or due, one run at a time, and again after a failure."""

import asyncio
from dataclasses import dataclass, field

from structlog.testing import capture_logs

from bot.base.background import LruCache, Tasks, retry_until_saved, run_in_batches
from bot.base.errors import StoreError
from bot.base.worker import BROKEN_MS, LONGEST_MS, Worker, Workers
from tests.tables.virtual import EPOCH, LoopClock, in_virtual_time


@dataclass
class Work:
    """Notes when it runs, for a second each; `then` are the results of its runs, in turn."""

    then: list[int | Exception | None] = field(default_factory=list)
    began: list[int] = field(default_factory=list)
    ended: int = 0

    async def __call__(self) -> int | None:
        self.began.append(LoopClock().now() - EPOCH)
        await asyncio.sleep(1)
        self.ended += 1
        result = self.then.pop(0) if self.then else None
        if isinstance(result, Exception):
            raise result
        return None if result is None else EPOCH + result

    def worker(self, *, retry_ms: int = 5_000, first_ms: int = 0) -> Worker:
        return Worker(LoopClock(), "work", self, retry_ms=retry_ms, first_ms=first_ms)


@in_virtual_time
async def test_work_runs_at_the_start_and_again_at_the_instant_that_it_returns() -> None:
    work = Work(then=[10_000, 3_000])
    worker = work.worker()
    worker.wake()
    await asyncio.sleep(2)
    assert work.began == [], "nothing runs before the start"
    worker.start()
    worker.start()
    await asyncio.sleep(100)
    assert work.began == [2_000, 10_000, 11_000], "what is overdue runs at once"
    await worker.stop()


@in_virtual_time
async def test_a_first_run_may_wait() -> None:
    work = Work()
    worker = work.worker(first_ms=4_000)
    worker.start()
    await asyncio.sleep(9)
    assert work.began == [4_000]
    await worker.stop()


@in_virtual_time
async def test_waking_starts_work_at_once_or_once_more_after_the_current_run() -> None:
    work = Work()
    worker = work.worker()
    worker.start()
    await asyncio.sleep(0.5)
    for _ in range(3):
        worker.wake()
    await asyncio.sleep(4.5)
    assert work.began == [0, 1_000]
    worker.wake_at(EPOCH + 60_000)
    worker.wake()
    await asyncio.sleep(100)
    assert work.began == [0, 1_000, 5_000], "it runs in place of the later run"
    worker.wake_at(EPOCH + LONGEST_MS + 200_000)
    await asyncio.sleep(LONGEST_MS / 1000 + 200)
    assert work.began[3:] == [LONGEST_MS + 200_000], "however far away it is"
    await worker.stop()


@in_virtual_time
async def test_work_is_retried_soon_after_a_store_error_and_later_after_a_bug() -> None:
    work = Work(then=[StoreError("no disk"), ValueError("a bug"), None])
    worker = work.worker()
    with capture_logs() as logs:
        worker.start()
        await asyncio.sleep(100)
    assert work.began == [0, 6_000, 7_000 + BROKEN_MS]
    assert [entry["event"] for entry in logs] == ["work.not_saved", "work.failed"]
    await worker.stop()


@in_virtual_time
async def test_a_stop_waits_for_the_run_and_a_later_start_resumes() -> None:
    work = Work(then=[8_000])
    worker = work.worker()
    worker.start()
    await asyncio.sleep(0.5)
    await worker.stop()
    assert (work.ended, LoopClock().now() - EPOCH) == (1, 1_000)
    worker.wake_at(EPOCH + 20_000)
    await asyncio.sleep(99)
    assert work.began == [0]
    worker.start()
    await asyncio.sleep(1)
    assert work.began == [0, 100_000]
    await worker.stop()


@in_virtual_time
async def test_the_work_of_each_id_is_dropped_and_stopped_separately() -> None:
    ran: list[tuple[int, int]] = []

    async def work(number: int) -> None:
        ran.append((number, LoopClock().now() - EPOCH))

    workers = Workers(LoopClock(), "table", work, retry_ms=1, label="table")
    for number in (1, 2, 3, 4):
        workers.wake_at(number, EPOCH + 1_000 * number)
    workers.wake_at(1, None)
    workers.drop(2)
    workers.drop(9)
    await workers.stop([3])
    await asyncio.sleep(10)
    assert ran == [(4, 4_000)]
    workers.wake(2)
    await asyncio.sleep(1)
    assert ran == [(4, 4_000), (2, 10_000)]
    await workers.stop()
    workers.wake(5)
    await asyncio.sleep(1)
    assert len(ran) == 2, "after the end nobody begins"


@in_virtual_time
async def test_a_save_is_retried_until_it_succeeds_and_batches_run_until_none_is_left() -> None:
    tries = [StoreError("no disk"), StoreError("no disk")]

    async def save() -> int:
        if tries:
            raise tries.pop()
        return LoopClock().now() - EPOCH

    with capture_logs() as logs:
        assert await retry_until_saved(save, "table.not_saved", table=7) == 10_000
    assert [(entry["event"], entry["table"]) for entry in logs] == [("table.not_saved", 7)] * 2
    left = [True, True, False, True]

    async def batch() -> bool:
        return left.pop(0)

    await run_in_batches(batch, 2)
    assert (left, LoopClock().now() - EPOCH) == ([True], 14_000)


@in_virtual_time
async def test_tasks_in_the_background_are_awaited_or_cancelled() -> None:
    tasks, done = Tasks(), list[int]()

    async def work(seconds: int) -> None:
        await asyncio.sleep(seconds)
        done.append(seconds)

    for seconds in (3, 1):
        tasks.start(work(seconds))
    await tasks.wait()
    assert done == [1, 3]
    task = tasks.start(work(9))
    tasks.cancel()
    await asyncio.sleep(20)
    assert task.cancelled()
    await tasks.wait()


def test_a_cache_forgets_what_was_set_longest_ago() -> None:
    cache = LruCache[str, int](2)
    for name, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        cache[name] = value
    assert dict(cache) == {"a": 3, "c": 4}
