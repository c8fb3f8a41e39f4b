"""An invitation that was not posted does not count; whom the table's channel is hidden from is not invited."""

from dataclasses import replace
from typing import Any, Final
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.discord.api.interactions import RefusedError
from bot.tables.servers.bans import Ban
from bot.tables.servers.settings import ROLE_PAUSE_MS, ServerSettings
from bot.ui.lobby import presses
from bot.ui.lobby.presses import Invitations
from tests.discord.fakes import SetClock
from tests.discord.interactions.admission.test_rights import table
from tests.ui.walk import EN

NOW: Final = 1_800_000_000_000
NEW, BANNED, BLIND, SEATED, INVITED = 11, 12, 13, 2, 15


class Server:
    """A table, its server's settings, and whether Discord takes posts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, fails: bool = False) -> None:
        self.lobby = replace(table(), invited=frozenset({INVITED}))
        self.settings = ServerSettings(players_mentioned_at=NOW - 2 * ROLE_PAUSE_MS)
        banned = {BANNED: Ban(BANNED, NOW + 1)}
        directory: Any = Mock(lobbies=Mock(update=self._update), bans=Mock(find_many=AsyncMock(return_value=banned)))
        servers: Any = Mock(change=self._change)
        self.invitations: Any = Invitations(directory, Mock(clock=SetClock(NOW)), servers)
        self.post = AsyncMock(side_effect=RefusedError("Discord is down.") if fails else None)
        monkeypatch.setattr(self.invitations, "_post", self.post)

    async def _update(self, _table_id: int, change: Any) -> Any:
        self.lobby = change(self.lobby)
        return self.lobby

    async def _change(self, _guild_id: int, change: Any) -> ServerSettings:
        self.settings = change(self.settings)
        return self.settings


def member(user_id: int) -> Any:
    channel = Mock(discord.TextChannel)
    channel.permissions_for = lambda who: discord.Permissions(view_channel=who.id != BLIND)
    guild = Mock(discord.Guild, get_channel_or_thread=lambda _id: channel)
    return Mock(discord.Member, id=user_id, bot=False, display_name=f"P{user_id}", guild=guild)


def pressed() -> Any:
    return Mock(guild_id=1, user=Mock(id=1, display_name="Ana"), locale="en-US")


@pytest.mark.parametrize("fails", [False, True])
async def test_people_count_as_invited_once_the_invitation_is_posted(
    fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(monkeypatch, fails=fails)
    monkeypatch.setattr(presses, "chosen_members", lambda _: [*map(member, (NEW, BANNED, BLIND, SEATED, INVITED))])
    inviting = server.invitations._invite_people(pressed(), server.lobby, EN)
    if fails:
        with pytest.raises(RefusedError):
            await inviting
        assert server.lobby.invited == {INVITED}
        return
    first, *notes = await inviting
    assert first == f"Invited: P{NEW}"
    assert server.lobby.invited == {INVITED, NEW}
    for part in (
        f"<@{BANNED}> is banned",
        f"P{BLIND} cannot see",
        f"P{SEATED} is already at",
        f"P{INVITED} is already",
    ):
        assert any(note.startswith(part) for note in notes), part
    assert len(notes) == 4


@pytest.mark.parametrize("fails", [False, True])
async def test_the_role_is_not_mentioned_again_soon_after_a_post(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    server, role = Server(monkeypatch, fails=fails), Mock(mentionable=True, mention="<@&7>", id=7)
    before = server.settings.players_mentioned_at
    if fails:
        with pytest.raises(RefusedError):
            await server.invitations._invite_role(pressed(), server.lobby, role)
        assert server.settings.players_mentioned_at == before
        return
    assert await server.invitations._invite_role(pressed(), server.lobby, role) == "Invited: <@&7>"
    assert server.settings.players_mentioned_at == NOW
    assert "was called a moment ago" in await server.invitations._invite_role(pressed(), server.lobby, role)
    assert server.post.call_count == 1
