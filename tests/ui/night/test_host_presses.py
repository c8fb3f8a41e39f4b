"""Whom a host may sign up, and that banning is for server managers."""

from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.conditions import UNKNOWN
from bot.discord.api.custom_ids import NO_TABLE, Press
from bot.discord.api.interactions import RefusedError
from bot.nights.night import Night
from bot.tables.servers.bans import Ban
from bot.ui.night.host import host_presses
from bot.ui.night.host.host_presses import HostPresses
from bot.ui.night.verbs import HostVerb
from tests.discord.fakes import SetClock
from tests.ui.night.samples import night_of
from tests.ui.screens.common import AT, HOST
from tests.ui.walk import EN, words

BANNED, BOT, NEW, IN_IT = 1, 2, 3, HOST + 1


class Nights:
    """The nights of a host, one of which changes."""

    def __init__(self) -> None:
        self.night = night_of(4)
        self.live = self
        self.bans: Any = Mock(find_many=AsyncMock(return_value={BANNED: Ban(BANNED, AT)}), ban=AsyncMock())
        self.messages: Any = Mock(events=Mock(fault=AsyncMock(return_value=None)))

    async def candidates(self, _night: Night, people: list[Any]) -> dict[int, Any]:
        return {person.id: UNKNOWN for person in people}

    async def strengths(self, *_: object) -> dict[int, float]:
        return {}

    async def update(self, _night_id: int, change: Any) -> Night:
        self.night = change(self.night)
        return self.night


async def pressed(nights: Nights, verb: HostVerb, *more: str) -> Any:
    """What a host who does not manage the server is shown."""
    interaction: Any = Mock(user=Mock(id=HOST), permissions=discord.Permissions.none(), locale="en-US")
    answering: Any = HostPresses(nights, SetClock(AT))  # type: ignore[arg-type]
    return await answering._answer(interaction, nights.night, Press(NO_TABLE, verb, ""), more, EN)


async def test_a_host_signs_up_neither_bots_nor_banned_people(monkeypatch: pytest.MonkeyPatch) -> None:
    members = [Mock(discord.Member, id=number, bot=number == BOT, display_name=f"P{number}") for number in
               (BANNED, BOT, NEW, IN_IT)]  # fmt: skip
    monkeypatch.setattr(host_presses, "chosen_members", lambda _interaction: members)
    monkeypatch.setattr(host_presses, "defer", AsyncMock())
    nights = Nights()
    before = nights.night.people
    shown = words(await pressed(nights, HostVerb.ADD))
    assert nights.night.people - before == {NEW}
    assert "✅ Signed up: P3" in shown
    assert "P2 is a bot" in shown
    assert f"<@{BANNED}>" in shown


@pytest.mark.parametrize("verb", [HostVerb.BAN, HostVerb.BAN_NOW])
async def test_a_host_who_does_not_manage_the_server_bans_nobody(verb: HostVerb) -> None:
    nights = Nights()
    with pytest.raises(RefusedError, match="Only server managers can ban people"):
        await pressed(nights, verb, "1")
    nights.bans.ban.assert_not_called()
