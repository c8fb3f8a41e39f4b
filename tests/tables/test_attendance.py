"""People who are awaited in vain: called once, then done without in the way the host chose, back at any press."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.game.actions import AnswerSweep, AskSweep, CallKems, CounterPlayer, OpenHunt, ProposeSign, PutDown, Take
from bot.game.events import CardTaken
from bot.game.signs import emoji_sign, one_sign
from bot.records.player import Player
from bot.robots.level import RobotLevel
from bot.tables.attendance import AWAITED_MS, EARLY_MS, GRACE_MS
from bot.tables.lobby.lobby import Absence, Status
from bot.tables.match.table import Table
from bot.tables.match.table_actions import Resume
from tests.tables.fakes import PEOPLE, MemoryStore, ScriptedRobot, World, done, ok
from tests.tables.test_table import held
from tests.tables.virtual import LoopClock

AFK, GRACE, AWAITED = 90, GRACE_MS / 1000, AWAITED_MS / 1000


async def choose(world: World, table: Table, absence: Absence) -> None:
    ok(await world.directory.seating.change(table, lambda lobby: replace(lobby, absence=absence)))


async def active(world: World, table: Table, *seats: int, seconds: float) -> None:
    """These people do something every ten seconds, the others nothing."""
    for _ in range(round(seconds / 10)):
        for seat in seats:
            await world.directory.seating.seen(table, 100 + seat)
        await asyncio.sleep(10)


async def owing(world: World, seat: int) -> Table:
    """A hunt in which a seat has put a card down and has not taken one."""
    table = await world.hunting(take_limit=0)
    await done(table, PutDown(seat, held(table, seat)))
    return table


async def test_a_player_who_owes_a_card_is_called_once_and_then_a_robot_plays() -> None:
    asked: list[int] = []

    def robot(seat: int, _level: RobotLevel) -> ScriptedRobot:
        asked.append(seat)
        return ScriptedRobot(lambda _view: None)

    world = World(afk_seconds=AFK, robots=robot)
    table = await owing(world, 2)
    await active(world, table, 0, 1, 3, seconds=80)
    assert world.watcher.called == []
    await active(world, table, 0, 1, 3, seconds=10)
    assert world.watcher.called == [((2,), GRACE_MS)]
    await active(world, table, 0, 1, 3, seconds=GRACE)
    assert table.lobby.players[2] == replace(PEOPLE[2], is_away=True)
    assert asked == [2]
    assert (table.id, 102) in world.store.departures
    await active(world, table, 0, 1, 3, seconds=500)
    assert len(world.watcher.called) == 1
    # Any press gives the seat back at once, and the robot's mind is dropped.
    await world.directory.seating.seen(table, 102)
    assert table.lobby.players[2] == PEOPLE[2]
    assert world.store.departures == {}
    again = next(action for action in table.player_view(2).legal if isinstance(action, Take))
    await done(table, again)


async def test_a_player_who_is_called_early_stays_called_until_they_act() -> None:
    world = World(afk_seconds=AFK)
    table = await owing(world, 2)
    world.directory.attendance.call_early(table.id, {1, 2})
    await active(world, table, 0, 1, 3, seconds=EARLY_MS / 1000)
    assert world.watcher.called == [((2,), GRACE_MS)]
    await world.directory.seating.seen(table, 102)
    await active(world, table, 0, 1, 3, seconds=AFK - 10)
    assert len(world.watcher.called) == 1


async def test_a_player_for_whom_chance_takes_a_card_is_awaited_until_they_act() -> None:
    world = World(afk_seconds=AFK)
    table = await world.hunting(take_limit=45)
    await done(table, PutDown(2, held(table, 2)))
    await world.directory.seating.seen(table, 102)
    await active(world, table, 0, 1, 3, seconds=50)
    assert [event.seat for event in world.watcher.events if isinstance(event, CardTaken) and event.by_chance] == [2]
    assert table.table_view().seats[2].owes == 0, "the match goes on"
    await active(world, table, 0, 1, 3, seconds=30)
    assert world.watcher.called == []
    await active(world, table, 0, 1, 3, seconds=10)
    assert world.watcher.called == [((2,), GRACE_MS)]
    await active(world, table, 0, 1, 3, seconds=GRACE + 10)
    assert table.lobby.players[2] == replace(PEOPLE[2], is_away=True)
    await world.directory.seating.seen(table, 102)
    await active(world, table, 0, 1, 3, seconds=300)
    assert (table.lobby.players, len(world.watcher.called)) == (PEOPLE, 1), "who is back only waits"


async def test_a_player_who_lets_chance_take_and_plays_on_is_not_called() -> None:
    world = World(afk_seconds=AFK)
    table = await world.hunting(take_limit=45)
    await done(table, PutDown(2, held(table, 2)))
    await active(world, table, 0, 1, 3, seconds=50)
    await world.directory.seating.seen(table, 102)
    await active(world, table, 0, 1, 3, seconds=300)
    assert world.watcher.called == []


@pytest.mark.parametrize(("seconds", "calls"), [(0, 0), (3 * AFK, 1)])
async def test_a_table_may_set_for_how_long_it_waits(seconds: int, calls: int) -> None:
    world = World(afk_seconds=AFK)
    lobby = await world.lobby()
    await world.directory.lobbies.update(lobby.id, lambda present: replace(present, afk_seconds=seconds))
    assert isinstance(await world.directory.start(lobby.id), Table)
    await asyncio.sleep(3 * AFK - 1)
    assert world.watcher.called == []
    await asyncio.sleep(2)
    assert len(world.watcher.called) == calls


async def test_a_press_in_time_counts_as_presence() -> None:
    world = World(afk_seconds=AFK)
    table = await owing(world, 2)
    await active(world, table, 0, 1, 3, seconds=90)
    assert world.watcher.called
    await world.directory.seating.seen(table, 102)
    await active(world, table, 0, 1, 3, seconds=GRACE + 50)
    assert table.lobby.players == PEOPLE
    assert len(world.watcher.called) == 1


async def test_a_player_who_only_waits_is_not_called() -> None:
    world = World(afk_seconds=AFK)
    table = await world.hunting(sweep_vote=500)
    await active(world, table, 0, seconds=1000)
    assert world.watcher.called == []
    # Now the table waits for all the others, who have been quiet for long: they get a moment all the same.
    await done(table, AskSweep(0))
    await active(world, table, 0, seconds=AWAITED)
    assert [seats for seats, _ in world.watcher.called] == [(1, 2, 3)]


async def _sweep(table: Table) -> None:
    await asyncio.sleep(6)
    await done(table, AskSweep(0))
    for seat in (1, 3):
        await done(table, AnswerSweep(seat, agrees=True))


async def _duty(table: Table) -> None:
    await asyncio.sleep(6)
    await done(table, AskSweep(0))
    await done(table, AnswerSweep(2, agrees=False))


async def _show(table: Table) -> None:
    await done(table, CounterPlayer(1, 2))


@pytest.mark.parametrize(
    ("prepare", "rules"), [(_sweep, {"sweep_vote": 500}), (_duty, {"refusal_grace": 500}), (_show, {"show_delay": 500})]
)
async def test_every_duty_that_delays_the_others_counts(
    prepare: Callable[[Table], object], rules: dict[str, object]
) -> None:
    world = World(afk_seconds=AFK)
    table = await world.hunting(**rules)
    await prepare(table)  # type: ignore[misc]  # a coroutine
    await active(world, table, 0, 1, 3, seconds=100)
    assert [seats for seats, _ in world.watcher.called] == [(2,)]


async def test_a_stalling_dealer_and_partners_without_a_sign_are_called() -> None:
    world = World(afk_seconds=AFK)
    table = await world.table(sign_deadline=500, auto_open=0)
    await active(world, table, 0, 1, seconds=90)
    assert [seats for seats, _ in world.watcher.called] == [(2, 3)]
    world = World(afk_seconds=AFK)
    table = await world.table(sign_deadline=10, auto_open=0)
    others = {0, 1, 2, 3} - {table.table_view().dealer}
    await active(world, table, *others, seconds=100)
    assert [seats for seats, _ in world.watcher.called] == [(table.table_view().dealer,)]
    await active(world, table, *others, seconds=GRACE)
    await world.directory.seating.seen(table, 100 + table.table_view().dealer)
    await done(table, OpenHunt(table.table_view().dealer))


async def test_a_member_who_has_accepted_is_not_awaited() -> None:
    world = World(afk_seconds=AFK)
    table = await world.table(sign_deadline=500)
    await done(table, ProposeSign(0, one_sign(emoji_sign("🍀"))))
    await active(world, table, 1, 3, seconds=100)
    assert [seats for seats, _ in world.watcher.called] == [(2,)]


async def test_everybody_is_called_and_the_match_pauses_when_nobody_acts() -> None:
    world = World(afk_seconds=AFK)
    table = await world.hunting()
    await asyncio.sleep(AFK + 1)
    assert [seats for seats, _ in world.watcher.called] == [(0, 1, 2, 3)]
    await asyncio.sleep(GRACE)
    assert table.table_view().pause.by_itself  # type: ignore[union-attr]
    assert table.lobby.players == PEOPLE
    await asyncio.sleep(10_000)
    assert len(world.watcher.called) == 1
    await done(table, Resume())
    await asyncio.sleep(AFK - 1)
    assert len(world.watcher.called) == 1, "idle times count from the release"
    await asyncio.sleep(2)
    assert len(world.watcher.called) == 2


async def test_a_player_who_waits_for_a_stalling_dealer_is_not_called() -> None:
    world = World(afk_seconds=AFK)
    table = await world.table(sign_deadline=1)
    await asyncio.sleep(2)
    dealer = table.table_view().dealer
    await asyncio.sleep(5)
    await world.directory.seating.seen(table, 100 + dealer)  # last of all
    await asyncio.sleep(AFK + 1)
    assert [seats for seats, _ in world.watcher.called] == [(dealer,)]
    await asyncio.sleep(GRACE)
    assert [player.is_away for player in table.lobby.players if player is not None] == [
        seat == dealer for seat in range(4)
    ]
    assert table.table_view().pause is None
    await done(table, OpenHunt(dealer))  # as the robot does
    await asyncio.sleep(AFK - 5)
    assert len(world.watcher.called) == 1, "those who waited have as long as after any other move"
    await asyncio.sleep(6)
    assert len(world.watcher.called[1][0]) == 3


async def test_a_person_alone_among_robots_counts_as_everybody() -> None:
    world = World(afk_seconds=AFK)
    table = await world.table(robots=3, sign_deadline=500)
    await asyncio.sleep(AFK + GRACE + 1)
    assert table.table_view().pause is not None


@pytest.mark.parametrize(
    ("absence", "then"), [(Absence.WAIT, PEOPLE[2]), (Absence.SUBSTITUTE, replace(PEOPLE[2], is_open=True))]
)
async def test_the_host_may_have_everybody_wait_or_the_seat_opened(absence: Absence, then: Player) -> None:
    world = World(afk_seconds=AFK)
    table = await owing(world, 2)
    await choose(world, table, absence)
    await active(world, table, 0, 1, 3, seconds=1000)
    assert [seats for seats, _ in world.watcher.called] == [(2,)]
    assert table.lobby.players == (*PEOPLE[:2], then, PEOPLE[3])
    await world.directory.seating.seen(table, 102)
    assert table.lobby.players == PEOPLE


async def test_the_host_may_have_the_match_ended() -> None:
    world = World(afk_seconds=AFK)
    table = await owing(world, 2)
    await choose(world, table, Absence.END)
    await active(world, table, 0, 1, 3, seconds=90 + GRACE)
    assert world.directory.table(table.id) is None
    assert [lobby.status for lobby in world.watcher.gone] == [Status.CANCELLED]


async def test_a_substitution_that_was_not_saved_is_tried_again() -> None:
    world = World(afk_seconds=AFK)
    table = await owing(world, 2)
    await active(world, table, 0, 1, 3, seconds=90)
    world.store.failing, looks = True, world.watcher.looks
    await active(world, table, 0, 1, 3, seconds=GRACE + 60)
    assert table.lobby.players == PEOPLE
    assert world.watcher.looks > looks, "who was called has more time than they were told"
    assert world.directory.attendance.called(table.id)[2] > LoopClock().now()
    world.store.failing = False
    await active(world, table, 0, 1, 3, seconds=10)
    assert table.lobby.players[2].is_away  # type: ignore[union-attr]
    assert len(world.watcher.called) == 1


async def test_a_called_player_stays_called_until_they_act_or_idle_times_restart() -> None:
    world = World(afk_seconds=AFK)
    table = await world.hunting()
    called = world.directory.attendance.called
    await asyncio.sleep(AFK + 1)
    assert called(table.id).keys() == {0, 1, 2, 3}
    assert all(0 < until - LoopClock().now() < GRACE_MS for until in called(table.id).values())
    looks = world.watcher.looks
    await world.directory.seating.seen(table, 101)
    assert called(table.id).keys() == {0, 2, 3}
    assert world.watcher.looks == looks + 1
    await world.directory.seating.seen(table, 101)
    assert world.watcher.looks == looks + 1, "she was not called any more"
    world.directory.hold()
    await world.directory.resume()
    assert called(table.id) == {}
    assert world.watcher.looks > looks + 1


async def test_a_player_who_comes_back_while_being_replaced_stays() -> None:
    world = World(MemoryStore(delay=0.5), afk_seconds=AFK)
    table = await owing(world, 2)
    for _ in range(1000):
        await world.directory.seating.seen(table, 100)
        await asyncio.sleep(0.25)
        if len(world.watcher.called) == 1:
            break
    await asyncio.sleep(GRACE - 0.1)
    lock = world.directory.lock(table.id)
    async with lock:  # somebody else's change is being saved at that moment
        await asyncio.sleep(0.2)
        await world.directory.seating.seen(table, 102)
    await asyncio.sleep(5)
    assert table.lobby.players == PEOPLE


async def test_nobody_is_called_when_calls_are_off_or_the_match_is_over() -> None:
    world = World()
    await world.hunting()
    await asyncio.sleep(10_000)
    assert world.watcher.called == []
    world = World(afk_seconds=AFK)
    table = await world.hunting(target=1)
    await done(table, CallKems(0))
    await asyncio.sleep(10_000)
    assert world.watcher.called == []


async def test_an_absence_outlives_a_restart_and_everybody_gets_a_fresh_start() -> None:
    world = World(afk_seconds=AFK)
    table = await owing(world, 2)
    await active(world, table, 0, 1, 3, seconds=90 + GRACE)
    again = await world.restarted()
    found = again.directory.table(table.id)
    assert found.lobby == table.lobby
    assert found.lobby.players[2].is_away  # type: ignore[union-attr]
    await again.directory.seating.seen(found, 102)
    assert found.lobby.players == PEOPLE
    await asyncio.sleep(AFK - 1)
    assert again.watcher.called == []


async def test_nobody_is_called_while_the_bot_is_disconnected() -> None:
    world = World(afk_seconds=AFK)
    await world.hunting()
    await asyncio.sleep(60)
    world.directory.hold()
    await asyncio.sleep(1000)
    await world.directory.resume()
    await asyncio.sleep(AFK - 1)
    assert world.watcher.called == []
    await asyncio.sleep(2)
    assert [seats for seats, _ in world.watcher.called] == [(0, 1, 2, 3)]
