"""Calls in one moment: the first that was made is the first, whichever arrived first."""

import asyncio

import pytest

from bot.base.errors import StoreError
from bot.game.actions import AnswerSweep, AskSweep, CallDouble, CallKems, CounterPlayer, MakeGesture, PutDown
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import CallKind, CallMargin, ChainOpened, CounterFailed, Outcome, PoolSwept, RoundEnded
from bot.game.signs import GestureKind
from bot.robots.level import RobotLevel
from bot.tables.match.photo_finish import Call
from bot.tables.match.table import Table
from bot.tables.match.table_actions import MoveOutcome, Refused, TableRefusal, TableRefusalCode
from tests.rules.table import Table as Scene
from tests.tables.fakes import Intent, MemoryStore, ScriptedRobot, World, dealt, done
from tests.tables.test_table import held
from tests.tables.virtual import LoopClock

SEVENS = "7S 7H 7D 7C"
PENDING = TableRefusal(TableRefusalCode.CALL_PENDING)
LATE = Refusal(Code.ROUND_OVER)


async def pressed(table: Table, action: Call, *, made: int, arrives: int, press_id: int | None = None) -> MoveOutcome:
    """A call that was made `made` milliseconds from now, and reaches the table `arrives` milliseconds from now."""
    now = LoopClock().now()
    await asyncio.sleep(arrives / 1000)
    return await table.submit(action, press_id=press_id, made_at=now + made)


async def hunting(scene: Scene | None = None, **changes: object) -> tuple[World, Table]:
    world = World(photo_finish_ms=200, **changes)  # type: ignore[arg-type]
    table = await (world.hunting() if scene is None else dealt(world, scene))
    return world, table


def margin_of(table: Table) -> tuple[int, CallKind, int] | None:
    """The rival of the call that ended the round, what it called, and by how many milliseconds it was later."""
    result = table.table_view().result
    margin = None if result is None else result.margin
    return None if margin is None else (margin.rival, margin.call, margin.milliseconds)


async def test_the_player_who_pressed_first_wins_although_the_press_arrived_later() -> None:
    _, table = await hunting(Scene(hands={"A": SEVENS}))
    kems = pressed(table, CallKems(2), made=0, arrives=120)
    counter = pressed(table, CounterPlayer(1, 0), made=84, arrives=90)
    said, late = await asyncio.gather(kems, counter)
    assert late == LATE
    assert not isinstance(said, Refused)
    assert [type(event) for event in said] == [CallMargin, RoundEnded]
    view = table.table_view()
    assert (view.result.outcome, margin_of(table)) == (Outcome.KEMS, (1, CallKind.COUNTER, 84))


async def test_the_first_to_arrive_wins_without_a_window() -> None:
    table = await dealt(World(), Scene(hands={"A": SEVENS}))
    kems = pressed(table, CallKems(2), made=0, arrives=120)
    counter = pressed(table, CounterPlayer(1, 0), made=84, arrives=90)
    late, said = await asyncio.gather(kems, counter)
    assert late == LATE
    assert not isinstance(said, Refused)
    view = table.table_view()
    assert (view.result.outcome, view.result.margin) == (Outcome.COUNTER, None)


async def test_a_call_after_the_window_is_too_late() -> None:
    _, table = await hunting(Scene(hands={"A": SEVENS}))
    kems = pressed(table, CallKems(2), made=0, arrives=230)
    counter = pressed(table, CounterPlayer(1, 0), made=10, arrives=20)
    assert (await asyncio.gather(kems, counter))[0] == LATE


async def test_other_moves_wait_until_the_calls_are_judged() -> None:
    _, table = await hunting()
    calling = asyncio.create_task(pressed(table, CounterPlayer(1, 0), made=0, arrives=0))
    await asyncio.sleep(0.1)
    assert await table.submit(PutDown(2, held(table, 2))) == PENDING
    assert await table.submit(MakeGesture(2, GestureKind.REACT, "☕")) == PENDING
    assert isinstance((await calling)[0], CounterFailed)  # type: ignore[index]
    await done(table, PutDown(2, held(table, 2)))


async def test_a_refused_call_delays_nobody() -> None:
    _, table = await hunting()
    before = LoopClock().now()
    assert await table.submit(CounterPlayer(1, 3)) == Refusal(Code.OWN_TEAM)
    assert LoopClock().now() == before
    await done(table, PutDown(2, held(table, 2)))


async def test_every_call_is_answered_with_its_own_outcome() -> None:
    """A counter that only costs a point lets the round go on, and the next call ends it."""
    _, table = await hunting(Scene(hands={"A": SEVENS}))
    false, kems, late, partner = await asyncio.gather(
        pressed(table, CounterPlayer(1, 2), made=0, arrives=0),
        pressed(table, CallKems(2), made=10, arrives=0),
        pressed(table, CounterPlayer(3, 0), made=30, arrives=10),
        pressed(table, CallKems(0), made=20, arrives=20),
    )
    assert isinstance(false[0], CounterFailed)  # type: ignore[index]
    assert (late, partner) == (LATE, LATE)
    assert kems[0].rival == 3, "the margin is to the next opponent, and nobody else"  # type: ignore[index,union-attr]
    assert table.table_view().scores == (1, 0), "a partner of the accused holds it, so that counter costs nothing"


async def test_the_margin_is_measured_to_a_valid_call() -> None:
    _, table = await hunting(Scene(hands={"A": SEVENS}))
    await done(table, CounterPlayer(1, 2))  # wrong, and the right to counter is lost
    answers = await asyncio.gather(
        pressed(table, CallKems(2), made=0, arrives=0),
        pressed(table, CounterPlayer(1, 0), made=5, arrives=0),
        pressed(table, CallDouble(0), made=6, arrives=0),
    )
    assert [type(event) for event in answers[0]] == [RoundEnded]  # type: ignore[union-attr]


