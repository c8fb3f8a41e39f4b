"""So many requests in so many seconds, in virtual time."""

import asyncio
from random import Random

import pytest

from bot.discord.rate_limits.throttling import Coalescer, RateLimitWindow, RequestPermit, Urgency
from tests.tables.virtual import in_virtual_time


@in_virtual_time
async def test_no_second_sees_more_requests_than_there_are_slots() -> None:
    """Whenever they are counted between leaving and being answered."""
    budget = RateLimitWindow(45)
    rng = Random(1)
    counted: list[float] = []

    async def write(permit: RequestPermit) -> None:
        permit.record_sent()
        there, back = rng.uniform(0, 0.8), rng.uniform(0, 0.1)  # some are stuck for a while, and arrive in a bunch
        await asyncio.sleep(there)
        counted.append(asyncio.get_running_loop().time())
        await asyncio.sleep(back)

    writers = [Coalescer(write, interval=lambda _: 0.5, permit=lambda: RequestPermit(budget)) for _ in range(100)]
    for _ in range(200):
        for writer in writers:
            writer.request_update()
        await asyncio.sleep(0.05)
    await asyncio.sleep(10)
    assert len(counted) > 250
    for at in counted:
        assert sum(at <= other <= at + 0.999 for other in counted) <= 45


@in_virtual_time
async def test_urgent_requests_go_first() -> None:
    budget = RateLimitWindow(1)
    order: list[str] = []

    async def request(name: str, urgency: Urgency) -> None:
        async with RequestPermit(budget, urgency=urgency) as permit:
            permit.record_sent()
            order.append(name)

    plain = [asyncio.create_task(request(f"panel {n}", Urgency.CHANGE)) for n in range(3)]
    await asyncio.sleep(0.01)
    urgent = [asyncio.create_task(request(f"table {n}", Urgency.RESULT)) for n in range(2)]
    plain[1].cancel()  # whoever gives up costs nothing
    await asyncio.gather(*plain, *urgent, return_exceptions=True)
    assert order == ["panel 0", "table 0", "table 1", "panel 2"]
    assert asyncio.get_running_loop().time() == pytest.approx(3)


@in_virtual_time
async def test_a_slot_goes_to_the_next_caller_when_one_is_cancelled() -> None:
    budget = RateLimitWindow(1)

    async def request() -> None:
        async with RequestPermit(budget) as permit:
            permit.record_sent()

    first = asyncio.create_task(request())
    await asyncio.sleep(0.5)
    second, third = asyncio.create_task(request()), asyncio.create_task(request())
    asyncio.get_running_loop().call_at(1.0, second.cancel)  # at the very moment in which the slot becomes free
    await asyncio.gather(first, second, third, return_exceptions=True)
    assert asyncio.get_running_loop().time() < 2.1


@in_virtual_time
async def test_a_request_counts_in_all_of_its_windows() -> None:
    first, second = RateLimitWindow(1, 2.0), RateLimitWindow(2, 5.0)
    begun: list[float] = []
    for _ in range(4):
        async with RequestPermit(first, second) as permit:
            permit.record_sent()
            begun.append(asyncio.get_running_loop().time())
    assert begun == [0.0, 2.0, 5.0, 7.0]


@in_virtual_time
async def test_a_caller_cancelled_in_the_second_window_frees_the_first() -> None:
    first, second = RateLimitWindow(1), RateLimitWindow(1, 60.0)
    async with RequestPermit(second) as permit:
        permit.record_sent()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1), RequestPermit(first, second):
            pass
    async with RequestPermit(first):
        assert asyncio.get_running_loop().time() == 1.0


@in_virtual_time
async def test_a_pause_delays_all_requests_and_the_longest_pause_counts() -> None:
    budget = RateLimitWindow(0)
    budget.pause(3.0)
    budget.pause(1.0)
    begun: list[float] = []

    async def request() -> None:
        async with RequestPermit(budget):
            begun.append(asyncio.get_running_loop().time())

    await asyncio.gather(*(request() for _ in range(100)))
    assert begun == [3.0] * 100, "a budget of 0 has no other limit"


@in_virtual_time
async def test_writers_with_several_requests_keep_to_the_limit_too() -> None:
    budget = RateLimitWindow(45)
    counted: list[float] = []

    async def write(permit: RequestPermit) -> None:
        for _ in range(3):  # as an edit, a post, a link
            await permit.acquire_and_record()
            counted.append(asyncio.get_running_loop().time())
            await asyncio.sleep(0.1)

    writers = [Coalescer(write, interval=lambda _: 0.5, permit=lambda: RequestPermit(budget)) for _ in range(100)]
    for writer in writers:
        writer.request_update()
    await asyncio.sleep(20)
    assert len(counted) == 300
    for at in counted:
        assert sum(at <= other <= at + 0.999 for other in counted) <= 45


@in_virtual_time
async def test_each_further_request_waits_for_room() -> None:
    budget = RateLimitWindow(2)
    began: list[float] = []

    async def request_two() -> None:
        async with RequestPermit(budget) as permit:
            for _ in range(2):
                await permit.acquire_and_record()
                began.append(asyncio.get_running_loop().time())

    await asyncio.gather(*(request_two() for _ in range(3)))
    assert began == [0, 0, 1, 1, 2, 2]


@in_virtual_time
async def test_a_new_share_counts_at_once_and_no_request_begins_without_one() -> None:
    budget, began = RateLimitWindow(2), []
    loop = asyncio.get_running_loop()
    start = loop.time()

    async def request() -> None:
        async with RequestPermit(budget) as permit:
            permit.record_sent()
            began.append(loop.time() - start)

    requests = [asyncio.create_task(request()) for _ in range(2)]
    await asyncio.sleep(0.1)
    assert began == [0, 0]
    budget.change(0)
    requests.append(asyncio.create_task(request()))
    await asyncio.sleep(5)
    assert len(began) == 2
    budget.change(1)
    requests.append(asyncio.create_task(request()))
    await asyncio.sleep(10)
    assert began[2:] == pytest.approx([5.1, 6.1])
    await asyncio.gather(*requests)
