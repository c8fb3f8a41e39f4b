"""Who can see a channel: what Discord has to be asked for goes by the bot's budget."""

import asyncio
from types import SimpleNamespace
from typing import Any, Self
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.discord.places import channel_access as module
from bot.discord.places.channel_access import ChannelAccess
from tests.discord.fakes import refused


class Requests:
    """Counts the slots that are taken, and what is sent in them."""

    def __init__(self) -> None:
        self.slots = self.sent = 0

    def permit(self) -> Self:
        return self

    async def __aenter__(self) -> Self:
        self.slots += 1
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def record_sent(self) -> None:
        self.sent += 1


async def test_repeated_lookups_share_one_request() -> None:
    requests: Any = Requests()
    access = ChannelAccess(requests)

    async def told() -> Any:
        return SimpleNamespace(id=7)

    for _ in range(3):
        assert (await access._ask((7,), told())).id == 7
    assert (requests.slots, requests.sent) == (1, 1)


async def test_a_press_does_not_wait_for_a_slow_lookup_and_the_next_press_repeats_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_PATIENCE_S", 0.01)
    requests: Any = Requests()
    access = ChannelAccess(requests)

    async def told(after_s: float) -> Any:
        await asyncio.sleep(after_s)
        return SimpleNamespace(id=7)

    assert await access._ask((7,), told(600)) is None
    assert (await access._ask((7,), told(0))).id == 7


async def test_a_private_thread_is_visible_only_to_its_members_even_after_a_cached_lookup() -> None:
    access, lea, bruno = ChannelAccess(Requests()), Mock(discord.Member, id=1), Mock(discord.Member, id=2)  # type: ignore[arg-type]
    thread = Mock(discord.Thread, is_private=lambda: True)
    thread.permissions_for = lambda _member: discord.Permissions(view_channel=True)
    thread.fetch_member = AsyncMock(side_effect=[refused(404, 10007), lea])
    guild = Mock(discord.Guild, get_channel_or_thread=lambda _id: None, fetch_channel=AsyncMock(return_value=thread))
    for person, seen in ((bruno, set()), (lea, {7}), (bruno, set())):
        asked: Any = SimpleNamespace(guild=guild, user=person, channel_id=1, response=Mock(is_done=lambda: True))
        assert await access.visible(asked, (7,)) == seen
