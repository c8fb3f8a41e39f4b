"""A lobby in which nothing happens is closed in time, also after a restart, and can be opened again."""

import asyncio
from dataclasses import replace

import pytest

from bot.game.signs import Strategy
from bot.records.player import Player
from bot.tables.lobby.lobby import Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.strategy_vote import NO_VOTE
from bot.tables.match.table import Table
from tests.tables.fakes import HERE, PEOPLE, World, ok
from tests.tables.virtual import EPOCH

HOUR = 3600
EVA = Player("Eva", 7)


def patient() -> World:
    return World(lobby_minutes=60)


async def until(seconds: float) -> None:
    """Let the time come that is so many seconds from the loop's start, and what falls due then be saved."""
    await asyncio.sleep(seconds + 0.1 - asyncio.get_running_loop().time())


async def test_a_lobby_is_closed_an_hour_after_the_last_change() -> None:
    world = patient()
    lobby = await world.lobby(people=PEOPLE[:2])
    await until(HOUR / 2)
    joined = ok(await world.directory.lobbies.update(lobby.id, lambda current: current.join(PEOPLE[2])))
    await world.directory.lobbies.update(lobby.id, lambda current: current.cast(100, {Strategy.DOUBLE}))
    await until(HOUR + HOUR / 2)
    assert world.directory.lobby(lobby.id) is not None
    await until(HOUR + HOUR / 2 + 1)
    assert world.directory.lobby(lobby.id) is None
    (gone,) = world.watcher.gone
    assert (gone.status, gone.vote, gone.players) == (Status.EXPIRED, NO_VOTE, joined.players)
    assert world.store.lobbies[lobby.id] == gone
    assert await world.directory.lobbies.update(lobby.id, lambda current: current.leave(100)) == LobbyRefusal(
        LobbyCode.UNKNOWN_TABLE
    )
    assert (await world.restarted()).directory.open_lobbies() == ()


async def test_the_time_goes_on_while_the_bot_is_away() -> None:
    world = patient()
    first, second = await world.lobby(people=PEOPLE[:2]), await world.lobby(people=PEOPLE[:2])
    assert first.closes_at is not None
    assert EPOCH + HOUR * 1000 <= first.closes_at < EPOCH + HOUR * 1000 + 100
    again = await world.restarted()
    assert again.directory.lobby(first.id) == first
    await again.directory.lobbies.update(second.id, lambda current: replace(current, has_random_teams=True))
    await until(HOUR / 2)
    await again.directory.lobbies.update(second.id, lambda current: replace(current, has_random_teams=False))
    await again.directory.close()
    await until(HOUR + 60)
    assert again.watcher.gone == world.watcher.gone == []
    third = World(world.store, lobby_minutes=60)
    await third.directory.restore()
    await until(HOUR + 61)
    assert [lobby.id for lobby in third.watcher.gone] == [first.id]
    assert [lobby.id for lobby in third.directory.open_lobbies()] == [second.id]


async def test_matches_and_cancelled_lobbies_are_left_alone() -> None:
    world = patient()
    table = await world.table()
    cancelled = await world.lobby()
    await world.directory.lobbies.update(cancelled.id, lambda current: current.closed(Status.CANCELLED))
    await until(3 * HOUR)
    assert world.watcher.gone == []
    assert world.directory.table(table.id) is table
    assert world.store.lobbies[cancelled.id].status is Status.CANCELLED


async def test_without_a_limit_a_lobby_waits_for_ever() -> None:
    world = World(lobby_minutes=0)
    lobby = await world.lobby()
    assert lobby.closes_at is None
    await until(100 * HOUR)
    assert world.directory.lobby(lobby.id) == lobby


async def test_a_closing_that_is_not_saved_is_tried_again() -> None:
    world = patient()
    lobby = await world.lobby()
    world.store.failing = True
    await until(HOUR + 5)
    assert world.directory.lobby(lobby.id) == lobby
    assert world.watcher.gone == []
    world.store.failing = False
    await until(HOUR + 70)
    assert [gone.id for gone in world.watcher.gone] == [lobby.id]


async def test_a_start_at_the_last_moment_counts() -> None:
    world = patient()
    lobby = await world.lobby()
    assert lobby.closes_at is not None
    world.store.delay = 5
    await asyncio.sleep((lobby.closes_at - EPOCH) / 1000 - 2 - asyncio.get_running_loop().time())
    table = await world.directory.start(lobby.id)
    assert isinstance(table, Table)
    await until(2 * HOUR)
    assert world.watcher.gone == []
    assert world.directory.table(lobby.id) is table


async def test_an_expired_lobby_is_opened_again_once_for_any_user() -> None:
    world = patient()
    lobby = await world.lobby(people=PEOPLE[:3])
    await until(2 * HOUR)
    first, second = await asyncio.gather(
        world.directory.rematches.reopen(HERE.guild_id, lobby.id, EVA, HERE.channel_id),
        world.directory.rematches.reopen(HERE.guild_id, lobby.id, PEOPLE[0], HERE.channel_id),
    )
    assert first == second
    assert (first.players, first.host_id, first.rules) == ((EVA, None, None, None), 7, lobby.rules)
    assert (first.status, first.rematch_of, first.place) == (Status.OPEN, lobby.id, replace(HERE, message_id=None))
    assert first.opened_at > lobby.opened_at
    await until(5 * HOUR)
    assert [gone.id for gone in world.watcher.gone] == [lobby.id, first.id]
    rematches = (await world.restarted()).directory.rematches
    ok(await rematches.reopen(HERE.guild_id, first.id, EVA, HERE.channel_id))


async def test_only_an_expired_lobby_of_this_channel_is_opened_again() -> None:
    world = patient()
    expired = await world.lobby()
    await until(2 * HOUR)
    cancelled, table = await world.lobby(), await world.table()
    await world.directory.lobbies.update(cancelled.id, lambda current: current.closed(Status.CANCELLED))
    for table_id, channel_id, code in (
        (expired.id, 99, LobbyCode.UNKNOWN_TABLE),
        (expired.id, None, LobbyCode.UNKNOWN_TABLE),
        (cancelled.id, HERE.channel_id, LobbyCode.NOT_OPEN),
        (table.id, HERE.channel_id, LobbyCode.NOT_OPEN),
        (99, HERE.channel_id, LobbyCode.UNKNOWN_TABLE),
    ):
        assert await world.directory.rematches.reopen(HERE.guild_id, table_id, EVA, channel_id) == LobbyRefusal(code)
    assert await world.directory.rematches.reopen(
        HERE.guild_id, expired.id, Player("Zoé"), HERE.channel_id
    ) == LobbyRefusal(LobbyCode.NOT_OPEN)


@pytest.mark.parametrize("away", [1, 3])
async def test_no_lobby_is_closed_after_the_directory(away: int) -> None:
    world = patient()
    await world.lobby()
    await world.directory.close()
    await until(away * HOUR)
    assert world.watcher.gone == []
