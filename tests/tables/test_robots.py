"""Robots at a table: asked after every change, at their own pace, gone with the table."""

from __future__ import annotations

import asyncio
from random import Random

from bot.game.actions import AcceptSign, MakeGesture, NextRound, OpenHunt
from bot.game.events import GestureMade, MatchEnded
from bot.game.signs.sign import GestureKind
from bot.game.views import SeatView
from bot.records.player import Player
from bot.robots import LEVELS, RobotLevel
from bot.robots.robot import Robot
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.match.table import Table
from tests.tables.fakes import HERE, Intent, MemoryStore, Recorder, ScriptedRobot, World, classic, done
from tests.tables.virtual import LoopClock, in_virtual_time

COFFEE = MakeGesture(3, GestureKind.REACT, "☕")
TEA = MakeGesture(3, GestureKind.REACT, "🍵")


def gestures(world: World) -> list[str]:
    return [event.text for event in world.watcher.events if isinstance(event, GestureMade) and event.seat == 3]


def once(view: SeatView) -> Intent | None:
    made = any(info.seat == 3 for info in view.table.gestures)
    return None if made or not view.table.round else Intent(COFFEE, 2000)


@in_virtual_time
async def test_a_robot_acts_after_its_delay() -> None:
    world = World(robots=lambda _seat: ScriptedRobot(once))
    table = await world.table(robots=1, sign_deadline=10)
    await asyncio.sleep(11.9)
    assert gestures(world) == []
    await asyncio.sleep(0.2)
    assert gestures(world) == ["☕"]
    await table.close()


@in_virtual_time
async def test_each_robot_is_made_at_the_level_of_its_seat() -> None:
    made: dict[int, RobotLevel] = {}

    def make(seat: int, level: RobotLevel) -> ScriptedRobot:
        made[seat] = level
        return ScriptedRobot(lambda _view: None)

    store = MemoryStore()
    directory = TableDirectory(
        clock=LoopClock(), store=store, journal=store, rng=Random(3), watcher=Recorder(), robots=make
    )
    lobby = await directory.open_lobby(
        place=HERE,
        host=Player("Ana", 100),
        rules=classic(),
        size=4,
        locale="fr",
        random_teams=False,
        robots=(Player("Zoé"), Player("Hugo", robot_level=RobotLevel.MASTER), Player("Inès")),
        robot_level=RobotLevel.BEGINNER,
    )
    table = await directory.start(lobby.id)
    assert made == {1: RobotLevel.BEGINNER, 2: RobotLevel.MASTER, 3: RobotLevel.BEGINNER}
    assert isinstance(table, Table)
    await table.close()


@in_virtual_time
async def test_a_lively_table_does_not_put_the_same_plan_off() -> None:
    world = World(robots=lambda _seat: ScriptedRobot(once))
    table = await world.table(robots=1, sign_deadline=10)
    await asyncio.sleep(10.1)
    for _ in range(4):
        await asyncio.sleep(0.5)
        await done(table, MakeGesture(0, GestureKind.REACT, "🎲"))
    assert gestures(world) == ["☕"]


@in_virtual_time
async def test_a_changed_mind_replaces_the_plan() -> None:
    def script(view: SeatView) -> Intent | None:
        made = {info.seat for info in view.table.gestures}
        return None if 3 in made or not view.table.round else Intent(TEA if 0 in made else COFFEE, 2000)

    world = World(robots=lambda _seat: ScriptedRobot(script))
    table = await world.table(robots=1, sign_deadline=10)
    await asyncio.sleep(11)
    await done(table, MakeGesture(0, GestureKind.REACT, "🎲"))
    await asyncio.sleep(10)
    assert gestures(world) == ["🍵"]


@in_virtual_time
async def test_a_refused_robot_waits_before_it_thinks_again() -> None:
    robot = ScriptedRobot(lambda _view: Intent(OpenHunt(3), 0))  # the signs are not settled: always refused
    world = World(robots=lambda _seat: robot)
    table = await world.table(robots=1)
    await asyncio.sleep(10.5)
    assert 10 <= len(robot.asked) <= 12
    await table.close()


@in_virtual_time
async def test_a_robot_survives_a_failing_store_and_its_own_bugs() -> None:
    def broken(_view: SeatView) -> Intent | None:
        raise RuntimeError("a bug")

    world = World(robots=lambda _seat: ScriptedRobot(broken))
    table = await world.hunting(robots=1)
    assert await done(table, MakeGesture(0, GestureKind.REACT, "🎲"))

    other = World(robots=lambda _seat: ScriptedRobot(once))
    await other.table(robots=1, sign_deadline=10)
    await asyncio.sleep(10.1)
    other.store.failing = True
    await asyncio.sleep(5)
    other.store.failing = False
    await asyncio.sleep(4)
    assert gestures(other) == ["☕"]


@in_virtual_time
async def test_a_closed_table_has_no_robots_left() -> None:
    for while_saving in (False, True):
        robot = ScriptedRobot(lambda view: Intent(COFFEE, 2000) if view.table.round else None)
        world = World(MemoryStore(delay=0.1), robots=lambda _seat, robot=robot: robot)
        table = await world.table(robots=1, sign_deadline=10)
        await asyncio.sleep(11)
        before = world.store.uses
        while while_saving and world.store.uses == before:
            await asyncio.sleep(0.01)
        await table.close()
        asked, log = len(robot.asked), len(world.store.logs[table.id])
        await asyncio.sleep(60)
        assert (len(robot.asked), len(world.store.logs[table.id])) == (asked, log)


@in_virtual_time
async def test_robots_resume_after_a_restart() -> None:
    world = World(robots=lambda _seat: ScriptedRobot(once))
    await world.table(robots=1, sign_deadline=10)
    await asyncio.sleep(11)
    again = await world.restarted()
    await asyncio.sleep(2.1)
    assert gestures(again) == ["☕"]


@in_virtual_time
async def test_robots_play_with_a_person_who_only_agrees_and_deals() -> None:
    """The real robots, through directory, table and deadlines, to the end of a match."""
    store, watcher, rng = MemoryStore(), Recorder(), Random(3)
    directory = TableDirectory(
        clock=LoopClock(),
        store=store,
        journal=store,
        rng=rng,
        watcher=watcher,
        robots=lambda seat, level: Robot(Random(seat), LEVELS[level]),
    )
    lobby = await directory.open_lobby(
        place=HERE, host=Player("Ana", 100), rules=classic(target=2, auto_open=5, auto_next=5), size=4, locale="fr"
    )
    for number in range(3):
        added = await directory.update(lobby.id, lambda current, name=f"Robot {number}": current.add_robot(name))
        assert isinstance(added, Lobby)
    table = await directory.start(lobby.id)
    assert not hasattr(table, "code")
    for _ in range(3600):
        await asyncio.sleep(1)
        if table.is_over:
            break
        seat = table.seat_of(100)
        assert seat is not None
        for action in sorted(table.player_view(seat).legal, key=repr):
            if isinstance(action, AcceptSign | NextRound | OpenHunt):
                await table.submit(action)
                break
    assert isinstance(watcher.events[-1], MatchEnded)
    assert table.lobby.status is store.lobbies[table.id].status is Status.OVER
    await directory.close()