async def test_calls_at_the_same_instant_go_by_arrival() -> None:
    _, table = await hunting(Scene(hands={"A": SEVENS}))
    kems, counter = await asyncio.gather(
        pressed(table, CallKems(2), made=5, arrives=50), pressed(table, CounterPlayer(1, 0), made=5, arrives=40)
    )
    assert kems == LATE
    assert isinstance(counter[0], CallMargin)  # type: ignore[index]
    assert counter[0].milliseconds == 0


async def test_a_partners_call_in_the_same_window_makes_a_double() -> None:
    scene = Scene(hands={"A": SEVENS, "C": "8S 8H 8D 8C"}, double="two_voices", chain=3)
    _, table = await hunting(scene)
    double, kems, counter = await asyncio.gather(
        pressed(table, CallDouble(0), made=60, arrives=80),
        pressed(table, CallKems(2), made=0, arrives=0),
        pressed(table, CounterPlayer(1, 0), made=90, arrives=90),
    )
    assert [type(event) for event in kems] == [CallMargin, ChainOpened]  # type: ignore[union-attr]
    assert isinstance(double[-1], RoundEnded)  # type: ignore[index]
    assert counter == LATE
    result = table.table_view().result
    assert (result.outcome, margin_of(table)) == (Outcome.DOUBLE, (1, CallKind.COUNTER, 90))


async def test_the_same_call_twice_counts_once() -> None:
    _, table = await hunting()
    answers = await asyncio.gather(
        pressed(table, CounterPlayer(1, 0), made=0, arrives=0, press_id=1),
        pressed(table, CounterPlayer(1, 0), made=150, arrives=150, press_id=2),
        pressed(table, CounterPlayer(1, 0), made=0, arrives=160, press_id=1),
    )
    assert answers[0] == answers[1] == answers[2]
    assert table.table_view().scores == (0, -1)
    assert await table.submit(CounterPlayer(1, 0), press_id=1) == ()


async def test_a_deadline_in_the_window_comes_after_the_call() -> None:
    world, table = await hunting(Scene(quiet=1, refusal_grace=5))
    await asyncio.sleep(1)
    await done(table, AskSweep(0))
    await done(table, AnswerSweep(1, agrees=False))
    await asyncio.sleep(4.9)
    await done(table, CounterPlayer(0, 1))
    await asyncio.sleep(1)
    latest = [event for event in world.watcher.events if isinstance(event, CounterFailed | PoolSwept)]
    assert [type(event) for event in latest] == [CounterFailed, PoolSwept]


async def test_when_a_call_is_not_saved_later_ones_are_not_judged() -> None:
    world, table = await hunting(Scene(hands={"A": SEVENS}))
    world.store.failing = True
    answers = await asyncio.gather(
        pressed(table, CallKems(2), made=0, arrives=0),
        pressed(table, CounterPlayer(1, 0), made=50, arrives=50),
        return_exceptions=True,
    )
    assert all(isinstance(answer, StoreError) for answer in answers)
    world.store.failing = False
    await done(table, CallKems(2))


async def test_a_call_counts_when_the_connection_is_lost_while_it_is_saved() -> None:
    world, table = await hunting(Scene(hands={"A": SEVENS}))
    world.store.lying = True
    with pytest.raises(StoreError):
        await table.submit(CallKems(2), press_id=9)
    world.store.lying = False
    assert await table.submit(CallKems(2), press_id=9) == ()
    assert table.table_view().scores == (1, 0)


async def test_a_gathered_call_counts_although_its_press_is_cancelled() -> None:
    _, table = await hunting(Scene(hands={"A": SEVENS}))
    calling = asyncio.create_task(table.submit(CallKems(2)))
    await asyncio.sleep(0.05)
    calling.cancel()
    await asyncio.sleep(0.3)
    assert table.table_view().scores == (1, 0)


async def test_closing_a_table_judges_its_calls_at_once() -> None:
    world, table = await hunting(Scene(hands={"A": SEVENS}), store=MemoryStore(delay=0.02))
    calling = asyncio.create_task(table.submit(CallKems(2)))
    await asyncio.sleep(0.05)
    before = LoopClock().now()
    await world.directory.close()
    assert not isinstance(await calling, Refused)
    assert LoopClock().now() - before < 100
    assert table.table_view().scores == (1, 0)


async def test_the_margin_is_there_after_a_restart() -> None:
    world, table = await hunting(Scene(hands={"A": SEVENS}))
    await asyncio.gather(
        pressed(table, CallKems(2), made=0, arrives=0), pressed(table, CounterPlayer(3, 0), made=7, arrives=9)
    )
    again = (await world.restarted()).directory.table(table.id)
    assert again.table_view() == table.table_view()
    assert margin_of(again) == (3, CallKind.COUNTER, 7)


async def test_a_robot_calls_at_the_instant_of_its_arrival() -> None:
    def counter(seat: int, _level: RobotLevel) -> ScriptedRobot:
        return ScriptedRobot(lambda view: Intent(CounterPlayer(seat, 0), 100) if view.table.phase == "hunt" else None)

    world = World(photo_finish_ms=200, robots=counter)
    table = await world.hunting(robots=1)
    answer = await pressed(table, CallKems(2), made=40, arrives=150)
    assert not isinstance(answer, Refused)
    assert margin_of(table) == (3, CallKind.COUNTER, 60)
