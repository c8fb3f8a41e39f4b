"""Which nights a person is shown, and who may lead one."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.nights.night import Night
from bot.tables.servers.bans import Ban
from bot.ui.night.night_reader import NightReader
from tests.ui.night.samples import CHANNEL, GUILD, night_of, over, plan_of, running
from tests.ui.screens.common import AT, HOST


def reader_of(*nights: Night, past: Collection[Night] = ()) -> NightReader:
    """The reader of a server with these nights in memory, the earliest first."""
    records = Mock(past=AsyncMock(return_value=past))
    rooms = Mock(nights=Mock(nights_in=lambda _guild_id: nights), store=Mock(night_records=records))
    return NightReader(rooms, Mock(), Mock())


def pressed_by(user_id: int) -> Any:
    return Mock(guild_id=GUILD, channel_id=CHANNEL, user=Mock(id=user_id))


def test_a_persons_night_is_their_own_then_a_running_one_then_the_next_one() -> None:
    first, coming, ended = running(4), replace(night_of(4), id=9), replace(over(4), id=6)
    people = tuple(replace(entrant, user_id=200 + entrant.number) for entrant in first.entrants)
    second = replace(first, id=8, plan=replace(first.plan, starts_at=AT + 1), entrants=people)
    player, other = pressed_by(201), pressed_by(1)
    every = reader_of(ended, first, second, coming)
    assert [every.shown_to(person) for person in (player, other)] == [second, first]
    assert reader_of(ended, coming).shown_to(player) == coming
    assert reader_of(ended, replace(ended, id=5)).shown_to(player) == replace(ended, id=5)
    assert reader_of().shown_to(player) is None


async def test_a_template_is_the_latest_night_of_its_title_that_the_presser_may_see() -> None:
    def titled(night_id: int, title: str, **plan: Any) -> Night:
        return replace(night_of(0), id=night_id, plan=plan_of(title=title, starts_at=AT + night_id, **plan))

    former = (titled(5, "Hidden", channel_id=99), titled(4, "Friday"), titled(3, "Sunday"))
    reader = reader_of(titled(6, "Friday"), titled(7, "Friday"), past=former)
    assert [night.id for night in await reader.templates(pressed_by(1), 9)] == [7, 3]
    assert [night.id for night in await reader.templates(pressed_by(HOST), 2)] == [7, 5], "the host of all"


@pytest.mark.parametrize("is_banned", [False, True])
async def test_a_planner_who_is_banned_leads_no_night(is_banned: bool) -> None:
    """Beside the rights of who manages the server, which stay."""
    night = night_of(8)
    assert night.host_id is not None
    banned = AsyncMock(return_value={night.host_id: Ban(night.host_id, 1)} if is_banned else {})
    defaults = Mock(of=AsyncMock(return_value=Mock(hosts_role=None)))
    rooms = Mock(defaults=defaults, directory=Mock(bans=Mock(find_many=banned)))
    reader = NightReader(rooms, Mock(), Mock())
    planner = Mock(user=Mock(id=night.host_id), permissions=discord.Permissions.none())
    assert await reader.hosts(planner, night) is not is_banned
    manager = Mock(user=Mock(id=night.host_id), permissions=discord.Permissions(manage_guild=True))
    assert await reader.hosts(manager, night)
