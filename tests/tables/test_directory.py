"""The directory over a match's life: end, rematch, breaking off, damaged logs."""

import asyncio

import pytest
from structlog.testing import capture_logs

from bot.base.errors import StoreError
from bot.game.actions import CallKems, MakeGesture
from bot.game.events import MatchEnded, Phase
from bot.game.signs import GestureKind
from bot.tables import directory
from bot.tables.lobby.lobby import Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.match.table_actions import Pause, Resume
from tests.tables.fakes import HERE, PEOPLE, Intent, ScriptedRobot, World, a_lobby, done, ok


async def ended(world: World) -> Table:
    """A match that ended with a false Kem's, which gives the other team the only point."""
    table = await world.hunting(target=1)
    assert isinstance((await done(table, CallKems(0)))[-1], MatchEnded)
    return table


async def test_a_rematch_has_the_same_people_and_exists_once() -> None:
    world = World()
    table = await ended(world)
    assert table.lobby.status is Status.OVER
    first, second = await asyncio.gather(
        world.directory.rematches.shuffle(HERE.guild_id, table.id, 100),
        world.directory.rematches.shuffle(HERE.guild_id, table.id, 100),
    )
    assert first == second
    assert (first.players, first.status, first.rematch_of) == (PEOPLE, Status.OPEN, table.id)
    assert first.place.message_id is None
    again = await world.restarted()
    assert await again.directory.rematches.shuffle(HERE.guild_id, table.id, 100) == first


async def test_a_rematch_is_possible_after_a_restart_and_after_a_cancelled_one() -> None:
    world = await World().restarted()
    table = await ended(world)
    world = await world.restarted()
    assert world.directory.table(table.id) is None
    assert await world.directory.rematches.shuffle(HERE.guild_id, table.id, 999) == LobbyRefusal(
        LobbyCode.NOT_SEATED
    ), "somebody who only watched"
    first = ok(await world.directory.rematches.shuffle(HERE.guild_id, table.id, 100))
    await world.directory.lobbies.update(first.id, lambda current: current.closed(Status.CANCELLED))
    second = ok(await world.directory.rematches.shuffle(HERE.guild_id, table.id, 100))
    assert second.id != first.id


async def test_there_is_no_rematch_before_the_end_or_of_an_unknown_match() -> None:
    world = World()
    table = await world.hunting()
    assert await world.directory.rematches.shuffle(HERE.guild_id, table.id, 100) == LobbyRefusal(LobbyCode.NOT_OVER)
    assert await world.directory.rematches.shuffle(HERE.guild_id, 99, 100) == LobbyRefusal(LobbyCode.UNKNOWN_TABLE)


async def test_a_match_can_be_broken_off() -> None:
    world = World()
    table = await world.hunting()
    await world.directory.remove_match(table.id)
    assert world.directory.table(table.id) is None
    assert world.store.lobbies[table.id].status is Status.CANCELLED
    await world.directory.remove_match(table.id)
    assert (await world.restarted()).directory.tables() == ()


async def test_a_match_whose_end_is_not_saved_goes_on() -> None:
    world = World(
        robots=lambda _seat, _level: ScriptedRobot(lambda _view: Intent(MakeGesture(3, GestureKind.REACT, "☕"), 5_000))
    )
    table = await world.hunting(robots=1)
    world.store.failing = True
    with pytest.raises(StoreError):
        await world.directory.remove_match(table.id)
    assert (table.lobby.status, world.watcher.gone) == (Status.PLAYING, [])
    world.store.failing = False
    await done(table, MakeGesture(0, GestureKind.REACT, "🍀"))
    before = table.seq
    await asyncio.sleep(6)
    assert table.seq > before, "the robot plays on"
    await world.directory.remove_match(table.id)
    assert [lobby.status for lobby in world.watcher.gone] == [Status.CANCELLED]
    assert (await world.restarted()).directory.tables() == ()


async def test_an_ended_match_stays_as_it_ended() -> None:
    world = World()
    table = await ended(world)
    await world.directory.remove_match(table.id)
    assert world.store.lobbies[table.id].status is Status.OVER


async def test_only_the_latest_ended_matches_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "KEPT_OVER", 2)
    world = World()
    tables = [await ended(world) for _ in range(4)]
    await world.table()
    assert [table.id for table in world.directory.tables()] == [tables[2].id, tables[3].id, 5]


async def test_a_damaged_table_does_not_prevent_loading_the_others() -> None:
    world = World()
    good, gap, wrong = await world.hunting(), await world.hunting(), await world.hunting()
    lobby = await world.lobby(people=PEOPLE[:1])
    await world.directory.close()
    world.store.problems[gap.id] = StoreError(f"The log of table {gap.id} has a gap: its event 2 is missing.")
    del world.store.logs[wrong.id][0]
    again = World(world.store)
    await again.directory.restore()
    problems = [damaged.problem for damaged in again.directory.all_damaged()]
    assert [table.id for table in again.directory.tables()] == [good.id]
    assert again.directory.open_lobbies() == (lobby,)
    assert len(problems) == 2
    assert "gap" in str(problems[0])
    assert f"Table {wrong.id} cannot be continued" in str(problems[1])


async def test_a_match_whose_last_move_was_saved_after_all_is_not_broken_off() -> None:
    world = World()
    table = await world.hunting(target=1)
    world.store.lying = True
    with pytest.raises(StoreError):
        await table.submit(CallKems(0))
    world.store.lying = False
    assert not table.is_over
    world.store.failing = True
    with pytest.raises(StoreError):
        await world.directory.remove_match(table.id)
    assert world.directory.table(table.id) is table
    world.store.failing = False
    assert await world.directory.seating.end(table, 100)
    assert (table.is_over, table.lobby.status) == (True, Status.OVER)
    assert world.store.lobbies[table.id].status is Status.OVER
    assert world.watcher.gone == []
    assert isinstance(world.watcher.events[-1], MatchEnded)
    assert world.directory.table(table.id) is None


async def test_the_log_has_five_lines_for_the_life_of_a_table() -> None:
    world = World(lobby_minutes=60)
    with capture_logs() as logs:
        table = await world.hunting()
        await done(table, Pause())
        await done(table, Resume())
        await world.directory.remove_match(table.id)
        await world.lobby()
        await asyncio.sleep(3601)
    told = [(line["event"], line.get("status")) for line in logs if line["log_level"] == "info"]
    life = ["table.opened", "table.started", "table.paused", "table.resumed"]
    assert told == [
        *((event, None) for event in life),
        ("table.closed", "cancelled"),
        ("table.opened", None),
        ("table.closed", "expired"),
    ]
    await world.directory.close()


async def test_a_duel_begins_with_its_deal_in_one_write() -> None:
    world = World()
    lobby = ok(await world.directory.lobbies.open(a_lobby(size=2)))
    ok(await world.directory.lobbies.update(lobby.id, lambda now: now.join(PEOPLE[1])))
    table = await world.directory.start(lobby.id)
    assert isinstance(table, Table)
    assert (table.table_view().round, table.table_view().phase) == (1, Phase.READY)
