"""The pace of edits, in virtual time."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import structlog

from bot.ui.coalesce import MOST_RETRIES, Budget, Coalescer
from tests.live.virtual import LoopClock, in_virtual_time

INTERVAL = 1.25


class Message:
    """Something that is written; remembers when, and what it showed."""

    def __init__(self, *, takes: float = 0.1) -> None:
        self.state = 0
        self.takes = takes
        self.written: list[tuple[float, int]] = []
        self.failing = 0
        self.writers = 0
        self.writer = Coalescer(self._write, interval=INTERVAL)

    async def _write(self) -> bool:
        assert self.writers == 0, "two writers at once"
        if self.written and self.written[-1][1] == self.state:
            return False
        self.writers += 1
        shown = self.state
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(self.takes)
        self.writers -= 1
        if self.failing:
            self.failing -= 1
            raise OSError("connection reset")
        self.written.append((began, shown))
        return True

    def change(self) -> None:
        self.state += 1
        self.writer.ask()


@in_virtual_time
async def test_the_first_change_is_shown_at_once_and_the_last_one_always() -> None:
    message = Message()
    for _ in range(50):
        message.change()
        await asyncio.sleep(0.05)
    await asyncio.sleep(5)
    times = [at for at, _ in message.written]
    assert times[0] == 0.0
    assert message.written[-1][1] == 50
    assert all(later - earlier >= INTERVAL for earlier, later in pairwise(times))
    assert len(times) == 3


@in_virtual_time
async def test_nothing_to_write_costs_no_rest() -> None:
    message = Message()
    message.change()
    await asyncio.sleep(5)
    message.writer.ask()
    await asyncio.sleep(0.01)
    message.change()
    await asyncio.sleep(0.2)
    assert [shown for _, shown in message.written] == [1, 2]


@in_virtual_time
async def test_nothing_is_written_while_a_press_is_answered() -> None:
    message = Message()
    with message.writer.held():
        message.change()
        with message.writer.held():
            message.change()
        await asyncio.sleep(3)
        assert message.written == []
    await asyncio.sleep(0.2)
    assert [shown for _, shown in message.written] == [2]


@in_virtual_time
async def test_a_failed_write_is_logged_and_tried_again_ever_later() -> None:
    message = Message()
    message.failing = 2
    with structlog.testing.capture_logs() as logs:
        message.change()
        await asyncio.sleep(60)
    assert [entry["event"] for entry in logs] == ["message.not_written"] * 2
    assert [shown for _, shown in message.written] == [1]
    assert message.written[0][0] > INTERVAL * (4 + 16)


@in_virtual_time
async def test_a_message_that_cannot_be_written_is_left_alone_until_the_next_change() -> None:
    message = Message()
    message.failing = 1 + MOST_RETRIES
    with structlog.testing.capture_logs() as logs:
        message.change()
        await asyncio.sleep(3600)
    assert len(logs) == 1 + MOST_RETRIES
    assert message.written == []
    message.change()
    await asyncio.sleep(1)
    assert [shown for _, shown in message.written] == [2]


@in_virtual_time
async def test_after_closing_nothing_is_written() -> None:
    message = Message()
    message.change()
    await asyncio.sleep(0.5)
    message.change()
    message.writer.close()
    message.change()
    await asyncio.sleep(10)
    assert [shown for _, shown in message.written] == [1]


@in_virtual_time
async def test_all_writers_share_one_budget() -> None:
    budget = Budget(45, LoopClock().now)
    times: list[float] = []

    async def write() -> bool:
        times.append(asyncio.get_running_loop().time())
        return True

    writers = [Coalescer(write, interval=INTERVAL, budget=budget) for _ in range(200)]
    for writer in writers:
        writer.ask()
    await asyncio.sleep(10)
    assert len(times) == 200
    assert sum(at < 0.001 for at in times) == 45
    for at in times:
        assert sum(at <= other < at + 1 for other in times) <= 91  # a full bucket, and what refills meanwhile
    assert 3.3 < max(times) < 3.6
