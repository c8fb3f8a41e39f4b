"""The pace of edits, in virtual time."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from random import Random

import pytest
import structlog
from aiohttp import ServerDisconnectedError

from bot.errors import StoreError
from bot.ui.messages.coalescer import MOST_RETRIES, Budget, Coalescer
from tests.tables.virtual import in_virtual_time

INTERVAL = 1.25


class Message:
    """Something that is written; remembers when, and what it showed."""

    def __init__(self, *, takes: float = 0.1, budget: Budget | None = None) -> None:
        self.state = 0
        self.takes = takes
        self.written: list[tuple[float, int]] = []
        self.failing = 0
        self.failure: Exception = ServerDisconnectedError()
        self.requests = 1
        self.writers = 0
        self.writer = Coalescer(self._write, interval=INTERVAL, budget=budget or Budget(45))

    async def _write(self) -> int:
        assert self.writers == 0, "two writers at once"
        if self.written and self.written[-1][1] == self.state:
            return 0
        self.writers += 1
        shown = self.state
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(self.takes)
        self.writers -= 1
        if self.failing:
            self.failing -= 1
            raise self.failure
        self.written.append((began, shown))
        return self.requests

    def change(self) -> None:
        self.state += 1
        self.writer.ask()


@in_virtual_time
async def test_a_store_that_fails_is_one_line_of_the_log() -> None:
    message = Message()
    message.failing, message.failure = 1, StoreError("The database is gone.")
    with structlog.testing.capture_logs() as logs:
        message.change()
        await asyncio.sleep(20)
    assert logs == [{"event": "message.not_written", "log_level": "warning", "problem": "The database is gone."}]
    assert message.written[-1][1] == 1


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
    assert all(later - earlier >= INTERVAL - 1e-6 for earlier, later in pairwise(times))
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
    assert [(entry["event"], entry["log_level"]) for entry in logs] == [("message.not_written", "warning")] * 2
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
async def test_no_second_sees_more_requests_than_there_are_slots() -> None:
    """Whenever they are counted between leaving and being answered."""
    budget = Budget(45)
    rng = Random(1)
    counted: list[float] = []

    async def write() -> int:
        there, back = rng.uniform(0, 0.8), rng.uniform(0, 0.1)  # some are stuck for a while, and arrive in a bunch
        await asyncio.sleep(there)
        counted.append(asyncio.get_running_loop().time())
        await asyncio.sleep(back)
        return 1

    writers = [Coalescer(write, interval=0.5, budget=budget) for _ in range(100)]
    for _ in range(200):
        for writer in writers:
            writer.ask()
        await asyncio.sleep(0.05)
    await asyncio.sleep(10)
    assert len(counted) > 250
    for at in counted:
        assert sum(at <= other <= at + 0.999 for other in counted) <= 45


@in_virtual_time
async def test_the_urgent_go_first() -> None:
    budget = Budget(1)
    order: list[str] = []

    async def request(name: str, *, is_urgent: bool) -> None:
        async with budget.slot(is_urgent=is_urgent):
            order.append(name)

    plain = [asyncio.create_task(request(f"panel {n}", is_urgent=False)) for n in range(3)]
    await asyncio.sleep(0.01)
    urgent = [asyncio.create_task(request(f"table {n}", is_urgent=True)) for n in range(2)]
    plain[1].cancel()  # whoever gives up costs nothing
    await asyncio.gather(*plain, *urgent, return_exceptions=True)
    assert order == ["panel 0", "table 0", "table 1", "panel 2"]
    assert asyncio.get_running_loop().time() == pytest.approx(3)


@in_virtual_time
async def test_a_slot_that_is_given_to_somebody_who_gives_up_goes_to_the_next() -> None:
    budget = Budget(1)

    async def request() -> None:
        async with budget.slot():
            pass

    first = asyncio.create_task(request())
    await asyncio.sleep(0.5)
    second, third = asyncio.create_task(request()), asyncio.create_task(request())
    asyncio.get_running_loop().call_at(1.0, second.cancel)  # at the very moment in which the slot becomes free
    await asyncio.gather(first, second, third, return_exceptions=True)
    assert asyncio.get_running_loop().time() < 2.1


@in_virtual_time
async def test_who_finds_nothing_to_write_takes_no_slot_and_two_requests_take_two() -> None:
    budget = Budget(2)
    message = Message(budget=budget)
    message.change()
    await asyncio.sleep(2)
    for _ in range(20):  # nothing has changed since
        message.writer.ask()
        await asyncio.sleep(0.01)
    message.requests = 2
    message.change()
    await asyncio.sleep(0.2)
    began = asyncio.get_running_loop().time()
    async with budget.slot():
        assert 0.8 < asyncio.get_running_loop().time() - began < 1


@in_virtual_time
async def test_the_answer_to_a_press_goes_before_an_edit_that_waits_for_its_turn() -> None:
    budget = Budget(1)
    message = Message(budget=budget)
    async with budget.slot():
        message.change()
    await asyncio.sleep(0.5)
    with message.writer.held():
        message.state = 7  # the answer shows it
        await asyncio.sleep(2)
        assert message.written == []
    await asyncio.sleep(2)
    assert [shown for _, shown in message.written] == [7]
