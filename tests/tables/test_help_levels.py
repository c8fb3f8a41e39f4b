"""Levels of help: read where somebody sits down, chosen at the table, and the same for all in a ranked match."""

from dataclasses import replace

import pytest

from bot.base.errors import StoreError
from bot.ladder.seasons import RankedRules
from bot.records.player import HelpLevel, Player
from bot.tables.lobby.help import Coaching
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.seating import open_seats
from tests.tables.fakes import PEOPLE, MemoryStore, World, a_lobby, ok

GUIDED, NORMAL, BARE = HelpLevel
ANA, BRUNO, CHLOE, DORA = (player.user_id or 0 for player in PEOPLE)
LEVELS = {ANA: BARE, BRUNO: NORMAL, CHLOE: GUIDED, DORA: BARE}


def world(**store: object) -> World:
    return World(MemoryStore(levels=dict(LEVELS), **store))  # type: ignore[arg-type]


def levels(lobby: Lobby) -> list[HelpLevel]:
    return [lobby.help.of(seat) for seat in range(lobby.size)]


def are_bare(lobby: Lobby) -> list[bool]:
    return [player is not None and player.has_no_marks for player in lobby.players]


async def test_a_player_who_sits_down_brings_their_level() -> None:
    lobby = await world().lobby()
    assert levels(lobby) == list(LEVELS.values())


async def test_robots_have_no_level_of_help() -> None:
    lobby = await world().lobby(robots=2)
    assert [player and player.help_level for player in lobby.players] == [BARE, NORMAL, None, None]


async def test_players_begin_guided_when_there_is_a_coach() -> None:
    for coaching in (Coaching.ON, Coaching.LESSONS):
        opened = await world().directory.lobbies.open(replace(a_lobby(PEOPLE[0]), coaching=coaching))
        assert ok(opened).help.of(0) is GUIDED


async def test_lessons_are_guided_whatever_is_chosen() -> None:
    lobby = ok(await world().directory.lobbies.open(replace(a_lobby(PEOPLE[0]), coaching=Coaching.LESSONS)))
    assert lobby.choose_level(ANA, BARE) == LobbyRefusal(LobbyCode.ONE_LEVEL)
    assert not lobby.help.is_chosen


@pytest.mark.parametrize("level", HelpLevel)
async def test_a_choice_holds_at_once_and_at_later_tables_and_after_a_restart(level: HelpLevel) -> None:
    first = world()
    table = await first.hunting()
    changed = ok(await first.directory.seating.choose_level(table, CHLOE, level))
    assert changed.help.of(2) is table.lobby.help.of(2) is level
    again = await first.restarted()
    restored = again.directory.table(table.id)
    assert isinstance(restored, Table)
    assert levels(restored.lobby) == [BARE, NORMAL, level, BARE]
    assert (await again.lobby()).help.of(2) is level


async def test_an_unsaved_choice_is_reported() -> None:
    first = world()
    table = await first.hunting()
    first.store.failing = True
    with pytest.raises(StoreError):
        await first.directory.seating.choose_level(table, CHLOE, BARE)
    assert table.lobby.help.of(2) is GUIDED


async def test_in_a_ranked_match_the_level_is_normal_for_all() -> None:
    ranked = world(asked=RankedRules())
    table = await ranked.hunting()
    assert table.lobby.is_ranked
    assert levels(table.lobby) == [NORMAL] * 4
    assert are_bare(table.lobby) == [False] * 4
    chosen = await ranked.directory.seating.choose_level(table, ANA, GUIDED)
    assert chosen == LobbyRefusal(LobbyCode.ONE_LEVEL)
    assert ranked.store.levels[ANA] is BARE, "it is not kept, either"


async def test_each_player_keeps_their_level_in_a_friendly_match() -> None:
    friendly = world(asked=RankedRules())
    table = await friendly.directory.start((await friendly.lobby()).id, is_friendly=True)
    assert isinstance(table, Table)
    assert sorted(levels(table.lobby)) == sorted(LEVELS.values())


async def test_a_match_counts_as_naked_eye_when_it_was_from_its_first_to_its_last_round() -> None:
    first = world()
    table = await first.hunting()
    assert are_bare(table.lobby) == [True, False, False, True]
    for level in (GUIDED, BARE):
        await first.directory.seating.choose_level(table, DORA, level)
    await first.directory.seating.choose_level(table, BRUNO, BARE)
    assert levels(table.lobby) == [BARE, BARE, GUIDED, BARE]
    assert are_bare(table.lobby) == [True, False, False, False]
    restored = (await first.restarted()).directory.table(table.id)
    assert isinstance(restored, Table)
    assert are_bare(restored.lobby) == [True, False, False, False]


async def test_a_substitute_brings_their_level_and_has_not_played_the_whole_match() -> None:
    first = world()
    first.store.levels[200] = BARE
    table = await first.hunting()
    await first.directory.seating.change(table, lambda lobby: open_seats(lobby, [0]))
    taken = ok(await first.directory.seating.take_over(table, 0, Player("Emil", 200)))
    assert (taken.help.of(0), are_bare(taken)[0]) == (BARE, False)


async def test_a_rematch_asks_for_the_level_again() -> None:
    first = world()
    table = await first.hunting()
    over = replace(table.lobby, status=type(table.lobby.status).OVER)
    again = ok(over.rematch())
    assert [player and player.help_level for player in again.players] == [None] * 4
    first.store.levels[BRUNO] = BARE
    assert levels(await first.directory.lobbies.open_seated(again)) == [BARE, BARE, GUIDED, BARE]
