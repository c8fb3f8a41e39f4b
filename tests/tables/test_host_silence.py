"""Who may start a lobby: the host, and each player once the host has done nothing for a minute with a full table."""

import asyncio

import pytest

from bot.records.player import Player
from bot.tables.lobbies import PATIENCE_MS, RETURN_MS
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from tests.tables.fakes import World, ok
from tests.tables.virtual import LoopClock

ANA, BRUNO, STRANGER = 100, 101, 7
SAVING_MS = 100
"""The store takes a moment."""


def code(outcome: object) -> LobbyCode:
    assert isinstance(outcome, LobbyRefusal), outcome
    return outcome.code


def waits(outcome: object) -> int:
    assert code(outcome) is LobbyCode.HOST_STARTS
    assert outcome.until is not None
    return outcome.until - LoopClock().now()


async def test_the_minute_begins_when_the_last_seat_is_taken() -> None:
    world = World()
    lobby = await world.lobby()
    await world.directory.lobbies.update(lobby.id, lambda present: present.leave(103))
    await asyncio.sleep(300)
    assert code(await world.directory.start(lobby.id, by=BRUNO)) is LobbyCode.HOST_STARTS
    await world.directory.lobbies.update(lobby.id, lambda present: present.join(Player("Dora", 103)))
    refused = await world.directory.start(lobby.id, by=BRUNO)
    assert refused == LobbyRefusal(LobbyCode.HOST_STARTS, until=LoopClock().now() + PATIENCE_MS)
    assert code(await world.directory.start(lobby.id, by=STRANGER)) is LobbyCode.NOT_SEATED
    await asyncio.sleep(60)
    assert isinstance(await world.directory.start(lobby.id, by=BRUNO), Table)


async def test_only_a_press_of_the_host_restarts_the_minute() -> None:
    world = World()
    lobby = await world.lobby()
    await asyncio.sleep(59)
    world.directory.record_press(lobby.id, BRUNO)
    world.directory.record_press(lobby.id, ANA)
    await asyncio.sleep(59)
    assert code(await world.directory.start(lobby.id, by=BRUNO)) is LobbyCode.HOST_STARTS
    world.directory.record_press(lobby.id, BRUNO)
    await asyncio.sleep(1)
    assert isinstance(await world.directory.start(lobby.id, by=BRUNO), Table)


async def test_after_a_restart_the_host_has_the_rest_of_the_minute() -> None:
    world = World(lobby_minutes=60)
    lobby = await world.lobby()
    await asyncio.sleep(10)
    again = await world.restarted()
    assert waits(await again.directory.start(lobby.id, by=BRUNO)) == pytest.approx(PATIENCE_MS - 10_000, abs=SAVING_MS)
    await asyncio.sleep(200)
    late = await again.restarted()
    assert waits(await late.directory.start(lobby.id, by=BRUNO)) == pytest.approx(RETURN_MS, abs=SAVING_MS)
    late.directory.record_press(lobby.id, ANA)
    await asyncio.sleep(59)
    assert code(await late.directory.start(lobby.id, by=BRUNO)) is LobbyCode.HOST_STARTS
    await asyncio.sleep(1)
    assert isinstance(await late.directory.start(lobby.id, by=BRUNO), Table)


async def test_the_host_starts_at_once_also_after_a_restart() -> None:
    world = World()
    lobby = await world.lobby()
    await asyncio.sleep(120)
    again = await world.restarted()
    assert code(await again.directory.start(lobby.id, by=BRUNO)) is LobbyCode.HOST_STARTS
    ok(again.directory.lobby(lobby.id))
    assert isinstance(await again.directory.start(lobby.id, by=ANA), Table)
