"""A bot that leaves ends what it has begun within a moment, and begins nothing more."""

import asyncio

import pytest

from bot.discord.interactions.admission.admission import GRACE_S, Admission, PressRate
from tests.discord.interactions.admission.test_discord_clock import Instant
from tests.tables.virtual import in_virtual_time


async def work(admission: Admission, seconds: float, done: list[float]) -> None:
    if admission.enter():
        await asyncio.sleep(seconds)
        done.append(seconds)


@pytest.mark.parametrize(("lengths", "waited", "ended"), [((2.0, 0.5), 2, [0.5, 2.0]), ((3600.0,), GRACE_S, [])])
@in_virtual_time
async def test_running_presses_are_awaited_and_cancelled_at_the_deadline(
    lengths: tuple[float, ...], waited: float, ended: list[float]
) -> None:
    admission, done = Admission(Instant(0).clock, PressRate()), list[float]()
    tasks = [asyncio.create_task(work(admission, seconds, done)) for seconds in lengths]
    await asyncio.sleep(0)
    began = asyncio.get_running_loop().time()
    await admission.close()
    assert asyncio.get_running_loop().time() - began == waited
    assert done == ended
    assert all(task.done() and task.cancelled() is (not ended) for task in tasks)
    await work(admission, 1, done)
    assert done == ended, "nothing begins any more"


@in_virtual_time
async def test_a_stop_does_not_wait_for_ended_presses_nor_for_itself() -> None:
    admission, done = Admission(Instant(0).clock, PressRate()), list[float]()
    await asyncio.create_task(work(admission, 1, done))
    await asyncio.sleep(0)
    assert not admission._inside
    assert admission.enter()
    began = asyncio.get_running_loop().time()
    await admission.close()
    assert asyncio.get_running_loop().time() == began
