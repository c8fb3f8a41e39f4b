"""A bot that leaves ends what it has begun, within a moment, and begins with nothing more."""

from __future__ import annotations

import asyncio

from bot.ui.admission.admission import GRACE_S, UnderWay
from tests.tables.virtual import in_virtual_time


async def work(under_way: UnderWay, seconds: float, done: list[float]) -> None:
    if under_way.begin():
        await asyncio.sleep(seconds)
        done.append(seconds)


@in_virtual_time
async def test_what_has_begun_is_waited_for() -> None:
    under_way, done = UnderWay(), list[float]()
    tasks = [asyncio.create_task(work(under_way, seconds, done)) for seconds in (2.0, 0.5)]
    await asyncio.sleep(0.1)
    await under_way.close()
    assert done == [0.5, 2.0]
    await asyncio.gather(*tasks)


@in_virtual_time
async def test_what_takes_too_long_is_broken_off() -> None:
    under_way, done = UnderWay(), list[float]()
    endless = asyncio.create_task(work(under_way, 3600, done))
    await asyncio.sleep(0)
    began = asyncio.get_running_loop().time()
    await under_way.close()
    assert asyncio.get_running_loop().time() - began == GRACE_S
    assert endless.cancelled()


@in_virtual_time
async def test_nothing_new_begins() -> None:
    under_way, done = UnderWay(), list[float]()
    await under_way.close()
    await work(under_way, 1, done)
    assert done == []


@in_virtual_time
async def test_nobody_waits_for_what_has_ended() -> None:
    under_way, done = UnderWay(), list[float]()
    await asyncio.create_task(work(under_way, 1, done))
    await asyncio.sleep(0)
    assert not under_way._inside
    began = asyncio.get_running_loop().time()
    await under_way.close()
    assert asyncio.get_running_loop().time() == began


@in_virtual_time
async def test_whoever_leaves_does_not_wait_for_themselves() -> None:
    under_way = UnderWay()
    assert under_way.begin()
    began = asyncio.get_running_loop().time()
    await under_way.close()
    assert asyncio.get_running_loop().time() == began
