"""The quiet message of the day: a server that fails keeps no other one waiting."""

from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.base.errors import StoreError
from bot.base.times import MINUTE_MS
from bot.daily.day import hour_at
from bot.discord.messages.posted_message import MessageAddress
from bot.tables.servers.settings import ServerSettings
from bot.ui.daily_post import feature
from bot.ui.daily_post.feature import DailyPost, DailyPostCommand
from tests.discord.fakes import SetClock


class Servers:
    """Three servers with a channel each; the settings of the first cannot be read."""

    def __init__(self) -> None:
        self.posted: list[int] = []
        self.noted: list[int] = []

    async def posts_due(self, _day: object, _hour: int) -> list[tuple[int, int]]:
        return [(guild_id, 10 * guild_id) for guild_id in (1, 2, 3) if guild_id not in self.noted]

    async def scores(self, *_: object) -> tuple[()]:
        return ()

    async def read(self, guild_id: int) -> ServerSettings:
        if guild_id == 1:
            raise StoreError("canceling statement due to statement timeout")
        return ServerSettings()

    async def change(self, guild_id: int, _change: object) -> None:
        self.noted.append(guild_id)

    def language(self, *_: object) -> str:
        return "en"

    def get_guild(self, _guild_id: int) -> None:
        return None

    async def post(self, _context: object, address: MessageAddress, *_: object, **_options: object) -> None:
        self.posted.append(address.guild_id)


async def test_a_server_that_the_database_refuses_does_not_delay_others(monkeypatch: pytest.MonkeyPatch) -> None:
    servers, clock = Servers(), SetClock(1_800_000_000_000)
    monkeypatch.setattr(feature, "post_once", servers.post)
    store = SimpleNamespace(scenes=servers, servers=servers)
    rooms = SimpleNamespace(client=servers, clock=clock, defaults=servers, live=Mock(), store=store)
    post = DailyPost(cast(Any, rooms), cast(Any, servers))
    assert await post._post() == clock.at + MINUTE_MS, "the first one is tried again"
    assert (servers.posted, servers.noted) == ([2, 3], [2, 3])


@pytest.mark.parametrize(("minutes", "is_today"), [(-1, True), (0, False), (1, False)])
async def test_the_first_post_comes_with_the_next_hour_of_that_number(
    minutes: int, is_today: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    today, settings, reply = date(2026, 11, 23), [ServerSettings()], AsyncMock()
    at, tomorrow = hour_at(today, 20), hour_at(today + timedelta(1), 20)
    monkeypatch.setattr(feature, "reply", reply)
    monkeypatch.setattr(feature, "check_not_timed_out", Mock())

    async def change(_guild_id: int, change: Any) -> None:
        settings.append(change(settings[-1]))

    everything, here = discord.Permissions.all(), {"guild_id": 1, "channel_id": 5, "locale": "en-US"}
    pressed: Any = Mock(permissions=everything, app_permissions=everything, user=Mock(id=7), **here)
    servers: Any = Mock(change=change)
    command = DailyPostCommand(servers, SetClock(at + minutes * MINUTE_MS))
    await DailyPostCommand.daily.callback.__wrapped__(command, pressed, 20)
    chosen = settings[-1]
    assert (chosen.daily_channel, chosen.daily_hour) == (5, 20)
    assert (chosen.daily_posted_day < today.toordinal()) is is_today
    assert f"<t:{(at if is_today else tomorrow) // 1000}:R>" in reply.call_args.args[1]
