"""Robots at a table: asked after every change, at their own pace, gone with the table."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from bot.game.actions import AcceptSign, CallKems, MakeGesture, NextRound, OpenHunt
from bot.game.events import GestureMade, MatchEnded, Phase
from bot.game.signs import GestureKind
from bot.game.views import SeatView
from bot.records.player import Player
from bot.robots import LEVELS, RobotLevel
from bot.robots.robot import Robot
from bot.tables.lobby.lobby import Status
from tests.tables.fakes import Intent, MemoryStore, ScriptedRobot, World, a_lobby, done

COFFEE = MakeGesture(3, GestureKind.REACT, "☕")
TEA = MakeGesture(3, GestureKind.REACT, "🍵")


def gestures(world: World) -> list[str]:
    return [event.text for event in world.watcher.events if isinstance(event, GestureMade) and event.seat == 3]


def once(view: SeatView) -> Intent | None:
    made = any(info.seat == 3 for info in view.table.gestures)
    return None if made or not view.table.round else Intent(COFFEE, 2000)


async def test_a_robot_acts_after_its_delay() -> None:
    world = World(robots=lambda _seat, _level: ScriptedRobot(once))
    table = await world.table(robots=1, sign_deadline=10)
    await asyncio.sleep(11.9)
    assert gestures(world) == []
    await asyncio.sleep(0.2)
    assert gestures(world) == ["☕"]
    await table.close()


async def test_each_robot_is_made_at_the_level_of_its_seat() -> None:
    made: dict[int, RobotLevel] = {}

    def make(seat: int, level: RobotLevel) -> ScriptedRobot:
        made[seat] = level
        return ScriptedRobot(lambda _view: None)

    directory = World(robots=make).directory
    robots = (Player("Zoé"), Player("Hugo", robot_level=RobotLevel.MASTER), Player("Inès"))
    lobby = await directory.lobbies.open(
        replace(a_lobby(robots=robots), has_random_teams=False, robot_level=RobotLevel.BEGINNER)
    )
    table = await directory.start(lobby.id)
    assert made == {1: RobotLevel.BEGINNER, 2: RobotLevel.MASTER, 3: RobotLevel.BEGINNER}
    await table.close()


async def test_other_moves_do_not_delay_a_robots_plan() -> None:
    world = World(robots=lambda _seat, _level: ScriptedRobot(once))
    table = await world.table(robots=1, sign_deadline=10)
    await asyncio.sleep(10.1)
    for _ in range(4):
        await asyncio.sleep(0.5)
        await done(table, MakeGesture(0, GestureKind.REACT, "🎲"))
    assert gestures(world) == ["☕"]


async def test_a_robot_that_decides_anew_replaces_its_plan() -> None:
    def script(view: SeatView) -> Intent | None:
        made = {info.seat for info in view.table.gestures}
        return None if 3 in made or not view.table.round else Intent(TEA if 0 in made else COFFEE, 2000)

    world = World(robots=lambda _seat, _level: ScriptedRobot(script))
    table = await world.table(robots=1, sign_deadline=10)
    await asyncio.sleep(11)
    await done(table, MakeGesture(0, GestureKind.REACT, "🎲"))
    await asyncio.sleep(10)
    assert gestures(world) == ["🍵"]


async def test_a_refused_robot_waits_before_it_thinks_again() -> None:
    robot = ScriptedRobot(lambda _view: Intent(OpenHunt(3), 0))  # the signs are not settled: always refused
    world = World(robots=lambda _seat, _level: robot)
    table = await world.table(robots=1)
    await asyncio.sleep(10.5)
    assert 10 <= len(robot.asked) <= 12
    await table.close()


async def test_a_robot_survives_a_failing_store_and_its_own_bugs() -> None:
    def broken(_view: SeatView) -> Intent | None:
        raise RuntimeError("a bug")

    world = World(robots=lambda _seat, _level: ScriptedRobot(broken))
    table = await world.hunting(robots=1)
    assert await done(table, MakeGesture(0, GestureKind.REACT, "🎲"))

    other = World(robots=lambda _seat, _level: ScriptedRobot(once))
    await other.table(robots=1, sign_deadline=10)
    await asyncio.sleep(10.1)
    other.store.failing = True
    await asyncio.sleep(5)
    other.store.failing = False
    await asyncio.sleep(4)
    assert gestures(other) == ["☕"]


async def test_a_closed_table_has_no_robots_left() -> None:
    for while_saving in (False, True):
        robot = ScriptedRobot(lambda view: Intent(COFFEE, 2000) if view.table.round else None)
        world = World(MemoryStore(delay=0.1), robots=lambda _seat, _level, robot=robot: robot)
        table = await world.table(robots=1, sign_deadline=10)
        await asyncio.sleep(11)
        before = world.store.uses
        while while_saving and world.store.uses == before:
            await asyncio.sleep(0.01)
        await table.close()
        asked, log = len(robot.asked), len(world.store.logs[table.id])
        await asyncio.sleep(60)
        assert (len(robot.asked), len(world.store.logs[table.id])) == (asked, log)


async def test_robots_resume_after_a_restart() -> None:
    world = World(robots=lambda _seat, _level: ScriptedRobot(once))
    await world.table(robots=1, sign_deadline=10)
    await asyncio.sleep(11)
    again = await world.restarted()
    await asyncio.sleep(2.1)
    assert gestures(again) == ["☕"]


async def test_robots_play_with_a_person_who_only_agrees_and_deals() -> None:
    """The real robots, through directory, table and deadlines, to the end of a match."""
    world = World(robots=lambda seat, level: Robot(Random(seat), LEVELS[level]), seed=3)
    table = await world.table(robots=3, target=2, auto_open=5, auto_next=5)
    for _ in range(3600):
        await asyncio.sleep(1)
        if table.is_over:
            break
        seat = table.lobby.seat_of(100)
        assert seat is not None
        for action in sorted(table.player_view(seat).legal, key=repr):
            if isinstance(action, AcceptSign | NextRound | OpenHunt):
                await table.submit(action)
                break
    assert isinstance(world.watcher.events[-1], MatchEnded)
    assert table.lobby.status is world.store.lobbies[table.id].status is Status.OVER
    await world.directory.close()


@pytest.mark.parametrize(("robots", "auto_next", "is_asked"), [(3, 20, False), (3, 0, True), (4, 20, True)])
async def test_the_next_round_is_dealt_when_its_countdown_ends(robots: int, auto_next: int, is_asked: bool) -> None:
    """Where a person sits, robots wait for it, or for the first person; without one they need none."""

    def wants_the_next_round(view: SeatView) -> Intent | None:
        return Intent(NextRound(view.seat), 1000) if view.table.phase is Phase.OVER else None

    world = World(robots=lambda _seat, _level: ScriptedRobot(wants_the_next_round))
    table = await world.hunting(robots=3, auto_next=auto_next)
    if robots == 4:
        table.seat(replace(table.lobby, players=tuple(Player(f"R{seat}") for seat in range(4))))
    await done(table, CallKems(0))
    ends_at = table.table_view().ends_at
    await asyncio.sleep(2)
    assert (table.table_view().round == 2) is is_asked
    if not is_asked:
        assert ends_at is not None
        await asyncio.sleep(17.9)
        assert table.table_view().round == 1
        await asyncio.sleep(0.2)
        assert table.table_view().round == 2
