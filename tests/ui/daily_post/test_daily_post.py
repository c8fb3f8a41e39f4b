"""The quiet message of the day: a server that fails keeps no other one waiting."""

from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest

from bot.base.errors import StoreError
from bot.base.times import MINUTE_MS
from bot.discord.messages.posted_message import MessageAddress
from bot.tables.servers.settings import ServerSettings
from bot.ui.daily_post import feature
from bot.ui.daily_post.feature import DailyPost
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

    async def post(self, _context: object, spot: MessageAddress, *_: object, **_options: object) -> None:
        self.posted.append(spot.guild_id)


async def test_a_server_that_the_database_refuses_keeps_no_other_one_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    servers, clock = Servers(), SetClock(1_800_000_000_000)
    monkeypatch.setattr(feature, "post_once", servers.post)
    store = SimpleNamespace(scenes=servers, servers=servers)
    rooms = SimpleNamespace(client=servers, clock=clock, defaults=servers, live=Mock(), store=store)
    post = DailyPost(cast(Any, rooms), cast(Any, servers))
    assert await post._post() == clock.at + MINUTE_MS, "the first one is tried again"
    assert (servers.posted, servers.noted) == ([2, 3], [2, 3])
