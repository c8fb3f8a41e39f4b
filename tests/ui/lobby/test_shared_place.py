"""A table for everybody opens in the channel of a thread, if the presser and the bot may write there."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.tables.servers.settings import ServerSettings
from bot.ui.lobby.places import Openings, UsableChannel

THREAD, PARENT = 5, 6
EVERYTHING, READS = discord.Permissions.all(), discord.Permissions(view_channel=True)


@pytest.mark.parametrize(
    ("presser", "own", "channels", "found"),
    [
        (EVERYTHING, EVERYTHING, (), (PARENT, True)),
        (READS, EVERYTHING, (), (THREAD, False)),
        (EVERYTHING, READS, (), (THREAD, False)),
        (EVERYTHING, EVERYTHING, (THREAD,), (THREAD, False)),
    ],
)
async def test_a_shared_table_opens_above_the_thread_where_everybody_may_write(
    presser: discord.Permissions,
    own: discord.Permissions,
    channels: tuple[int, ...],
    found: tuple[int, bool],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = Mock(discord.Member, id=1)
    guild = Mock(discord.Guild)
    parent = Mock(discord.TextChannel, id=PARENT, guild=guild, is_news=lambda: False)
    parent.permissions_for = lambda who: presser if who is user else own
    guild.get_channel_or_thread = {PARENT: parent}.get
    openings = Openings(Mock(settings=SimpleNamespace(table_threads=True)))
    here = UsableChannel(THREAD, ServerSettings(table_channels=channels), is_apart=False)
    monkeypatch.setattr(openings, "find_place", AsyncMock(return_value=here))
    pressed: Any = Mock(channel=SimpleNamespace(parent=parent), channel_id=THREAD, guild=guild, user=user)
    place = await openings.find_shared_place(pressed)
    assert (place.channel_id, place.is_apart) == found
