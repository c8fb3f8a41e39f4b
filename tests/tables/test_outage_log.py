"""What a timer, a robot or a release cannot save is a line of the log, with the problem as a sentence and no traceback.

Nobody awaits these: the log is the only place where an outage of the store shows.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.game.actions import CallKems, PutDown
from bot.tables.lobby.lobby import Absence
from bot.tables.match.table_actions import Pause
from tests.tables.fakes import PEOPLE, Intent, ScriptedRobot, World, done
from tests.tables.test_table import held

HOUR = 3600
PROBLEM = "The disk is full."


async def _paused_match() -> World:
    world = World(paused_days=1)
    await done(await world.hunting(), Pause())
    return world


async def _lobby() -> World:
    world = World(lobby_minutes=60)
    await world.lobby()
    return world


async def _absent_player() -> World:
    world = World(afk_seconds=90)
    table = await world.hunting()
    await world.directory.seating.change(table, lambda lobby: replace(lobby, absence=Absence.END))
    return world


async def _deadline() -> World:
    world = World()
    await world.table(sign_deadline=10)
    return world


async def _owed_card() -> World:
    world = World()
    table = await world.hunting(take_limit=45)
    await done(table, PutDown(2, held(table, 2)))
    return world


async def _robot() -> World:
    world = World(robots=lambda seat, _level: ScriptedRobot(lambda view: Intent(PutDown(seat, min(view.hand)), 5000)))  # type: ignore[type-var]
    await world.hunting(robots=1)
    return world


async def _outage() -> World:
    world = World()
    await world.hunting()
    world.directory.hold()
    asyncio.get_running_loop().call_later(60, lambda: asyncio.ensure_future(world.directory.resume()))
    return world


@pytest.mark.parametrize(
    ("prepare", "event", "seconds"),
    [
        (_paused_match, "closing.not_saved", 25 * HOUR),
        (_lobby, "closing.not_saved", 2 * HOUR),
        (_absent_player, "absence.not_saved", 125),
        (_deadline, "deadline.not_saved", 125),
        (_owed_card, "deadline.not_saved", 125),
        (_robot, "robot.not_saved", 125),
        (_outage, "outage.not_saved", 125),
    ],
)
async def test_a_background_failure_is_one_line_in_an_outage(
    prepare: Callable[[], Awaitable[World]], event: str, seconds: int
) -> None:
    world = await prepare()
    world.store.failing = True
    with capture_logs() as logs:
        await asyncio.sleep(seconds)
    assert event in {entry["event"] for entry in logs}
    assert [entry for entry in logs if "exc_info" in entry or entry["log_level"] in ("error", "critical")] == []
    assert {entry["problem"] for entry in logs if entry["event"] == event} == {PROBLEM}
    world.store.failing = False
    await asyncio.sleep(120)
    await world.directory.close()


async def test_a_failed_call_that_others_wait_for_is_one_line_too() -> None:
    world = World(photo_finish_ms=200)
    table = await world.hunting()
    world.store.failing = True
    with capture_logs() as logs:
        answers = await asyncio.gather(*(table.submit(CallKems(seat)) for seat in (0, 1)), return_exceptions=True)
    assert [str(answer) for answer in answers] == [PROBLEM] * 2
    assert {entry["event"] for entry in logs} >= {"call.not_saved"}
    assert not any("exc_info" in entry or entry["log_level"] == "error" for entry in logs)
    assert table.lobby.players == PEOPLE
