"""Deadlines: they fall due by themselves, before any later move, and once only."""

import asyncio

from bot.game.actions import AskSweep, MakeGesture, OpenHunt
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import HuntOpened, PoolSwept, SignSettled, SweepAgreed
from bot.game.signs import GestureKind
from bot.game.state import Phase
from tests.tables.fakes import World, done


async def test_signs_are_settled_by_chance_when_time_is_up() -> None:
    world = World()
    table = await world.table(sign_deadline=90)
    await asyncio.sleep(89.9)
    assert table.table_view().phase is Phase.SIGNS
    await asyncio.sleep(0.2)
    assert table.table_view().phase is Phase.READY
    assert sum(isinstance(event, SignSettled) for event in world.watcher.events) == 2


async def test_one_deadline_arms_the_next() -> None:
    table = await World().table(sign_deadline=10, auto_open=5)
    await asyncio.sleep(15.2)
    assert table.table_view().phase is Phase.HUNT


async def test_a_due_deadline_comes_before_a_move() -> None:
    world = World()
    table = await world.table(auto_open=5)
    world.store.failing = True  # the timer cannot save it ...
    await asyncio.sleep(90.5)
    assert table.table_view().phase is Phase.SIGNS
    world.store.failing = False  # ... so the next move finds it due
    answer = await table.submit(OpenHunt(table.table_view().dealer))
    assert isinstance(answer, tuple)
    kinds = [type(event) for event in world.watcher.events]
    assert kinds.index(SignSettled) < kinds.index(HuntOpened)


async def test_a_deadline_that_was_not_saved_is_tried_again() -> None:
    world = World()
    table = await world.table(sign_deadline=10)
    world.store.failing = True
    before = world.store.uses
    await asyncio.sleep(14)
    assert 2 <= world.store.uses - before <= 5
    world.store.failing = False
    await asyncio.sleep(1.1)
    assert table.table_view().phase is Phase.READY


async def test_a_move_restarts_the_timer_without_moving_the_deadline() -> None:
    world = World()
    table = await world.hunting(quiet=5, sweep_vote=15)
    await asyncio.sleep(5.1)
    await done(table, AskSweep(0))
    for seat in range(4):
        await asyncio.sleep(3)
        await done(table, MakeGesture(seat, GestureKind.REACT, "☕"))
    await asyncio.sleep(3.1)
    kinds = [type(event) for event in world.watcher.events]
    assert kinds.count(SweepAgreed) == 3
    assert kinds.count(PoolSwept) == 1


async def test_a_closed_table_has_no_timers() -> None:
    world = World()
    table = await world.table(sign_deadline=10)
    await table.close()
    await asyncio.sleep(60)
    assert len(world.store.logs[table.id]) == 1


async def test_a_deadline_that_comes_too_early_is_refused_and_keeps_its_timer() -> None:
    table = await World().hunting(quiet=5)
    assert await table.submit(AskSweep(0)) == Refusal(Code.TOO_EARLY)
