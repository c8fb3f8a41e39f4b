"""What was decided by a table that is another one once its lock is free is judged by that one."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.game.actions import PutDown
from bot.records.player import Player
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table_actions import Pause, Resume
from bot.tables.seating import open_seats, take_over
from bot.tables.table_store import SeatChanges
from tests.tables.fakes import World, done, ok
from tests.tables.test_attendance import AFK, active, choose, owing
from tests.tables.test_table import held
from tests.tables.virtual import LoopClock

CHANGED = LobbyRefusal(LobbyCode.CHANGED_MEANWHILE)
DAY = 24 * 3600


def sits(user_id: int) -> Callable[[Lobby], bool]:
    return lambda lobby: lobby.seat_of(user_id) is not None


async def first(change: Awaitable[object], world: World) -> asyncio.Task[object]:
    """Another change, which holds the lock and is being saved."""
    world.store.delay = 0.5
    task = asyncio.ensure_future(change)
    await asyncio.sleep(0.1)
    world.store.delay = 0.001
    return task


@pytest.mark.parametrize("asked", ["leave", "kick"])
async def test_nobody_leaves_a_match_with_a_penalty_they_have_not_confirmed(asked: str) -> None:
    world = World()
    table, seating = await world.hunting(), world.directory.seating
    other = await first(seating.leave(table, 102), world)
    change = (
        seating.leave(table, 101, sits(102))
        if asked == "leave"
        else seating.kick(table, 101, by_id=100, is_moderator=True, agreed=sits(102))
    )
    assert await change == CHANGED
    ok(await other)
    assert table.lobby.seat_of(101) is not None
    ok(await seating.leave(table, 101, sits(100)))


async def test_nobody_leaves_a_lobby_with_a_consequence_they_have_not_confirmed() -> None:
    world = World()
    lobby = await world.lobby()
    lobbies = world.directory.lobbies
    other = await first(lobbies.update(lobby.id, lambda one: one.leave(102)), world)
    assert await lobbies.update(lobby.id, lambda one: one.leave(101), sits(102)) == CHANGED
    ok(await other)
    ok(await lobbies.update(lobby.id, lambda one: one.leave(101), sits(101)))


async def test_a_match_is_not_ended_when_its_missing_player_has_just_come_back() -> None:
    world = World(afk_seconds=AFK)
    table = await owing(world, 2)
    await choose(world, table, Absence.END)
    await active(world, table, 0, 1, 3, seconds=90)
    until = world.directory.attendance.called(table.id)[2]
    await asyncio.sleep((until - LoopClock().now()) / 1000 - 0.2)
    change = world.directory.seating.change(
        table, lambda lobby: replace(lobby, has_random_teams=not lobby.has_random_teams)
    )
    other = await first(change, world)
    await asyncio.sleep(0.2)  # the time of the missing one is over
    await world.directory.seating.seen(table, 102)
    ok(await other)
    await asyncio.sleep(2)
    assert table.lobby.status is Status.PLAYING
    assert world.watcher.gone == []


async def test_a_match_that_goes_on_in_the_last_moment_is_not_closed() -> None:
    world = World(paused_days=7)
    table = await world.hunting()
    await done(table, Pause())
    await asyncio.sleep(7 * DAY - 0.2)
    change = world.directory.seating.change(
        table, lambda lobby: replace(lobby, has_random_teams=not lobby.has_random_teams)
    )
    other = await first(change, world)
    await asyncio.sleep(0.2)
    await done(table, Resume(), press_id=77)
    await done(table, PutDown(0, held(table, 0)), press_id=78)
    ok(await other)
    await asyncio.sleep(DAY)
    assert table.lobby.status is Status.PLAYING
    assert world.directory.table(table.id) is table


async def test_the_player_who_ends_a_match_loses_it_and_not_their_substitute(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    table, seating = await world.hunting(), world.directory.seating
    ok(await seating.change(table, lambda lobby: replace(lobby, is_ranked=True)))
    ok(await seating.change(table, lambda lobby: open_seats(lobby, [1])))
    broken_off = list[tuple[Lobby, SeatChanges]]()
    break_off = world.store.break_off

    async def noted(lobby: Lobby, changes: SeatChanges) -> None:
        broken_off.append((lobby, changes))
        await break_off(lobby, changes)

    monkeypatch.setattr(world.store, "break_off", noted)
    other = await first(seating.change(table, lambda lobby: take_over(lobby, 1, Player("Nora", 555))), world)
    assert await seating.end(table, 101)
    ok(await other)
    ((lobby, changes),) = broken_off
    assert changes.ended_by == 101
    assert [player.is_away for player in lobby.players if player is not None] == [False] * 4, "Nora has left nothing"
