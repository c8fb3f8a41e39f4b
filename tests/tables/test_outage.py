"""While nobody can act, because the bot is away or cut off from Discord, no clock runs against anybody."""

import asyncio

from bot.game.actions import MakeGesture, OpenHunt
from bot.game.events import Event, HuntOpened, MatchPaused, MatchResumed, Phase
from bot.game.signs import GestureKind
from bot.tables.match.table import Table
from bot.tables.match.table_actions import Pause, Resume
from tests.tables.fakes import Intent, ScriptedRobot, World, done
from tests.tables.virtual import EPOCH

HOUR = 3600.0


def log_of(world: World, table: Table) -> list[Event]:
    return [entry.event for entry in world.store.logs[table.id]]


async def test_a_restart_gives_back_the_time_of_an_outage() -> None:
    world = World()
    table = await world.table(sign_deadline=10)
    await asyncio.sleep(7)
    await world.directory.close()
    await asyncio.sleep(HOUR)
    again = (await world.restarted()).directory.table(table.id)
    await asyncio.sleep(9.9)  # since the last sign of life, the start of the match
    assert again.table_view().phase is Phase.SIGNS
    await asyncio.sleep(0.2)
    assert again.table_view().phase is Phase.READY


async def test_deadlines_count_from_the_last_sign_of_life_of_any_table() -> None:
    world = World()
    table, other = await world.table(sign_deadline=10), await world.hunting()
    await asyncio.sleep(6)
    await done(other, MakeGesture(0, GestureKind.REACT, "☕"))
    await asyncio.sleep(1)
    await world.directory.close()
    await asyncio.sleep(HOUR)
    again = (await world.restarted()).directory.table(table.id)
    await asyncio.sleep(3.8)
    assert again.table_view().phase is Phase.SIGNS
    await asyncio.sleep(0.4)
    assert again.table_view().phase is Phase.READY


async def test_no_deadline_falls_due_before_people_can_act_again() -> None:
    world = World()
    table = await world.table(sign_deadline=10)
    await world.directory.close()
    again = World(world.store)
    await again.directory.restore()
    await asyncio.sleep(HOUR)
    restored = again.directory.table(table.id)
    assert restored.table_view().phase is Phase.SIGNS
    assert len(log_of(world, table)) == 1


async def test_clocks_stop_when_discord_is_out_of_reach() -> None:
    world = World()
    table = await world.table(sign_deadline=10)
    await asyncio.sleep(7)
    world.directory.hold()
    await asyncio.sleep(HOUR)
    world.directory.hold()  # it is out of reach already
    await asyncio.sleep(HOUR)
    await world.directory.resume()
    await asyncio.sleep(2.8)
    assert table.table_view().phase is Phase.SIGNS
    await asyncio.sleep(0.4)
    assert table.table_view().phase is Phase.READY
    paused, resumed = log_of(world, table)[1:3]
    assert isinstance(paused, MatchPaused)
    assert paused.by_itself
    assert isinstance(resumed, MatchResumed)
    assert resumed.at - paused.at == 2 * HOUR * 1000
    again = (await world.restarted()).directory.table(table.id)
    assert again.table_view().phase is Phase.READY


async def test_a_short_outage_is_not_reported() -> None:
    world = World()
    table = await world.table(sign_deadline=10)
    world.directory.hold()
    await asyncio.sleep(0.9)
    await world.directory.resume()
    assert len(log_of(world, table)) == 1
    await asyncio.sleep(9.2)
    assert table.table_view().phase is Phase.READY


async def test_a_player_who_acts_is_present() -> None:
    """Presses that Discord kept for us come before it says that all is well; older ones do not start the clock."""
    world = World()
    table = await world.hunting(quiet=5)
    world.directory.hold()
    held_at = EPOCH + round(asyncio.get_running_loop().time() * 1000)
    await asyncio.sleep(60)
    await table.submit(MakeGesture(0, GestureKind.REACT, "☕"), made_at=held_at - 50)
    assert not any(isinstance(event, MatchResumed) for event in log_of(world, table))
    await asyncio.sleep(5)
    await table.submit(MakeGesture(1, GestureKind.REACT, "☕"), made_at=held_at + 64_000)
    await world.directory.resume()
    kinds = [type(event).__name__ for event in log_of(world, table)][-4:]
    assert kinds == ["GestureMade", "MatchPaused", "MatchResumed", "GestureMade"]
    instants = [event.at for event in log_of(world, table)]
    assert instants == sorted(instants)


async def test_robots_make_no_moves_in_an_outage() -> None:
    def opens(view: object) -> Intent | None:
        table = view.table  # type: ignore[attr-defined]  # a seat's view
        return Intent(OpenHunt(table.dealer), 500) if table.phase is Phase.READY else None

    world = World(robots=lambda _seat, _level: ScriptedRobot(opens))
    table = await world.table(robots=3, sign_deadline=10)
    await asyncio.sleep(10.2)
    assert table.table_view().phase is Phase.READY
    world.directory.hold()
    await asyncio.sleep(HOUR)
    assert not any(isinstance(event, HuntOpened) for event in world.watcher.events)
    await world.directory.resume()
    await asyncio.sleep(1)
    robots = set(table.lobby.robot_seats())
    opened = any(isinstance(event, HuntOpened) for event in world.watcher.events)
    assert opened == (table.table_view().dealer in robots)


async def test_an_outage_that_cannot_be_saved_is_tried_again() -> None:
    world = World()
    table = await world.table(sign_deadline=10)
    world.directory.hold()
    await asyncio.sleep(60)
    world.store.failing = True
    releasing = asyncio.create_task(world.directory.resume())
    await asyncio.sleep(20)
    world.store.failing = False
    await releasing
    await asyncio.sleep(9.5)
    assert table.table_view().phase is Phase.SIGNS
    await asyncio.sleep(1)
    assert table.table_view().phase is Phase.READY


async def test_a_match_that_people_paused_stays_paused() -> None:
    world = World()
    table = await world.table(sign_deadline=10)
    await table.submit(Pause())
    world.directory.hold()
    await asyncio.sleep(60)
    await world.directory.resume()
    assert table.table_view().pause is not None
    assert not any(isinstance(event, MatchResumed) for event in log_of(world, table))


async def test_a_match_that_is_paused_while_nobody_can_act_loses_no_time() -> None:
    """As it is when the bot finds at its start that a channel was deleted meanwhile."""
    world = World()
    table = await world.table(sign_deadline=10)
    await asyncio.sleep(7)
    world.directory.hold()
    await asyncio.sleep(HOUR)
    await table.submit(Pause(by_itself=True))
    await world.directory.resume()
    await asyncio.sleep(HOUR)
    await table.submit(Resume())
    await asyncio.sleep(2.8)
    assert table.table_view().phase is Phase.SIGNS
    await asyncio.sleep(0.4)
    assert table.table_view().phase is Phase.READY
