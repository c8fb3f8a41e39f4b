"""Who may lead a night."""

from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.tables.servers.bans import Ban
from bot.ui.night.night_reader import NightReader
from tests.ui.night.samples import night_of


@pytest.mark.parametrize("is_banned", [False, True])
async def test_a_planner_who_is_banned_leads_no_night(is_banned: bool) -> None:
    """Beside the rights of who manages the server, which stay."""
    night = night_of(8)
    assert night.host_id is not None
    banned = AsyncMock(return_value={night.host_id: Ban(night.host_id, 1)} if is_banned else {})
    defaults = Mock(of=AsyncMock(return_value=Mock(hosts_role=None)))
    rooms = Mock(defaults=defaults, directory=Mock(bans=Mock(among=banned)))
    reader = NightReader(rooms, Mock(), Mock())
    planner = Mock(user=Mock(id=night.host_id), permissions=discord.Permissions.none())
    assert await reader.hosts(planner, night) is not is_banned
    manager = Mock(user=Mock(id=night.host_id), permissions=discord.Permissions(manage_guild=True))
    assert await reader.hosts(manager, night)
