"""People who ask for a table again and again while the store is slow get one, and their retry finds it."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from discord.utils import DISCORD_EPOCH

from bot.base.errors import StoreError
from bot.discord.api.interactions import RefusedError
from bot.discord.api.patience import SlowStoreError
from bot.records.player import Player
from bot.tables.hub import LobbyChanged
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table import Table
from bot.ui.lobby.places import OpenedTable, Openings
from tests.tables.fakes import MemoryStore, World, a_lobby
from tests.tables.virtual import LoopClock, in_virtual_time

ANA = 100


class Server:
    """People in servers who ask for tables, of a store that takes its time."""

    def __init__(self, delay: float) -> None:
        self._asked = 0
        self.world = World(MemoryStore(delay=delay))
        self.directory = self.world.directory
        self.shown: list[Lobby] = []
        self.world.hub.subscribe(LobbyChanged, lambda changed: self.shown.append(changed.lobby))
        self.openings = Openings(Mock(directory=self.directory))

    async def ask(
        self, user_id: int = ANA, *, quick: bool = False, guild_id: int = 1, channel_id: int | None = None
    ) -> OpenedTable:
        """In a channel of its own, so that no request is taken for a second tap, unless a channel is named."""
        self._asked += 1
        person = SimpleNamespace(
            id=(LoopClock().now() - DISCORD_EPOCH) << 22,
            guild_id=guild_id,
            channel_id=channel_id or 1000 + self._asked,
            user=SimpleNamespace(id=user_id),
            locale="en-US",
        )
        return await self.openings.open(person, lambda: self._make(user_id, guild_id, quick=quick))  # type: ignore[arg-type]

    async def _make(self, user_id: int, guild_id: int, *, quick: bool) -> Lobby | Table | LobbyRefusal:
        robots = [Player(f"Robot {number}") for number in range(3)] if quick else []
        lobby = a_lobby(Player("Ana", user_id), place=TableChannel(guild_id, 2), robots=robots)
        opened = await self.directory.lobbies.open(lobby)
        return await self.directory.start(opened.id) if quick and isinstance(opened, Lobby) else opened


async def retry(ask: Callable[[], Awaitable[OpenedTable]], *, every: float) -> OpenedTable:
    """Ask until there is an answer."""
    for _ in range(20):
        try:
            return await ask()
        except SlowStoreError:
            await asyncio.sleep(every)
    raise AssertionError("asked twenty times, and there is no table")


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("delay", [0.001, 0.7, 1.0, 5.0])
@in_virtual_time
async def test_forty_people_who_retry_get_forty_tables(delay: float, *, quick: bool) -> None:
    server = Server(delay)
    found = await asyncio.gather(
        *(retry(lambda user=user: server.ask(user, quick=quick), every=0.3) for user in range(100, 140))
    )
    await asyncio.sleep(60)
    assert sorted(opened.table_id for opened in found) == list(range(1, 41))
    assert len(server.directory.tables() if quick else server.directory.open_lobbies()) == 40
    assert len(server.world.store.lobbies) == 40


@pytest.mark.parametrize("waits", [0.1, 3.0, 3600.0])
@in_virtual_time
async def test_a_retry_finds_the_first_table_whether_it_is_open_or_on_its_way(waits: float) -> None:
    server = Server(delay=2.0)
    with pytest.raises(SlowStoreError):
        await server.ask()
    await asyncio.sleep(waits)
    assert await retry(server.ask, every=1) == OpenedTable(1, is_former=True)
    assert [lobby.id for lobby in server.directory.open_lobbies()] == [1]
    assert server.shown[:1] == list(server.directory.open_lobbies()), "it is shown when it comes"
    server.world.store.delay = 0.001
    assert await server.ask() == OpenedTable(2, is_former=False), "that was a new wish"


@in_virtual_time
async def test_two_commands_at_once_open_one_table() -> None:
    server = Server(delay=0.1)
    assert await asyncio.gather(server.ask(), server.ask()) == [
        OpenedTable(1, is_former=False),
        OpenedTable(1, is_former=True),
    ]
    assert await server.ask() == OpenedTable(2, is_former=False)


@in_virtual_time
async def test_a_person_who_has_left_their_table_may_open_another() -> None:
    server = Server(delay=1.0)
    with pytest.raises(SlowStoreError):
        await server.ask()
    await asyncio.sleep(2)
    server.world.store.delay = 0.001
    await server.directory.lobbies.update(1, lambda lobby: lobby.leave(ANA))
    assert await server.ask() == OpenedTable(2, is_former=False)


@in_virtual_time
async def test_a_failed_opening_does_not_block_the_next_one() -> None:
    server = Server(delay=1.0)
    server.world.store.failing = True
    with pytest.raises(SlowStoreError):
        await server.ask()
    await asyncio.sleep(2)
    server.world.store.delay = 0.001
    with pytest.raises(StoreError, match="disk"):
        await server.ask()
    server.world.store.failing = False
    assert await server.ask() == OpenedTable(1, is_former=False)


@in_virtual_time
async def test_another_server_and_another_person_have_openings_of_their_own() -> None:
    server = Server(delay=2.0)
    asks: list[Coroutine[Any, Any, OpenedTable]] = [server.ask(), server.ask(guild_id=9), server.ask(101)]
    assert all(isinstance(late, SlowStoreError) for late in await asyncio.gather(*asks, return_exceptions=True))
    await asyncio.sleep(2)
    assert {(lobby.place.guild_id, lobby.host_id) for lobby in server.directory.open_lobbies()} == {
        (1, ANA),
        (9, ANA),
        (1, 101),
    }


@in_virtual_time
async def test_a_retry_is_refused_when_the_first_command_is_refused_late() -> None:
    server = Server(delay=0.001)
    for number in range(1, 6):
        assert await server.ask() == OpenedTable(number, is_former=False)
    with pytest.raises(RefusedError, match="wait for players"):
        await server.ask()
    await server.directory.lobbies.update(3, lambda lobby: lobby.closed(Status.CANCELLED))
    assert await server.ask() == OpenedTable(6, is_former=False)


@pytest.mark.parametrize("quick", [True, False])
@in_virtual_time
async def test_a_double_press_leads_to_the_first_table(quick: bool) -> None:
    server = Server(delay=0.001)
    assert await server.ask(quick=quick, channel_id=5) == OpenedTable(1, is_former=False)
    await asyncio.sleep(2)
    assert await server.ask(quick=quick, channel_id=5) == OpenedTable(1, is_former=True)
    assert await server.ask(101, quick=quick, channel_id=5) == OpenedTable(2, is_former=False), "another person"
    assert await server.ask(quick=quick, channel_id=6) == OpenedTable(3, is_former=False), "another channel"
    await asyncio.sleep(4)
    assert await server.ask(quick=quick, channel_id=5) == OpenedTable(4, is_former=False), "a new wish"


@in_virtual_time
async def test_a_double_press_does_not_lead_to_a_closed_table() -> None:
    server = Server(delay=0.001)
    await server.ask(channel_id=5)
    await server.directory.lobbies.update(1, lambda lobby: lobby.closed(Status.CANCELLED))
    assert await server.ask(channel_id=5) == OpenedTable(2, is_former=False)
