"""A paused match takes no move and lets no deadline fall; it goes on where it was, also after a restart."""

import asyncio

import pytest

from bot.base.errors import StoreError
from bot.game.actions import CallKems, MakeGesture, OpenHunt, PutDown
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import HuntOpened, MatchPaused, MatchResumed
from bot.game.signs import GestureKind
from bot.tables.match.table_actions import Pause, Resume, TableRefusal, TableRefusalCode
from tests.tables.fakes import Intent, ScriptedRobot, World, done
from tests.tables.test_table import held

PAUSED = TableRefusal(TableRefusalCode.PAUSED)
LATELY = TableRefusal(TableRefusalCode.PAUSED_LATELY)


async def test_a_pause_takes_no_move_and_no_deadline_falls_due() -> None:
    world = World()
    table = await world.hunting(auto_next=20)
    assert isinstance((await table.submit(Pause()))[0], MatchPaused)  # type: ignore[index]
    for action in (PutDown(0, held(table, 0)), CallKems(0), MakeGesture(0, GestureKind.REACT, "☕")):
        assert await table.submit(action) == PAUSED
    await asyncio.sleep(1000)
    assert isinstance((await table.submit(Resume()))[0], MatchResumed)  # type: ignore[index]
    await done(table, CallKems(0))
    await asyncio.sleep(15)
    await table.submit(Pause(at_any_time=True))
    await asyncio.sleep(1000)
    assert table.table_view().round == 1
    await table.submit(Resume())
    await asyncio.sleep(4.9)
    assert table.table_view().round == 1
    await asyncio.sleep(0.2)
    assert table.table_view().round == 2


@pytest.mark.parametrize(("paused", "rest"), [(5, 5), (300, 300), (600, 600), (3600, 600)])
async def test_a_match_must_run_as_long_as_it_was_paused_before_the_next_pause(paused: int, rest: int) -> None:
    world = World()
    table = await world.hunting()
    await done(table, Pause())
    await asyncio.sleep(paused)
    resumed, again = await asyncio.gather(table.submit(Resume()), table.submit(Pause()))
    assert again == LATELY
    assert (table.next_pause_at - resumed[0].at) // 1000 == rest  # type: ignore[index, union-attr]
    await asyncio.sleep(rest - 1)
    table = (await world.restarted()).directory.table(table.id)  # type: ignore[assignment]
    assert await table.submit(Pause()) == LATELY
    await asyncio.sleep(1)
    assert len(await done(table, Pause())) == 1
    assert await done(table, Pause()) == (), "it is paused already"


async def test_moderators_who_do_not_play_pause_at_any_time_and_so_does_the_table() -> None:
    table = await World().hunting()
    for pause in (Pause(at_any_time=True), Pause(by_itself=True), Pause(at_any_time=True)):
        assert len(await done(table, pause)) == 1
        await asyncio.sleep(1000)
        await done(table, Resume())
    await done(table, Pause(by_itself=True))
    await asyncio.sleep(1)
    await done(table, Resume())
    assert await table.submit(Pause()) == LATELY
    await asyncio.sleep(600)
    await done(table, Pause(by_itself=True))
    await asyncio.sleep(1000)
    await done(table, Resume())
    assert len(await done(table, Pause())) == 1, "what the table did by itself costs no time"


async def test_a_pause_that_is_asked_for_twice_happens_once() -> None:
    table = await World().hunting()
    assert await table.submit(Resume()) == ()
    answers = await asyncio.gather(table.submit(Pause()), table.submit(Pause()))
    assert [len(answer) for answer in answers if isinstance(answer, tuple)] == [1, 0]


async def test_a_paused_match_is_paused_after_a_restart() -> None:
    world = World()
    table = await world.table(auto_open=5)
    await table.submit(Pause(by_itself=True))
    paused = table.table_view()
    again = await world.restarted()
    await asyncio.sleep(500)
    found = again.directory.table(table.id)
    assert found.table_view() == paused
    assert await found.submit(OpenHunt(0)) == PAUSED
    (resumed,) = await done(found, Resume())
    assert found.table_view().ends_at == paused.phase_at + 90_000 + resumed.at - paused.pause.at


async def test_a_match_that_is_over_is_not_paused() -> None:
    table = await World().hunting(target=1)
    await done(table, CallKems(0))
    assert await table.submit(Pause()) == Refusal(Code.MATCH_OVER)
    assert await table.submit(Resume()) == Refusal(Code.MATCH_OVER)


async def test_a_pause_waits_for_the_photo_finish() -> None:
    table = await World(photo_finish_ms=200).hunting()
    calling = asyncio.create_task(table.submit(CallKems(0)))
    await asyncio.sleep(0.1)
    assert await table.submit(Pause()) == TableRefusal(TableRefusalCode.CALL_PENDING)
    await calling
    assert await table.submit(Pause()) != PAUSED


async def test_a_pause_that_is_not_saved_does_not_happen() -> None:
    world = World()
    table = await world.hunting()
    world.store.failing = True
    with pytest.raises(StoreError):
        await table.submit(Pause())
    world.store.failing = False
    await done(table, PutDown(0, held(table, 0)))


async def test_robots_make_no_moves_in_a_pause() -> None:
    opens = ScriptedRobot(lambda view: Intent(OpenHunt(3), 1000) if OpenHunt(3) in view.legal else None)
    world = World(robots=lambda _seat, _level: opens)
    table = await world.table(robots=1, auto_open=0, sign_deadline=10)
    while table.table_view().dealer != 3 or table.table_view().phase != "ready":
        world = World(robots=lambda _seat, _level: opens, seed=world.seed + 1)
        table = await world.table(robots=1, auto_open=0, sign_deadline=10)
        await asyncio.sleep(10.1)
    await table.submit(Pause())
    asked = len(opens.asked)
    await asyncio.sleep(100)
    assert len(opens.asked) == asked
    assert not any(isinstance(event, HuntOpened) for event in world.watcher.events)
    await table.submit(Resume())
    await asyncio.sleep(2)
    assert any(isinstance(event, HuntOpened) for event in world.watcher.events)
