"""The table at which the help says that its reader sits."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.tables.lobby.lobby import Lobby
from bot.ui.help.feature import HelpCommand
from tests.discord.interactions.admission.test_rights import CHANNEL, ELSEWHERE, GUILD, PLAYER, table


@pytest.mark.parametrize(("channel_id", "number"), [(CHANNEL, 3), (99, 2)])
def test_the_own_table_is_the_one_here_or_else_the_latest_of_the_server(channel_id: int, number: int) -> None:
    here = replace(table(), id=3)
    hosted = replace(here, id=4, players=(None, None))
    youngest = replace(here, id=2, place=replace(here.place, channel_id=ELSEWHERE))
    other = replace(here, id=1, place=replace(here.place, guild_id=GUILD + 1))
    lobbies: list[Lobby] = [other, hosted, youngest, here]
    rooms: Any = SimpleNamespace(directory=SimpleNamespace(alive_of=lambda _user_id: lobbies))
    reader: Any = SimpleNamespace(user=SimpleNamespace(id=PLAYER), guild_id=GUILD, channel_id=channel_id)
    found = HelpCommand(rooms, {})._own(reader)
    assert found is not None
    assert found.id == number
