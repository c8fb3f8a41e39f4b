"""What is due is judged again once a change has been saved that came first: by no duty, and at no table, over it."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from bot.nights.changes import Duty, HostStep, StepKind
from bot.nights.night import Night, NightStatus
from bot.nights.people import sign_up
from bot.nights.rounds import TableResult
from tests.tables.nights.evening import HOST, MINUTE, Evening, planned
from tests.tables.nights.test_live_nights import begun, playing
from tests.tables.virtual import LoopClock


def slow(evening: Evening, seconds: float) -> None:
    async def work() -> None:
        await asyncio.sleep(seconds)

    evening.store._work = work  # type: ignore[method-assign]


async def crossed(evening: Evening, at: int, step: HostStep) -> None:
    """The host's step is being saved at an instant at which something is due, and for a while after it."""
    night_id = evening.live.nights_in(1)[0].id
    await asyncio.sleep((at - LoopClock().now()) / 1000 - 0.2)
    slow(evening, 0.5)
    assert isinstance(await evening.live.step(night_id, step, HOST), Night)
    await asyncio.sleep(5)


@pytest.mark.parametrize(
    "step", [HostStep(StepKind.ADD_TIME, minutes=10), HostStep(StepKind.PAUSE_ALL)], ids=lambda step: step.kind.value
)
async def test_time_is_not_called_when_the_host_adds_time_or_pauses_at_the_last_moment(step: HostStep) -> None:
    evening, night = await playing(planned(rounds=1, round_minutes=2))
    ends_at = evening.now(night.id).rounds[-1].ends_at
    assert ends_at is not None
    await crossed(evening, ends_at, step)
    last = evening.now(night.id).rounds[-1]
    assert last.called_at is None
    assert last.ends_at == ends_at + step.minutes * MINUTE


async def test_a_night_is_not_cancelled_while_missing_people_sign_up() -> None:
    evening = Evening()
    night = await evening.night(planned(), 3)
    await asyncio.sleep((night.plan.starts_at + 15 * MINUTE - LoopClock().now()) / 1000 - 0.2)
    slow(evening, 0.5)
    await evening.join(night.id, 500)  # the fourth
    await asyncio.sleep(5)
    assert evening.now(night.id).status is NightStatus.RUNNING


def _over(night: Night) -> Night:
    """The night after its only round."""
    for table in night.rounds[-1].tables:
        night = night.record_result(table.number, TableResult((1, 0)), night.plan.starts_at + MINUTE)
    return night.end(night.plan.starts_at + MINUTE)


def _all_ended(night: Night) -> Night:
    return replace(_over(night), status=NightStatus.RUNNING)


def _as_it_is(night: Night) -> Night:
    return night


STATES: Final[dict[Duty, tuple[int, Callable[[Night], Night]]]] = {
    Duty.CANCEL: (0, _as_it_is),
    Duty.START_ROUND: (0, _as_it_is),
    Duty.HURRY: (1, _as_it_is),
    Duty.CALL_TIME: (1, _as_it_is),
    Duty.END_NIGHT: (1, _all_ended),
    Duty.HONOUR: (1, _over),
    Duty.RECAP: (1, _over),
    Duty.PLAN_NEXT: (1, _over),
    Duty.HAND_OVER: (1, _over),
}
"""Of each duty: how many rounds have begun, and what the night has come to since."""


def _changed(night: Night) -> Night:
    """Another result, or before the night another person."""
    if not night.rounds:
        return sign_up.join(night, 700, "P700", night.plan.starts_at - 1)
    table = night.rounds[-1].tables[0]
    return night.with_table(replace(table, result=TableResult((0, 1)) if table.result else None, restarts=1))


@pytest.mark.parametrize("duty", Duty)
async def test_a_duty_is_not_done_for_a_night_that_has_changed_since_it_was_due(duty: Duty) -> None:
    rounds, since = STATES[duty]
    evening = Evening()
    night = await evening.night(planned(is_weekly=True), 8)
    if rounds:
        await evening.until(night.id, begun(1))
    running = evening.live.running(night.id)
    assert running is not None
    running.hold(LoopClock().now())  # this test does its duties
    await running.update(since)
    judged, saved, nights = running.night, evening.store.saves, len(evening.store.nights)
    slow(evening, 0.5)
    change = asyncio.ensure_future(running.update(_changed))
    await asyncio.sleep(0.1)
    assert await evening.runner._do(running, duty)
    assert isinstance(await change, Night)
    assert running.night is not judged
    assert (evening.store.saves, len(evening.store.nights)) == (saved + 1, nights), "nothing but the change"
    slow(evening, 0)
    assert await evening.runner._do(running, duty), "it is judged again"
    assert evening.store.saves == saved + 2


async def test_a_table_is_not_opened_when_the_host_pauses_the_night_meanwhile() -> None:
    evening = Evening()
    night = await evening.night(planned(), 8)
    await evening.until(night.id, lambda now: bool(now.rounds))
    paused = await evening.live.step(night.id, HostStep(StepKind.PAUSE_ALL), HOST)
    assert isinstance(paused, Night), paused
    assert [table.thread_id for table in paused.rounds[0].tables] == [None, None], "they are being made"
    await asyncio.sleep(30)
    assert [table.table_id for table in evening.now(night.id).rounds[0].tables] == [None, None]
    await evening.live.step(night.id, HostStep(StepKind.RESUME_ALL), HOST)
    played = await evening.until(night.id, begun(1))
    assert {table.thread_id for table in played.rounds[0].tables} == set(evening.face.threads.values())
