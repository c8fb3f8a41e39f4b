"""A match that stays paused, or without a move of any person, is closed in the end, also after a restart."""

import asyncio

import pytest

from bot.game.actions import CallKems, MakeGesture, PutDown
from bot.game.signs import GestureKind
from bot.ladder.seasons import RankedRules
from bot.tables.lobby.lobby import Status
from bot.tables.match.table_actions import Pause, Resume
from bot.tables.seating import BreakOff
from tests.tables.fakes import HERE, PEOPLE, MemoryStore, World, done, ok
from tests.tables.test_table import held

HOUR = 3600
DAY = 24 * HOUR


@pytest.mark.parametrize("by_itself", [False, True])
async def test_a_match_that_stays_paused_is_closed(by_itself: bool) -> None:
    world = World(MemoryStore(asked=RankedRules()), paused_days=7)
    table = await world.hunting()
    await done(table, Pause(by_itself))
    await asyncio.sleep(7 * DAY - HOUR)
    assert world.watcher.gone == []
    await asyncio.sleep(2 * HOUR)
    assert [lobby.status for lobby in world.watcher.gone] == [Status.EXPIRED]
    assert world.store.lobbies[table.id].status is Status.EXPIRED
    assert world.directory.table(table.id) is None
    assert world.store.departures == {}, "it is nobody's fault"
    again = ok(await world.directory.rematches.reopen(HERE.guild_id, table.id, PEOPLE[0], HERE.channel_id))
    assert (again.status, again.is_ranked) == (Status.OPEN, None)


async def test_the_days_count_from_the_last_pause_and_through_restarts() -> None:
    world = World(paused_days=7)
    table = await world.hunting()
    await done(table, Pause())
    await asyncio.sleep(5 * DAY)
    await done(table, Resume(), press_id=77)
    await asyncio.sleep(5 * DAY)
    await done(table, Pause())
    await asyncio.sleep(5 * DAY)
    world = await world.restarted()
    assert world.directory.table(table.id) is not None
    await asyncio.sleep(DAY)
    await world.directory.close()
    await asyncio.sleep(2 * DAY)
    again = World(world.store, paused_days=7)
    await again.directory.restore()
    await asyncio.sleep(1)
    assert [lobby.id for lobby in again.watcher.gone] == [table.id]


async def test_a_closing_that_is_not_saved_is_tried_again_and_zero_days_mean_never() -> None:
    world = World(paused_days=1)
    table = await world.hunting()
    await done(table, Pause())
    world.store.failing = True
    await asyncio.sleep(DAY + 30)
    assert world.directory.table(table.id) is table
    world.store.failing = False
    await asyncio.sleep(60)
    assert world.directory.table(table.id) is None
    patient = World(paused_days=0)
    table = await patient.hunting()
    await done(table, Pause())
    await asyncio.sleep(30 * DAY)
    assert patient.directory.table(table.id) is table
    await done(table, Resume())
    await asyncio.sleep(30 * DAY)
    assert patient.directory.table(table.id) is table
    await patient.directory.remove_match(table.id, BreakOff())


async def test_a_match_without_a_move_of_any_person_is_closed_when_nobody_is_called() -> None:
    world = World(MemoryStore(asked=RankedRules()), paused_days=7, afk_seconds=0)
    table = await world.hunting()
    await asyncio.sleep(5 * DAY)
    await done(table, MakeGesture(0, GestureKind.REACT, "☕"), press_id=77)
    for _ in range(7):
        assert world.watcher.gone == []
        await asyncio.sleep(DAY - 60)
        await done(table, MakeGesture(3, GestureKind.REACT, "☕"))  # as robots do
    await asyncio.sleep(HOUR)
    assert [lobby.status for lobby in world.watcher.gone] == [Status.EXPIRED]
    assert (world.directory.table(table.id), world.store.departures) == (None, {})


async def test_idle_days_count_through_restarts_and_end_with_the_match() -> None:
    world = World(paused_days=7)
    table = await world.hunting(target=1)
    await asyncio.sleep(6 * DAY)
    await done(table, PutDown(0, held(table, 0)), press_id=77)
    world = await world.restarted()
    await asyncio.sleep(6 * DAY)
    world = await world.restarted()
    assert world.directory.table(table.id) is not None
    await asyncio.sleep(2 * DAY)
    assert [lobby.id for lobby in world.watcher.gone] == [table.id]
    world = World(paused_days=7)
    table = await world.hunting(target=1)
    await done(table, CallKems(0))
    await asyncio.sleep(30 * DAY)
    assert world.watcher.gone == []
