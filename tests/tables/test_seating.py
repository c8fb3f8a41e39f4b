"""Leaving a running match, being sent away from it, stepping in: durable, and nobody gets at another team's secrets."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace

import pytest

from bot.base.errors import StoreError
from bot.conditions import EntryRules
from bot.game.actions import CallKems, MakeGesture, PutDown
from bot.game.signs import GestureKind
from bot.ladder.seasons import RankedRules
from bot.records.player import Player
from bot.robots.level import NAMES
from bot.tables.attendance import MISSED_MS
from bot.tables.lobby.lobby import Absence, Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.match.table_actions import Pause, Resume
from bot.tables.seating import come_back, go_away, leave, open_seat, open_seats, take_over
from bot.tables.table_store import FormerSeat
from tests.tables.fakes import HERE, PEOPLE, Intent, MemoryStore, ScriptedRobot, World, classic, done, ok
from tests.tables.test_table import held
from tests.tables.virtual import LoopClock

EMIL = Player("Emil", 200)


async def test_a_robot_takes_the_open_seat_of_a_leaver() -> None:
    world = World(robots=lambda seat, _level: ScriptedRobot(lambda view: Intent(PutDown(seat, min(view.hand)), 100)))  # type: ignore[type-var]
    table = await world.hunting()
    left = ok(await world.directory.seating.leave(table, 102))
    robot = left.players[2]
    assert (robot.is_robot, robot.is_open, robot.name in NAMES) == (True, True, True)
    assert world.store.lobbies[table.id].players == left.players
    assert world.store.departures[table.id, 102].seat == 2
    assert table.lobby.seat_of(102) is None
    await asyncio.sleep(0.2)
    assert table.table_view().seats[2].owes == 1, "the robot has put a card down"
    assert await world.directory.seating.leave(table, 102) == LobbyRefusal(LobbyCode.NOT_SEATED)


async def test_each_seat_records_when_a_substitute_played() -> None:
    world = World()
    table = await world.hunting()
    seating, clock = world.directory.seating, LoopClock()
    instants = []
    for change in (lambda lobby: go_away(lobby, [1]), lambda lobby: come_back(lobby, 101)):
        await asyncio.sleep(5)
        instants.append(clock.now())
        await seating.change(table, change)
    await asyncio.sleep(5)
    left_at = clock.now()
    left = ok(await seating.leave(table, 102))
    assert [player.handover_times for player in left.players if player] == [(), (*instants,), (0, left_at), ()]
    assert world.store.lobbies[table.id].players == left.players


async def test_another_present_player_becomes_the_host() -> None:
    world = World()
    table = await world.hunting()
    await world.directory.seating.change(table, lambda lobby: go_away(lobby, [1]))
    await world.directory.seating.leave(table, 100)
    assert table.lobby.host_id == 102
    await world.directory.seating.seen(table, 101)
    assert table.lobby.host_id == 102, "who comes back later is a guest"
    await world.directory.seating.change(table, lambda lobby: go_away(lobby, [2]))
    assert table.lobby.host_id == 101
    again = (await world.restarted()).directory.table(table.id)
    assert again.lobby.host_id == 101


async def test_when_the_last_person_leaves_the_match_is_broken_off() -> None:
    world = World()
    table = await world.table(robots=2)
    await world.directory.seating.leave(table, 100)
    assert world.directory.table(table.id) is table
    last = ok(await world.directory.seating.leave(table, 101))
    assert last.status is Status.CANCELLED
    assert world.directory.table(table.id) is None
    assert world.store.lobbies[table.id].status is Status.CANCELLED
    assert [lobby.id for lobby in world.watcher.gone] == [table.id]


async def test_a_match_ends_when_somebody_leaves_if_the_host_chose_so() -> None:
    world = World()
    table = await world.hunting()
    await world.directory.seating.change(table, lambda lobby: replace(lobby, absence=Absence.END))
    await world.directory.seating.leave(table, 103)
    assert world.directory.table(table.id) is None
    assert (table.id, 103) in world.store.departures


async def _where_it_ends() -> tuple[World, Table]:
    world = World(MemoryStore(asked=RankedRules()))
    table = await world.hunting()
    await world.directory.seating.change(table, lambda lobby: replace(lobby, absence=Absence.END))
    return world, table


async def _the_last_person() -> tuple[World, Table]:
    world = World()
    return world, await world.hunting(robots=3)


@pytest.mark.parametrize("prepare", [_where_it_ends, _the_last_person])
@pytest.mark.parametrize("is_sent_away", [False, True])
async def test_leaving_and_the_end_that_follows_are_saved_together_or_not_at_all(
    prepare: Callable[[], Coroutine[None, None, tuple[World, Table]]], is_sent_away: bool
) -> None:
    happened: list[bool] = []

    async def leave_with_failure_at(step: int) -> None:
        world, table = await prepare()
        before = world.store.lobbies[table.id]
        world.store.fails_at = world.store.uses + step
        try:
            if is_sent_away:
                await world.directory.seating.kick(table, 100, by_id=9, is_moderator=True, is_charged=True)
            else:
                await world.directory.seating.leave(table, 100)
        except StoreError:
            assert (table.lobby, world.store.lobbies[table.id], world.store.departures) == (before, before, {})
            assert world.watcher.gone == []
            await done(table, PutDown(0, held(table, 0)))
            happened.append(False)
            return
        assert world.directory.table(table.id) is None
        assert world.store.lobbies[table.id].status is Status.CANCELLED
        assert world.store.departures == {(table.id, 100): FormerSeat(0, is_sent_away)}
        assert [lobby.id for lobby in world.watcher.gone] == [table.id]
        happened.append(True)

    steps = (1, 2, 3) if is_sent_away else (1, 2)  # it is looked up whether the moderator has played there
    for step in steps:
        await leave_with_failure_at(step)
    assert happened == [*(False for _ in steps[1:]), True]


async def test_a_match_that_ends_by_a_call_just_made_is_not_broken_off_by_leaving() -> None:
    world = World(MemoryStore(asked=RankedRules()), photo_finish_ms=200)
    table = await world.hunting(target=1)
    await world.directory.seating.change(table, lambda lobby: replace(lobby, absence=Absence.END))
    calling = asyncio.create_task(table.submit(CallKems(0)))
    await asyncio.sleep(0.05)
    assert await world.directory.seating.leave(table, 103) == LobbyRefusal(LobbyCode.MATCH_OVER)
    assert isinstance(await calling, tuple)
    assert (table.is_over, world.directory.table(table.id), world.store.departures) == (True, table, {})


async def test_a_match_to_which_nobody_comes_ends_without_a_leaver() -> None:
    world = World(MemoryStore(asked=RankedRules()), afk_seconds=60)
    table = await world.hunting()
    assert table.lobby.is_ranked
    await world.directory.seating.change(table, lambda lobby: replace(lobby, absence=Absence.END))
    await asyncio.sleep(60 + 31)
    assert [lobby.status for lobby in world.watcher.gone] == [Status.CANCELLED]
    assert world.store.departures == {}


async def test_ending_a_match_counts_as_leaving_only_if_it_was_saved() -> None:
    world = World(MemoryStore(asked=RankedRules()))
    table = await world.hunting()
    world.store.failing = True
    with pytest.raises(StoreError):
        await world.directory.seating.end(table, 101)
    world.store.failing = False
    assert (table.lobby.players, world.store.departures) == (PEOPLE, {})
    assert await world.directory.seating.end(table, 101)
    assert list(world.store.departures) == [(table.id, 101)]


async def test_somebody_steps_in_and_plays() -> None:
    world = World()
    table = await world.hunting()
    assert await world.directory.seating.take_over(table, 2, EMIL) == LobbyRefusal(LobbyCode.SEAT_TAKEN)
    await world.directory.seating.leave(table, 102)
    for seat in (-1, 4, 1):
        assert await world.directory.seating.take_over(table, seat, EMIL) == LobbyRefusal(LobbyCode.SEAT_TAKEN)
    assert await world.directory.seating.take_over(table, 2, PEOPLE[1]) == LobbyRefusal(LobbyCode.ALREADY_SEATED)
    answers = await asyncio.gather(
        world.directory.seating.take_over(table, 2, EMIL),
        world.directory.seating.take_over(table, 2, Player("Farah", 201)),
    )
    assert answers[1] == LobbyRefusal(LobbyCode.SEAT_TAKEN)
    assert table.lobby.players == (*PEOPLE[:2], EMIL, PEOPLE[3])
    await done(table, PutDown(2, held(table, 2)))
    again = (await world.restarted()).directory.table(table.id)
    assert again.lobby.seat_of(200) == 2


async def test_a_player_with_a_substitute_has_left_the_match() -> None:
    world = World()
    table = await world.hunting()
    await world.directory.seating.change(table, lambda lobby: open_seats(lobby, [1]))
    assert world.store.departures == {}
    await world.directory.seating.take_over(table, 1, EMIL)
    assert world.store.departures[table.id, 101].seat == 1
    await world.directory.seating.leave(table, 200)
    assert isinstance(await world.directory.seating.take_over(table, 1, PEOPLE[1]), Lobby)
    assert (table.id, 101) not in world.store.departures
    assert (table.id, 200) in world.store.departures


async def test_a_former_player_cannot_take_a_seat_in_another_team() -> None:
    world = World()
    table = await world.hunting()
    await world.directory.seating.leave(table, 102)
    await world.directory.seating.leave(table, 103)
    assert await world.directory.seating.take_over(table, 3, PEOPLE[2]) == LobbyRefusal(LobbyCode.OTHER_TEAM)
    assert isinstance(await world.directory.seating.take_over(table, 2, PEOPLE[2]), Lobby)


@pytest.mark.parametrize("newcomer", [102, 200])
async def test_only_people_who_meet_the_conditions_take_seats_in_a_ranked_match(newcomer: int) -> None:
    world = World(store=MemoryStore(asked=RankedRules(entry=EntryRules(days=7))))
    table = await world.hunting()
    world.newcomers.add(newcomer)
    await world.directory.seating.leave(table, 101)
    taken = await world.directory.seating.take_over(table, 1, EMIL)
    assert (taken == LobbyRefusal(LobbyCode.NOT_RANKED)) is (newcomer == 200)


async def test_one_new_player_makes_a_match_friendly() -> None:
    world = World(store=MemoryStore(asked=RankedRules(entry=EntryRules(days=7))), newcomers={103})
    assert (await world.table()).lobby.is_ranked is False
    world.newcomers.clear()
    assert (await world.table()).lobby.is_ranked is True


async def test_a_removed_player_cannot_come_back() -> None:
    world = World()
    table = await world.hunting()
    await world.directory.seating.kick(table, 102, by_id=100, is_moderator=False)
    assert await world.directory.seating.take_over(table, 2, PEOPLE[2]) == LobbyRefusal(LobbyCode.SENT_AWAY)
    assert isinstance(await world.directory.seating.take_over(table, 2, EMIL), Lobby)


async def test_a_change_of_seats_that_is_not_saved_has_not_happened() -> None:
    world = World()
    table = await world.hunting()
    world.store.failing = True
    with pytest.raises(StoreError):
        await world.directory.seating.leave(table, 102)
    assert table.lobby.players == PEOPLE
    world.store.failing = False
    assert isinstance(await world.directory.seating.leave(table, 102), Lobby)


async def test_two_players_who_leave_at_once_have_both_left() -> None:
    world = World(MemoryStore(delay=0.05))
    table = await world.hunting()
    await asyncio.gather(world.directory.seating.leave(table, 102), world.directory.seating.leave(table, 103))
    assert [player.is_robot for player in table.lobby.players if player] == [False, False, True, True]
    names = [player.name for player in table.lobby.players if player]
    assert len(set(names)) == 4
    assert world.store.lobbies[table.id].players == table.lobby.players


async def test_a_concurrent_move_or_move_of_the_message_does_not_undo_a_change_of_seats() -> None:
    world = World(MemoryStore(delay=0.05))
    table = await world.hunting()
    place = replace(table.lobby.place, message_id=77)
    gesture = MakeGesture(1, GestureKind.REACT, "☕")
    await asyncio.gather(
        world.directory.seating.leave(table, 102), world.directory.move(table.id, place), table.submit(gesture)
    )
    assert table.lobby.place == place
    assert table.lobby.seat_of(102) is None
    assert world.store.lobbies[table.id] == table.lobby


async def test_seats_stay_after_the_end_and_a_rematch_has_people_again() -> None:
    world = World()
    table = await world.hunting(target=1)
    await world.directory.seating.change(table, lambda lobby: go_away(lobby, [3]))
    await done(table, CallKems(0))
    await world.directory.seating.seen(table, 103)
    assert table.lobby.players[3] == replace(PEOPLE[3], is_away=True), "the match was lost without them"
    assert await world.directory.seating.leave(table, 100) == LobbyRefusal(LobbyCode.MATCH_OVER)
    again = ok(await world.directory.rematches.shuffle(HERE.guild_id, table.id, 100))
    assert again.players == PEOPLE


@pytest.mark.parametrize(
    ("by_id", "is_moderator", "is_allowed"),
    [(100, False, False), (100, True, False), (9, False, False), (9, True, True), (103, True, False)],
    ids=["host", "host who moderates", "nobody", "moderator", "moderator who has left"],
)
async def test_from_a_ranked_match_only_a_moderator_who_does_not_play_there_removes_players(
    by_id: int, is_moderator: bool, is_allowed: bool
) -> None:
    world = World(MemoryStore(asked=RankedRules()))
    table, seating = await world.hunting(), world.directory.seating
    assert table.lobby.is_ranked
    await seating.leave(table, 103)
    for remove in (seating.kick, seating.open_seat_of):
        outcome = await remove(table, 102, by_id=by_id, is_moderator=is_moderator)
        if not is_allowed:
            expected = LobbyCode.NOT_NEUTRAL if remove == seating.kick else LobbyCode.NOT_MISSED
            assert outcome == LobbyRefusal(expected)
            assert table.lobby.players[2] == PEOPLE[2]
            assert table.lobby.is_ranked
            continue
        assert isinstance(outcome, Lobby)
        assert world.store.lobbies[table.id].is_ranked is False, "it counts for nobody"
        again = (await world.restarted()).directory.table(table.id)
        assert again.lobby.is_ranked is False
        break


async def test_a_removed_player_may_be_charged_with_a_ranked_match() -> None:
    world = World(MemoryStore(asked=RankedRules()))
    table = await world.hunting()
    await world.directory.seating.kick(table, 102, by_id=9, is_moderator=True, is_charged=True)
    assert (table.lobby.is_ranked, world.store.lobbies[table.id].is_ranked) == (True, True)


async def test_the_host_removes_players_from_friendly_matches_and_opens_the_seats_of_absent_ones() -> None:
    friendly = World()
    table = await friendly.hunting()
    assert isinstance(await friendly.directory.seating.kick(table, 102, by_id=100, is_moderator=False), Lobby)
    world = World(MemoryStore(asked=RankedRules()))
    table = await world.hunting()
    await world.directory.seating.change(table, lambda lobby: go_away(lobby, [1]))
    opened = ok(await world.directory.seating.open_seat_of(table, 101, by_id=100, is_moderator=False))
    assert (open_seat(opened), opened.is_ranked) == (1, True)


@pytest.mark.parametrize("afk_seconds", [0, 90])
async def test_the_host_opens_the_seat_of_an_idle_player_even_when_nobody_is_called(afk_seconds: int) -> None:
    world = World(MemoryStore(asked=RankedRules()), afk_seconds=afk_seconds)
    table, seating = await world.hunting(), world.directory.seating

    async def opened() -> Lobby | LobbyRefusal:
        return await seating.open_seat_of(table, 101, by_id=100, is_moderator=False)

    missed_after = afk_seconds or MISSED_MS // 1000
    await done(table, PutDown(1, min(table.seat_view(1).hand)))  # the match waits for Bruno now
    for _ in range(missed_after // 30):
        assert await opened() == LobbyRefusal(LobbyCode.NOT_MISSED)
        await seating.seen(table, 100)  # the others are there
        await asyncio.sleep(30)
    await asyncio.sleep(1)
    assert bool(world.watcher.called) is bool(afk_seconds)
    found = ok(await opened())
    assert (open_seat(found), found.is_ranked) == (1, True)
    await seating.seen(table, 101)
    assert open_seat(table.lobby) is None, "he is back"
    assert await opened() == LobbyRefusal(LobbyCode.NOT_MISSED)


async def test_a_player_is_not_missed_while_the_match_is_paused() -> None:
    world = World(MemoryStore(asked=RankedRules()))
    table, seating = await world.hunting(), world.directory.seating
    await table.submit(Pause())
    await asyncio.sleep(MISSED_MS)
    outcome = await seating.open_seat_of(table, 101, by_id=100, is_moderator=False)
    assert outcome == LobbyRefusal(LobbyCode.NOT_MISSED)
    await table.submit(Resume())
    outcome = await seating.open_seat_of(table, 101, by_id=100, is_moderator=False)
    assert outcome == LobbyRefusal(LobbyCode.NOT_MISSED), "his time begins anew"
    await asyncio.sleep(MISSED_MS // 1000 + 1)
    outcome = ok(await seating.open_seat_of(table, 101, by_id=100, is_moderator=False))


def test_people_leave_come_back_and_open_seats_of_a_lobby() -> None:
    lobby = Lobby(1, HERE, 100, classic(), 4, PEOPLE, False, "fr", 0, Status.PLAYING)
    assert leave(lobby, 5, "Zoé") == LobbyRefusal(LobbyCode.NOT_SEATED)
    assert come_back(lobby, 5) == LobbyRefusal(LobbyCode.NOT_SEATED)
    assert come_back(lobby, 100) == lobby
    assert open_seat(lobby) is None
    opened = open_seats(go_away(lobby, [1, 2]), [2])
    assert open_seat(opened) == 2
    assert opened.people == {100: 0, 103: 3}
    taken = ok(take_over(opened, 2, EMIL))
    assert taken.people == {100: 0, 200: 2, 103: 3}
