"""A table keeps how each round ended, also when the next one was dealt in the same move, and after a restart."""

import asyncio
from dataclasses import replace

from bot.game.actions import CallKems, NextRound
from bot.records.player import Player
from tests.tables.fakes import World, done


async def test_a_round_that_was_followed_by_another_is_shown_as_it_ended() -> None:
    world = World()
    table = await world.hunting(auto_next="5")
    await done(table, CallKems(0))
    by_clock = table.table_view()
    await asyncio.sleep(6)
    assert table.table_view().round == 2
    assert table.former_rounds[0] == by_clock
    assert by_clock.result is not None
    assert len(table.former_rounds) == 1
    again = (await world.restarted()).directory.table(table.id)
    assert again.former_rounds[0] == by_clock


async def test_a_round_is_kept_when_a_player_deals_the_next_one() -> None:
    table = await World().hunting()
    await done(table, CallKems(1))
    ended = table.table_view()
    await done(table, NextRound(2))
    assert (table.former_rounds[0], table.table_view().round) == (ended, 2)


async def test_a_result_keeps_the_players_of_its_round_until_the_next_deal() -> None:
    table = await World().hunting()
    before = table.lobby.players
    after = replace(table.lobby, players=(Player("Emil", 200), *before[1:]))
    await done(table, CallKems(1))
    table.seat(after)
    table.seat(replace(after, players=(Player("Fanny", 201), *before[1:])))
    assert table.round_players == before
    await done(table, NextRound(2))
    assert table.round_players == table.lobby.players != before


async def test_a_player_who_sat_down_during_a_round_has_played_it() -> None:
    table = await World().hunting()
    table.seat(replace(table.lobby, players=(Player("Emil", 200), *table.lobby.players[1:])))
    await done(table, CallKems(1))
    assert table.round_players == table.lobby.players
