"""What a press leaves behind in the tasks and timers that it began."""

import asyncio
import gc
from weakref import ref

from bot.discord.api.patience import answer_deadline, cancel_when_slow
from bot.discord.rate_limits.throttling import Coalescer, RequestPermit
from tests.tables.virtual import in_virtual_time


class Response:
    """Stands for what an interaction holds."""

    def is_done(self) -> bool:
        return False


@in_virtual_time
async def test_a_timer_started_by_a_press_does_not_keep_the_press_in_memory() -> None:
    response = Response()
    with answer_deadline(response.is_done):
        timer = asyncio.get_running_loop().call_later(3600, int)
    held = ref(response)
    del response
    gc.collect()
    assert held() is None
    timer.cancel()


@in_virtual_time
async def test_a_task_that_outlives_its_press_has_its_own_time_limit() -> None:
    async def later() -> str:
        await asyncio.sleep(5)
        return await cancel_when_slow(asyncio.sleep(0.5, "done"))

    with answer_deadline(Response().is_done):
        task = asyncio.create_task(later())
    assert await task == "done"


@in_virtual_time
async def test_a_writer_does_not_keep_finished_tasks_in_memory() -> None:
    written: list[ref[asyncio.Task[object]]] = []

    async def write(_: RequestPermit) -> None:
        task = asyncio.current_task()
        assert task is not None
        written.append(ref(task))

    writer = Coalescer(write, interval=lambda _is_urgent: 1.0)
    writer.request_update()
    await asyncio.sleep(5)
    gc.collect()
    assert [task() for task in written] == [None]
