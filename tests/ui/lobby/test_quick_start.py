"""Where *Play* seats a person: at the oldest quick start of the channel, or at their own one of the server."""

from dataclasses import replace
from typing import Any, Final
from unittest.mock import Mock

from bot.records.player import Player
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.table_channel import TableChannel
from bot.ui.lobby.quick_start import QuickStarts
from tests.tables.fakes import World, a_lobby
from tests.tables.virtual import LoopClock, in_virtual_time

HERE: Final = TableChannel(1, 2)
ANA, BRUNO, CHLOE = (Player(name, 100 + number) for number, name in enumerate(("Ana", "Bruno", "Chloé")))


class AnyRole:
    """A server without a role for players."""

    async def with_role_mention(self, call: Lobby) -> Lobby:
        return call


def quick_starts(world: World) -> QuickStarts:
    any_role: Any = AnyRole()
    return QuickStarts(world.directory, Mock(context=Mock(clock=LoopClock())), any_role)


def call_of(host: Player, place: TableChannel = HERE) -> Lobby:
    return replace(a_lobby(host, place=place), starts_at=LoopClock().now() + 30_000)


async def sit_down(starts: QuickStarts, person: Player, place: TableChannel = HERE) -> Lobby:
    seated = await starts.sit_down(call_of(person, place))
    assert isinstance(seated, Lobby)
    return seated


@in_virtual_time
async def test_a_person_is_seated_at_the_oldest_quick_start_of_the_channel() -> None:
    world = World()
    starts = quick_starts(world)
    opened = [await world.directory.lobbies.open(call_of(host)) for host in (ANA, BRUNO)]
    seated = await sit_down(starts, CHLOE)
    assert [seated.id] == [lobby.id for lobby in opened[:1] if isinstance(lobby, Lobby)]
    assert seated.seat_of(CHLOE.user_id or 0) is not None
    await starts.close()


@in_virtual_time
async def test_a_person_has_one_quick_start_in_each_server() -> None:
    starts = quick_starts(World())
    elsewhere = await sit_down(starts, ANA, TableChannel(9, 8))
    here = await sit_down(starts, ANA)
    assert here.place.guild_id == HERE.guild_id
    assert here.id != elsewhere.id
    assert (await sit_down(starts, ANA, TableChannel(HERE.guild_id, 3))).id == here.id
    await starts.close()
