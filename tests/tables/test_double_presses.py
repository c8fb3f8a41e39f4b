"""Presses that come late or again: they act once, in the round they were meant for, or not at all."""

import asyncio

import pytest

from bot.game.actions import AccuseTeam, AskSweep, CallKems, CounterPlayer, GuessSign, NextRound, OpenHunt, PutDown
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import CounterFailed, SignGuessed
from bot.game.signs import Strategy, emoji_sign
from bot.tables.match.table import Table
from bot.tables.match.table_actions import TableRefusal, TableRefusalCode
from tests.rules.table import Table as Scene
from tests.tables.fakes import MemoryStore, World, dealt, done
from tests.tables.test_table import held

FORMER = TableRefusal(TableRefusalCode.FORMER_ROUND)


async def over(**rules: object) -> tuple[World, Table]:
    """A match whose first round has ended with a false Kem's."""
    world = World(MemoryStore(delay=0.02))
    table = await world.hunting(**rules)
    await done(table, CallKems(0))
    return world, table


async def test_the_next_round_is_dealt_once_however_many_ask_for_it() -> None:
    _, table = await over()
    answers = await asyncio.gather(*(table.submit(NextRound(seat), press_id=seat + 1, of_round=1) for seat in range(4)))
    assert [answer == FORMER for answer in answers] == [False, True, True, True]
    await done(table, OpenHunt(table.table_view().dealer))
    await done(table, CallKems(0))
    assert await table.submit(NextRound(0), of_round=1) == FORMER, "it would skip the result of the second round"
    assert table.table_view().round == 2
    await done(table, NextRound(0))


async def test_a_deadline_may_have_dealt_the_next_round_before_the_press() -> None:
    world, table = await over(auto_next=30)
    world.store.failing = True  # the timer cannot deal it
    await asyncio.sleep(31)
    world.store.failing = False
    assert await table.submit(PutDown(0, held(table, 0)), of_round=1) == FORMER
    assert table.table_view().round == 2


async def test_a_call_for_an_earlier_round_is_refused() -> None:
    _, table = await over(auto_next=1)
    await asyncio.sleep(2)
    await done(table, OpenHunt(table.table_view().dealer))
    assert await table.submit(CallKems(2), of_round=1) == FORMER
    assert table.table_view().scores == (0, 1)
    await done(table, CallKems(2))


async def test_a_call_for_an_earlier_round_does_not_enter_the_photo_finish() -> None:
    world = World(photo_finish_ms=200)
    table = await world.hunting()
    first, stale = await asyncio.gather(
        table.submit(CounterPlayer(1, 0), of_round=1), table.submit(CallKems(2), of_round=0)
    )
    assert isinstance(first[0], CounterFailed)  # type: ignore[index]
    assert stale == FORMER


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_false_counter_repeated_without_an_answer_costs_once(restarts: bool) -> None:
    world = World()
    table = await dealt(world, Scene("linternaute"))
    assert isinstance((await done(table, CounterPlayer(0, 1), press_id=1))[0], CounterFailed)
    if restarts:
        found = (await world.restarted()).directory.table(table.id)
        assert found is not None
        table = found
    await asyncio.sleep(2)
    assert await done(table, CounterPlayer(0, 1), press_id=2) == ()
    assert table.table_view().scores == (0, 1)
    assert await done(table, CounterPlayer(0, 3), press_id=3), "somebody else is another counter"
    await asyncio.sleep(1)
    assert await done(table, CounterPlayer(0, 1), press_id=4), "so is one that comes later"
    assert table.table_view().scores == (0, 3)


@pytest.mark.parametrize("restarts", [False, True])
async def test_the_same_false_counter_in_the_next_round_counts_again(restarts: bool) -> None:
    world, counter = World(), CounterPlayer(0, 1)
    table = await dealt(world, Scene("linternaute", auto_next=1, auto_open=1))
    assert await done(table, counter, press_id=1)
    await done(table, CallKems(1), press_id=2)
    await asyncio.sleep(2.5)
    assert table.table_view().round == 2
    if restarts:
        found = (await world.restarted()).directory.table(table.id)
        assert found is not None
        table = found
    assert isinstance((await done(table, counter, press_id=3))[0], CounterFailed)


async def test_a_wrong_guess_repeated_costs_once() -> None:
    table = await dealt(World(), Scene("yokai"))
    for press in (1, 2):
        await done(table, GuessSign(0, 1, (emoji_sign("🎲"),)), press_id=press)
    assert table.table_view().scores == (0, 2)
    assert isinstance((await done(table, GuessSign(0, 1, (emoji_sign("☕"),)), press_id=3))[0], SignGuessed)


async def test_a_repeated_accusation_counts_once() -> None:
    world = World()
    table = await dealt(world, Scene("classic", strategies="total"))
    for press in (1, 2):
        await done(table, AccuseTeam(0, 1, Strategy.TOTAL), press_id=press)
    assert len(table.table_view().reports) == 1


async def test_other_moves_are_harmless_when_repeated() -> None:
    world = World()
    table = await world.hunting(quiet=1)
    card = held(table, 0)
    await done(table, PutDown(0, card))
    assert await table.submit(PutDown(0, card)) == Refusal(Code.NOT_IN_HAND)
    again = next(action for action in table.player_view(0).legal if type(action).__name__ == "Take")
    await done(table, again)
    assert await table.submit(again) == Refusal(Code.HAND_FULL)
    await asyncio.sleep(2)
    await done(table, AskSweep(1))
    assert await table.submit(AskSweep(1)) == Refusal(Code.SWEEP_RUNNING)
