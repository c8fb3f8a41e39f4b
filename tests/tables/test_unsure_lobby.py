"""A lobby that was saved although its store failed comes to what is stored, by itself or with the next change."""

import asyncio

import pytest

from bot.base.errors import StoreError
from bot.tables.lobbies import RETRY_MS
from bot.tables.lobby.lobby import Lobby, Status
from tests.tables.fakes import PEOPLE, World, a_lobby, ok


async def test_a_match_begins_by_itself_when_its_failed_start_was_saved_after_all() -> None:
    world = World()
    lobby = await world.lobby()
    world.store.lying = True
    with pytest.raises(StoreError):
        await world.directory.start(lobby.id)
    assert world.directory.table(lobby.id) is None
    world.store.failing = True
    await asyncio.sleep(5 * RETRY_MS / 1000)
    world.store.lying = world.store.failing = False
    await asyncio.sleep(2 * RETRY_MS / 1000)
    table = world.directory.table(lobby.id)
    assert table is not None
    assert table.seq == len(world.store.logs[lobby.id])
    assert world.directory.open_lobby(lobby.id) is None


async def test_a_repeated_start_finds_the_match_that_has_begun() -> None:
    world = World()
    lobby = await world.lobby()
    world.store.lying = True
    with pytest.raises(StoreError):
        await world.directory.start(lobby.id)
    world.store.lying = False
    await world.directory.start(lobby.id)
    assert world.directory.table(lobby.id) is not None


async def joined(world: World) -> Lobby:
    """A lobby of two, of whom its host alone was told so."""
    lobby = ok(await world.directory.lobbies.open(a_lobby(PEOPLE[0])))
    world.store.lying = True
    with pytest.raises(StoreError):
        await world.directory.lobbies.update(lobby.id, lambda now: now.join(PEOPLE[1]))
    world.store.lying = False
    return lobby


async def test_the_next_change_begins_with_what_is_stored() -> None:
    world = World()
    lobby = await joined(world)
    changed = ok(await world.directory.lobbies.update(lobby.id, lambda now: now.join(PEOPLE[2])))
    assert [player.name for player in changed.players if player] == [player.name for player in PEOPLE[:3]]


async def test_memory_and_store_agree_before_a_restart() -> None:
    world = World()
    lobby = await joined(world)
    assert world.directory.open_lobby(lobby.id) == lobby
    await asyncio.sleep(2 * RETRY_MS / 1000)
    assert world.directory.open_lobby(lobby.id) == world.store.lobbies[lobby.id] != lobby


async def test_a_lobby_is_gone_when_its_failed_closing_was_saved_after_all() -> None:
    world = World()
    lobby = await world.lobby()
    world.store.lying = True
    with pytest.raises(StoreError):
        await world.directory.lobbies.update(lobby.id, lambda now: now.closed(Status.CANCELLED))
    world.store.lying = False
    await asyncio.sleep(2 * RETRY_MS / 1000)
    assert world.directory.open_lobby(lobby.id) is None
