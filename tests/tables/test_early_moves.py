"""What is asked for a few seconds too early comes by itself: a sweep, and the next round after a changed sign."""

import asyncio

import pytest

from bot.game.actions import AcceptSign, AskSweep, CallKems, NextRound, ProposeSign, PutDown, Take
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import CardsDealt, SweepAsked
from bot.game.signs import SignPlan, emoji_sign, one_sign
from bot.game.state import Phase
from bot.tables.match.table import Table
from bot.tables.match.table_actions import TableRefusal, TableRefusalCode
from tests.tables.fakes import World, done

NEW = one_sign(emoji_sign("🎈"))


async def over(**rules: object) -> tuple[World, Table, SignPlan]:
    """A round is over, and seat 0 proposes another sign to seat 2; the sign until now."""
    world = World()
    table = await world.hunting(**rules)
    await done(table, CallKems(0))
    plan = table.seat_view(0).plan
    assert plan is not None
    await done(table, ProposeSign(0, NEW))
    return world, table, plan


async def test_the_deal_waits_for_the_answer_to_a_new_sign() -> None:
    _, table, _ = await over()
    answer = await table.submit(NextRound(1), press_id=1)
    assert isinstance(answer, TableRefusal)
    assert answer.code is TableRefusalCode.ANSWER_AWAITED
    await asyncio.sleep(2)
    assert table.table_view().phase is Phase.OVER
    await done(table, AcceptSign(2, NEW))
    await asyncio.sleep(0.1)
    assert table.table_view().round == 2
    assert table.seat_view(0).plan == NEW
    assert table.unanswered == ()


async def test_the_deal_waits_five_seconds_at_most() -> None:
    _, table, plan = await over()
    await asyncio.sleep(1)
    await table.submit(NextRound(1), press_id=1)
    await asyncio.sleep(3)
    await done(table, ProposeSign(2, one_sign(emoji_sign("🎻"))))  # that takes no more time
    await asyncio.sleep(0.9)
    assert table.table_view().phase is Phase.OVER
    await asyncio.sleep(0.2)
    assert table.table_view().round == 2
    assert table.seat_view(0).plan == plan
    assert table.unanswered == (0,)


@pytest.mark.parametrize(("after_s", "rounds"), [(14.9, 1), (19, 1), (20.1, 2)])
async def test_the_countdown_waits_for_the_answer_to_a_new_sign_too(after_s: float, rounds: int) -> None:
    world = World()
    table = await world.hunting(auto_next=15)
    await done(table, CallKems(0))
    await asyncio.sleep(14.8)
    await done(table, ProposeSign(0, NEW))
    await asyncio.sleep(after_s - 14.8)
    assert table.table_view().round == rounds


async def test_an_old_proposal_delays_nobody() -> None:
    _, table, _ = await over()
    await asyncio.sleep(5)
    await done(table, NextRound(1))
    assert table.table_view().round == 2


async def test_a_sweep_comes_when_its_time_does() -> None:
    world = World()
    table = await world.hunting(quiet=5)
    await asyncio.sleep(2)
    answer = await table.submit(AskSweep(0), press_id=1)
    assert isinstance(answer, TableRefusal)
    assert answer.code is TableRefusalCode.SWEEP_SOON
    await asyncio.sleep(2.9)
    assert table.table_view().phase is Phase.HUNT
    await asyncio.sleep(0.2)
    assert [event.seat for event in world.watcher.events if isinstance(event, SweepAsked)] == [0]


async def test_an_exchange_cancels_the_early_sweep() -> None:
    world = World()
    table = await world.hunting(quiet=5)
    await table.submit(AskSweep(0), press_id=1)
    await asyncio.sleep(1)
    await done(table, PutDown(1, table.seat_view(1).hand[0]))
    await done(table, Take(1, next(card for card in table.table_view().pool if card is not None)))
    await asyncio.sleep(20)
    assert not any(isinstance(event, SweepAsked) for event in world.watcher.events)


async def test_an_early_move_does_nothing_in_a_later_round() -> None:
    world = World()
    table = await world.hunting(quiet=5)
    await table.submit(AskSweep(0), press_id=1)
    await done(table, CallKems(0))
    await done(table, NextRound(1))
    await asyncio.sleep(20)
    assert not any(isinstance(event, SweepAsked) for event in world.watcher.events)
    assert sum(isinstance(event, CardsDealt) for event in world.watcher.events) == 2


async def test_an_early_move_of_a_robot_is_refused() -> None:
    table = await World().hunting(quiet=5)
    assert await table.submit(AskSweep(0)) == Refusal(Code.TOO_EARLY)
