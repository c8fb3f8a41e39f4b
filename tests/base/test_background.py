"""Waits between tries, and a lock for each key."""

import asyncio
import gc

from bot.base.background import Backoff, Locks
from tests.tables.virtual import in_virtual_time


def test_each_failure_doubles_the_wait_up_to_the_longest_until_a_success() -> None:
    backoff = Backoff(2, 7)
    assert [backoff.next_delay() for _ in range(4)] == [2, 4, 7, 7]
    backoff.reset()
    assert backoff.next_delay() == 2


@in_virtual_time
async def test_a_failed_call_is_repeated_once_and_not_after_a_success() -> None:
    backoff, called = Backoff(2, 7), list[float]()
    loop = asyncio.get_running_loop()
    began = loop.time()
    for _ in range(2):
        backoff.schedule_retry(lambda: called.append(loop.time() - began))
    await asyncio.sleep(10)
    assert called == [4]
    backoff.schedule_retry(lambda: called.append(0))
    backoff.reset()
    await asyncio.sleep(20)
    assert called == [4]


async def test_all_holders_of_a_key_share_one_lock() -> None:
    locks = Locks()
    async with locks.of(1):
        assert locks.of(1).locked()
        assert not locks.of(2).locked()
    gc.collect()
    assert not locks.of(1).locked()
