"""The pace of edits, in virtual time."""

import asyncio
from itertools import pairwise

import pytest
import structlog
from aiohttp import ServerDisconnectedError

from bot.base.errors import StoreError
from bot.discord.api.components import Layout, layout, text
from bot.discord.rate_limits.throttling import (
    MOST_RETRIES,
    Coalescer,
    LastSent,
    RateLimitWindow,
    RequestPermit,
    Urgency,
)
from tests.tables.virtual import in_virtual_time

INTERVAL = 1.25
URGENT_INTERVAL = 0.5


class Message:
    """Something that is written; remembers when, and what it showed."""

    def __init__(self, *, takes: float = 0.1, budget: RateLimitWindow | None = None) -> None:
        self.state = 0
        self.takes = takes
        self.written: list[tuple[float, int]] = []
        self.failing = 0
        self.failure: Exception = ServerDisconnectedError()
        self.requests = 1
        self.writers = 0
        shared = budget or RateLimitWindow(45)
        self.writer = Coalescer(
            self._write,
            interval=lambda is_urgent: URGENT_INTERVAL if is_urgent else INTERVAL,
            permit=lambda: RequestPermit(shared),
        )

    async def _write(self, permit: RequestPermit) -> None:
        assert self.writers == 0, "two writers at once"
        if self.written and self.written[-1][1] == self.state:
            return
        self.writers += 1
        for _ in range(self.requests):
            permit.record_sent()
        shown = self.state
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(self.takes)
        self.writers -= 1
        if self.failing:
            self.failing -= 1
            raise self.failure
        self.written.append((began, shown))

    def change(self) -> None:
        self.state += 1
        self.writer.request_update()


@in_virtual_time
async def test_a_failing_store_is_logged_in_one_line() -> None:
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
async def test_no_pause_follows_when_there_is_nothing_to_write() -> None:
    message = Message()
    message.change()
    await asyncio.sleep(5)
    message.writer.request_update()
    await asyncio.sleep(0.01)
    message.change()
    await asyncio.sleep(0.2)
    assert [shown for _, shown in message.written] == [1, 2]


def test_no_timer_runs_while_nothing_is_requested() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    @in_virtual_time
    async def change_and_wait() -> None:
        loop = asyncio.get_running_loop()
        loops.append(loop)
        Message(takes=0.1, budget=RateLimitWindow(0)).change()
        await loop.create_future()

    with pytest.raises(RuntimeError, match="no timer is set"):
        change_and_wait()
    assert loops[0].time() == 0.1, "the end of the write, not that of the rest"


@in_virtual_time
async def test_no_edit_is_sent_while_a_press_is_being_answered() -> None:
    message = Message()
    with message.writer.hold():
        message.change()
        with message.writer.hold():
            message.change()
        await asyncio.sleep(3)
        assert message.written == []
    await asyncio.sleep(0.2)
    assert [shown for _, shown in message.written] == [2]


@in_virtual_time
async def test_repeated_presses_do_not_delay_a_message_for_ever() -> None:
    message = Message()

    async def press() -> None:
        with message.writer.hold(1.0):
            await asyncio.sleep(0.3)

    async def hammer() -> None:
        while True:
            presses.add(asyncio.create_task(press()))
            await asyncio.sleep(0.1)

    presses: set[asyncio.Task[None]] = set()
    hammering = asyncio.create_task(hammer())
    await asyncio.sleep(0.5)
    message.change()
    began = asyncio.get_running_loop().time()
    await asyncio.sleep(5)
    hammering.cancel()
    assert [shown for _, shown in message.written] == [1]
    assert 0.9 < message.written[0][0] - began < 1.4


@in_virtual_time
async def test_a_failed_write_is_logged_and_retried_with_growing_delays() -> None:
    message = Message()
    message.failing = 2
    with structlog.testing.capture_logs() as logs:
        message.change()
        await asyncio.sleep(60)
    assert [(entry["event"], entry["log_level"]) for entry in logs] == [("message.not_written", "warning")] * 2
    assert [shown for _, shown in message.written] == [1]
    assert message.written[0][0] > INTERVAL * (4 + 16)


@in_virtual_time
async def test_a_message_that_cannot_be_edited_is_left_alone_until_its_next_change() -> None:
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
async def test_a_write_follows_at_once_when_the_cause_of_a_failure_is_gone() -> None:
    message = Message()
    message.failing = 2
    with structlog.testing.capture_logs():
        message.change()
        await asyncio.sleep(10)  # a third try would follow 20 s after the second
        message.writer.recover()
        await asyncio.sleep(1)
    assert [shown for _, shown in message.written] == [1]
    assert message.written[0][0] == pytest.approx(10, abs=0.1)


@in_virtual_time
async def test_an_ordinary_pause_is_not_shortened_when_a_failure_is_over() -> None:
    message = Message()
    message.change()
    await asyncio.sleep(0.5)
    message.change()
    message.writer.recover()
    await asyncio.sleep(5)
    assert message.written[1][0] - message.written[0][0] >= INTERVAL


