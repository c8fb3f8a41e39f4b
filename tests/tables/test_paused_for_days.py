"""A match that stays paused is closed in the end, whatever paused it, also after a restart."""

from __future__ import annotations

import asyncio

import pytest

from bot.ladder.eligibility import Gates
from bot.tables.lobby import Lobby, Status
from bot.tables.match_people import BreakOff
from bot.tables.table_actions import Pause, Resume
from tests.tables.fakes import HERE, MemoryStore, World, done
from tests.tables.virtual import in_virtual_time

HOUR = 3600
DAY = 24 * HOUR


@in_virtual_time
@pytest.mark.parametrize("by_itself", [False, True])
async def test_a_match_that_stays_paused_is_closed(by_itself: bool) -> None:
    world = World(MemoryStore(asked=Gates()), paused_days=7)
    table = await world.hunting()
    await done(table, Pause(by_itself))
    await asyncio.sleep(7 * DAY - HOUR)
    assert world.watcher.gone == []
    await asyncio.sleep(2 * HOUR)
    assert [lobby.status for lobby in world.watcher.gone] == [Status.EXPIRED]
    assert world.store.lobbies[table.id].status is Status.EXPIRED
    assert world.directory.table(table.id) is None
    assert world.store.departures == {}, "it is nobody's fault"
    again = await world.directory.reopen(HERE.guild_id, table.id, table.lobby.players[0], HERE.channel_id)  # type: ignore[arg-type]
    assert isinstance(again, Lobby)
    assert (again.status, again.is_ranked) == (Status.OPEN, None)


@in_virtual_time
async def test_the_days_count_from_the_last_pause_and_through_restarts() -> None:
    world = World(paused_days=7)
    table = await world.hunting()
    await done(table, Pause())
    await asyncio.sleep(5 * DAY)
    await done(table, Resume())
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


@in_virtual_time
async def test_what_is_not_saved_is_tried_again_and_never_is_asked_for_by_nought() -> None:
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
    await patient.directory.finish(table.id, BreakOff())
