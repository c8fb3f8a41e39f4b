"""What only the host and moderators may do by command at a running match: nothing of it for a stranger."""

from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import discord
import pytest

from bot.discord.api.interactions import RefusedError
from bot.discord.text.texts import ENGLISH, texts_for
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table_actions import Pause
from bot.ui.table import commands, departures
from bot.ui.table.commands import TableCommands
from bot.ui.table.departures import Departures
from bot.ui.words.refusals import lobby_refusal_text
from tests.discord.interactions.admission.test_rights import (
    CHANNEL,
    ELSEWHERE,
    GUILD,
    HOST,
    MANAGES_MESSAGES,
    NOTHING,
    PLAYER,
    STRANGER,
    Press,
    table,
)

MISSED = SimpleNamespace(id=PLAYER, display_name="Bruno")
FOR_HOSTS: dict[str, dict[str, Any]] = {
    "kick": {"member": MISSED},
    "substitute": {"member": MISSED},
    "pause": {},
    "resume": {},
    "absent": {"choice": Absence.ROBOT.value},
    "end": {},
}


NOT_HOST = lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_HOST), texts_for(ENGLISH))


class ChangedError(Exception):
    """The match would change now."""


class Match:
    """A match that is played, and raises ChangedError before it changes. `shown` is asked or said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lobby = replace(table(), status=Status.PLAYING)
        change = AsyncMock(side_effect=ChangedError)
        seating = Mock(open_seat_of=change, kick=change, end=change, change=self._change)
        self.match = Mock(lobby=self.lobby, submit=change, pause=None)
        self.directory = Mock(seating=seating)
        self.directory.lobby.return_value = self.lobby
        self.directory.table.return_value = self.match
        self.directory.all_damaged.return_value = ()
        self.directory.seating.has_played = AsyncMock(return_value=False)
        messages = Mock(still_unseen=AsyncMock(return_value=None))
        self.commands = TableCommands(self.directory, messages, Departures(self.directory, messages))
        self.shown = AsyncMock()
        monkeypatch.setattr(departures, "reply_panel", self.shown)
        monkeypatch.setattr(departures, "replace_absent_host", AsyncMock())
        monkeypatch.setattr(commands, "reply", self.shown)

    async def _change(self, _: object, chosen: Callable[[Lobby], Lobby | LobbyRefusal]) -> LobbyRefusal:
        outcome = chosen(self.lobby)
        if isinstance(outcome, LobbyRefusal):
            return outcome
        raise ChangedError

    async def ask(self, name: str, by: int, allowed: discord.Permissions = NOTHING) -> None:
        press = Press(by=by, there=allowed, at=allowed, is_here=True).made()
        press.id, press.locale = 1, discord.Locale.british_english
        asked = getattr(TableCommands, name).callback.__wrapped__
        await asked(self.commands, press, number=self.lobby.id, **FOR_HOSTS[name])


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> Match:
    return Match(monkeypatch)


def test_every_command_about_a_match_is_for_its_players_or_named_here() -> None:
    own = {"sign", "hand", "leave"}
    assert own | FOR_HOSTS.keys() == {each.name for each in TableCommands(Mock(), Mock(), Mock()).commands}


@pytest.mark.parametrize("name", sorted(FOR_HOSTS))
async def test_a_stranger_decides_nothing_about_a_match(match: Match, name: str) -> None:
    try:
        await match.ask(name, STRANGER)
        said = match.shown.call_args.args[1]
    except RefusedError as error:
        said = str(error)
    assert said == NOT_HOST


@pytest.mark.parametrize(("by", "allowed"), [(HOST, NOTHING), (STRANGER, MANAGES_MESSAGES)])
@pytest.mark.parametrize("name", sorted(FOR_HOSTS))
async def test_the_host_and_moderators_decide_about_a_match(
    match: Match, name: str, by: int, allowed: discord.Permissions
) -> None:
    with suppress(ChangedError):
        await match.ask(name, by, allowed)
        assert match.shown.call_args.args[1] != NOT_HOST  # a question comes first


@pytest.mark.parametrize("has_played", [False, True])
async def test_from_a_ranked_match_only_a_moderator_who_has_not_played_in_it_removes_players(
    match: Match, has_played: bool
) -> None:
    ranked = replace(match.lobby, is_ranked=True)
    match.match.lobby = match.directory.lobby.return_value = ranked
    match.directory.seating.has_played.return_value = has_played
    neutral = lobby_refusal_text(LobbyRefusal(LobbyCode.NOT_NEUTRAL), texts_for(ENGLISH))
    with pytest.raises(RefusedError, match=neutral) if has_played else nullcontext():
        await match.ask("kick", STRANGER, MANAGES_MESSAGES)
    assert match.shown.called is not has_played, "a question comes first"


@pytest.mark.parametrize(("by", "allowed", "at_any_time"), [(HOST, NOTHING, False), (STRANGER, MANAGES_MESSAGES, True)])
async def test_only_a_moderator_who_does_not_play_pauses_at_any_time(
    match: Match, by: int, allowed: discord.Permissions, at_any_time: bool
) -> None:
    with suppress(ChangedError):
        await match.ask("pause", by, allowed)
    match.match.submit.assert_called_once_with(Pause(at_any_time=at_any_time), press_id=1)


@pytest.mark.parametrize(("channel_id", "number"), [(CHANNEL, 7), (99, 8)])
async def test_the_hand_is_of_the_match_here_or_else_of_the_latest_in_the_server(
    match: Match, channel_id: int, number: int
) -> None:
    apart = replace(match.lobby, id=8, place=replace(match.lobby.place, channel_id=ELSEWHERE))
    lobbies = [apart, replace(match.lobby, id=7)]
    tables = {lobby.id: Mock(lobby=lobby) for lobby in lobbies}
    match.directory.alive_of.return_value, match.directory.table = lobbies, tables.get
    match.directory.seating.seen = AsyncMock()
    press: Any = Mock(user=Mock(id=PLAYER), guild_id=GUILD, channel_id=channel_id)
    assert await match.commands._own_seat(press, texts_for(ENGLISH)) == (tables[number], 1)
