"""Which table a press or a command without a number is about."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from bot.base.errors import StoreError
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.table_channel import FormerMessage
from bot.tables.table_store import DamagedTable
from bot.ui.table.which_table import offer_tables_to_close, running_match, running_match_here, table_of
from tests.discord.interactions.admission.test_rights import (
    CHANNEL,
    ELSEWHERE,
    GUILD,
    HOST,
    MANAGES_MESSAGES,
    PLAYER,
    SEES,
    Press,
    table,
)

LOBBY = replace(table(), id=7, status=Status.PLAYING)


def directory_of(*matches: Any, damaged: tuple[DamagedTable, ...] = ()) -> Any:
    lobbies = [match.lobby for match in matches]
    by_id = {match.lobby.id: match for match in matches}
    return Mock(
        alive_of=lambda user_id: [each for each in lobbies if user_id in each.people],
        alive_in=lambda guild_id: [each for each in lobbies if each.place.guild_id == guild_id],
        table=by_id.get,
        all_damaged=lambda: damaged,
    )


def match_of(lobby: Lobby = LOBBY, **state: Any) -> Any:
    return SimpleNamespace(**{"lobby": lobby, "pause": None, "is_over": False} | state)


def test_the_match_of_a_person_is_the_latest_of_a_server_or_channel() -> None:
    elsewhere = replace(LOBBY, id=9, place=replace(LOBBY.place, guild_id=GUILD + 1))
    apart = replace(LOBBY, id=8, place=replace(LOBBY.place, channel_id=ELSEWHERE))
    matches = [match_of(each) for each in (elsewhere, apart, LOBBY)]
    directory = directory_of(*matches)
    assert table_of(directory, PLAYER, GUILD) is matches[1]
    assert table_of(directory, PLAYER, GUILD, CHANNEL) is matches[2]
    assert table_of(directory, PLAYER, GUILD, 99) is None
    assert table_of(directory, 99, GUILD) is None


@pytest.mark.parametrize(("state", "is_running"), [({}, True), ({"pause": 1}, False), ({"is_over": True}, False)])
def test_a_match_that_is_paused_or_over_is_not_running(state: dict[str, Any], is_running: bool) -> None:
    match = match_of(**state)
    pressed: Any = Mock(user=Mock(id=PLAYER), guild_id=GUILD, channel_id=CHANNEL)
    for find in (running_match, running_match_here):
        assert find(directory_of(match), pressed) is (match if is_running else None)


@pytest.mark.parametrize(("channel_id", "is_here"), [(CHANNEL, True), (55, True), (ELSEWHERE, False)])
def test_a_match_in_a_thread_is_also_in_the_channel_of_its_post(channel_id: int, is_here: bool) -> None:
    match = match_of(replace(LOBBY, place=replace(LOBBY.place, post=FormerMessage(55, 6))))
    pressed: Any = Mock(user=Mock(id=PLAYER), guild_id=GUILD, channel_id=channel_id)
    assert running_match_here(directory_of(match), pressed) is (match if is_here else None)


@pytest.mark.parametrize(
    ("press", "numbers"),
    [
        (Press(by=HOST, there=SEES, is_here=True), [5, 7]),
        (Press(by=PLAYER, there=SEES, is_here=True), [7]),
        (Press(there=SEES | MANAGES_MESSAGES, at=MANAGES_MESSAGES, is_here=True), [5, 7]),
        (Press(there=SEES, is_here=True), []),
    ],
)
def test_a_damaged_table_is_offered_to_whoever_may_close_it(press: Press, numbers: list[int]) -> None:
    damaged = DamagedTable(5, LOBBY.place, HOST, "fr", 0, Status.PLAYING, StoreError("torn"))
    pressed = press.made()
    pressed.locale = "en-US"
    offered = offer_tables_to_close(directory_of(match_of(), damaged=(damaged,)), pressed, "")
    assert [choice.value for choice in offered] == numbers
