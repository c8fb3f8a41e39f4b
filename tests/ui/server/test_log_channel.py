"""What many events at once become in a server's log channel."""

from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.tables.servers.settings import ServerSettings
from bot.ui.server import moderation
from bot.ui.server.moderation import MOST_LINES, LogChannel


@pytest.mark.parametrize(("count", "last"), [(MOST_LINES, f"event {MOST_LINES - 1}"), (MOST_LINES + 3, "… and 3 more")])
async def test_a_burst_names_its_first_events_and_counts_the_others(
    count: int, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted = AsyncMock()
    monkeypatch.setattr(moderation, "post_once", posted)
    context: Any = Mock()
    context.client.get_guild.return_value.get_channel.return_value = Mock(discord.TextChannel, id=5)
    context.clock.now.return_value = 9
    defaults: Any = Mock(read=AsyncMock(return_value=ServerSettings(log_channel=5)), language=lambda *_: "en")
    waiting = [lambda _texts, number=number: f"event {number}" for number in range(count)]
    await LogChannel(context, defaults)._write(1, waiting)
    lines = posted.call_args.args[2].split("\n")
    assert lines[:MOST_LINES] == [f"event {number}" for number in range(MOST_LINES)]
    assert lines[-1].endswith(last)