@in_virtual_time
async def test_a_stopped_writer_writes_nothing() -> None:
    message = Message()
    message.change()
    await asyncio.sleep(0.5)
    message.change()
    message.writer.close()
    message.change()
    await asyncio.sleep(10)
    assert [shown for _, shown in message.written] == [1]


async def _changed(message: Message) -> None:
    message.change()
    await asyncio.sleep(0)


def test_a_loop_that_ends_leaves_no_writer_behind() -> None:
    """Its end cancels the write, while another one is wanted."""
    message = Message(takes=60)
    with asyncio.Runner() as runner:
        runner.run(_changed(message))
        runner.run(_changed(message))
        assert len(asyncio.all_tasks(runner.get_loop())) == 1
    assert message.writer._task is None
    assert message.writer._rest is None


@in_virtual_time
async def test_a_writer_without_a_change_acquires_no_slot_and_two_requests_acquire_two() -> None:
    budget = RateLimitWindow(2)
    message = Message(budget=budget)
    message.change()
    await asyncio.sleep(2)
    for _ in range(20):  # nothing has changed since
        message.writer.request_update()
        await asyncio.sleep(0.01)
    message.requests = 2
    message.change()
    await asyncio.sleep(0.2)
    began = asyncio.get_running_loop().time()
    async with RequestPermit(budget):
        assert 0.7 < asyncio.get_running_loop().time() - began < 1


@in_virtual_time
async def test_the_answer_to_a_press_goes_before_an_edit_that_waits_for_its_turn() -> None:
    budget = RateLimitWindow(1)
    message = Message(budget=budget)
    async with RequestPermit(budget) as permit:
        permit.record_sent()
        message.change()
    await asyncio.sleep(0.5)
    with message.writer.hold():
        message.state = 7  # the answer shows it
        await asyncio.sleep(2)
        assert message.written == []
    await asyncio.sleep(2)
    assert [shown for _, shown in message.written] == [7]


@in_virtual_time
async def test_an_urgent_change_shortens_the_pause_between_edits() -> None:
    message = Message()
    message.change()
    await asyncio.sleep(0.2)
    message.change()
    message.writer.request_update(Urgency.RESULT)
    await asyncio.sleep(5)
    message.change()
    await asyncio.sleep(5)
    assert [at for at, _ in message.written] == [0.0, URGENT_INTERVAL, 5.2]
    message.change()
    message.change()
    await asyncio.sleep(5)
    assert message.written[-1][0] - message.written[-2][0] >= INTERVAL, "urgency ends with the write"


@in_virtual_time
async def test_an_urgent_change_does_not_shorten_the_pause_after_a_failure() -> None:
    message = Message()
    message.failing = 1
    with structlog.testing.capture_logs():
        message.change()
        await asyncio.sleep(0.2)
        message.writer.request_update(Urgency.RESULT)
        await asyncio.sleep(20)
    assert message.written[0][0] >= INTERVAL * 4


@in_virtual_time
async def test_a_write_that_becomes_urgent_in_the_queue_goes_before_others() -> None:
    budget = RateLimitWindow(1)
    messages = [Message(budget=budget) for _ in range(4)]
    for message in messages:
        message.change()
    await asyncio.sleep(0.2)
    messages[3].writer.request_update(Urgency.RESULT)
    await asyncio.sleep(5)
    began = [message.written[0][0] for message in messages]
    assert sorted(range(4), key=began.__getitem__) == [0, 3, 1, 2]
    assert [len(message.written) for message in messages] == [1] * 4


OLD: Layout = layout(text("old"))
NEW: Layout = layout(text("new"))


def sent(shown: LastSent, content: Layout) -> None:
    with shown.recording() as done:
        done(content)


def test_the_content_that_was_sent_last_is_known() -> None:
    shown = LastSent()
    assert not shown.equals(OLD)
    sent(shown, OLD)
    assert shown.equals(OLD)
    sent(shown, NEW)
    assert not shown.equals(OLD)
    assert shown.equals(NEW)


def test_a_request_that_failed_may_have_been_carried_out() -> None:
    shown = LastSent()
    sent(shown, OLD)
    with pytest.raises(OSError, match="reset"), shown.recording():
        raise OSError("connection reset")
    assert not shown.equals(OLD)


@pytest.mark.parametrize("edit_ends_last", [False, True])
def test_two_concurrent_writes_are_repeated_because_their_order_is_unknown(edit_ends_last: bool) -> None:
    shown = LastSent()
    edit, answer = shown.recording(), shown.recording()
    edited = edit.__enter__()
    answered = answer.__enter__()
    edited(OLD)
    answered(NEW)
    for request in (answer, edit) if edit_ends_last else (edit, answer):
        request.__exit__(None, None, None)
    assert not shown.equals(NEW)
    assert not shown.equals(OLD)
    sent(shown, NEW)
    assert shown.equals(NEW)
