"""One writer per match: races, failures, duplicates."""

import asyncio

import pytest

from bot.base.errors import StoreError
from bot.game.actions import MakeGesture, PutDown, Take
from bot.game.cards import Card
from bot.game.checks.refusals import Code, Refusal
from bot.game.events import CardPutDown, CardTaken, GestureMade
from bot.game.signs import GestureKind, Strategy
from bot.tables.match.logged_match import pool_slots
from bot.tables.match.table import Table
from tests.tables.fakes import MemoryStore, World, done


def gesture(seat: int, text: str = "☕") -> MakeGesture:
    return MakeGesture(seat, GestureKind.REACT, text)


def held(table: Table, seat: int) -> Card:
    """The seat's card that is least likely to make three alike in the pool."""
    view = table.seat_view(seat)
    groups = [card.group for card in view.table.pool if card is not None]
    return min((card for card in view.hand if card is not None), key=lambda card: groups.count(card.group))


async def test_one_of_two_players_who_reach_for_the_same_card_gets_it() -> None:
    table = await World(MemoryStore(delay=0.05)).hunting()
    wanted = table.table_view().pool[0]
    assert wanted is not None
    for seat in (0, 1):
        await done(table, PutDown(seat, held(table, seat)))
    answers = await asyncio.gather(*(table.submit(Take(seat, wanted)) for seat in (0, 1)))
    assert [type(answer) for answer in answers] == [tuple, Refusal]
    assert answers[1] == Refusal(Code.NOT_IN_POOL)
    assert wanted in table.seat_view(0).hand
    assert wanted not in table.seat_view(1).hand


async def test_the_log_and_the_listener_see_the_same_order() -> None:
    world = World(MemoryStore(delay=0.01))
    table = await world.hunting()
    await asyncio.gather(*(table.submit(gesture(n % 4, str(n))) for n in range(20)))
    log = world.store.logs[table.id]
    assert [entry.seq for entry in log] == list(range(1, table.seq + 1))
    assert [entry.event for entry in log] == world.watcher.events
    assert [entry.event.text for entry in log if isinstance(entry.event, GestureMade)] == [str(n) for n in range(20)]


async def test_a_move_that_is_not_saved_has_not_happened() -> None:
    world = World()
    table = await world.hunting()
    before, hand, told = table.table_view(), table.seat_view(0).hand, len(world.watcher.events)
    world.store.failing = True
    with pytest.raises(StoreError, match="The disk is full"):
        await table.submit(PutDown(0, held(table, 0)), press_id=1)
    assert (table.table_view(), table.seat_view(0).hand, len(world.watcher.events)) == (before, hand, told)
    world.store.failing = False
    assert await done(table, PutDown(0, held(table, 0)), press_id=1)


async def test_an_append_that_was_saved_despite_an_error_is_found_again() -> None:
    world = World()
    table = await world.hunting()
    card = held(table, 0)
    world.store.lying = True
    with pytest.raises(StoreError):
        await table.submit(PutDown(0, card), press_id=1)
    assert card in table.seat_view(0).hand
    world.store.lying = False
    assert await done(table, PutDown(0, card), press_id=1) == ()
    assert card in table.table_view().pool
    assert isinstance(world.watcher.events[-1], CardPutDown)


async def test_a_cancelled_press_leaves_memory_and_log_in_step() -> None:
    world = World(MemoryStore(delay=0.05))
    table = await world.hunting()
    press = asyncio.create_task(table.submit(PutDown(0, held(table, 0))))
    await asyncio.sleep(0.01)
    press.cancel()
    with pytest.raises(asyncio.CancelledError):
        await press
    await done(table, gesture(1))
    assert table.seq == len(world.store.logs[table.id])


async def test_the_same_press_acts_once() -> None:
    world = World(MemoryStore(delay=0.02))
    table = await world.hunting()
    answers = await asyncio.gather(*(table.submit(gesture(0), press_id=55) for _ in range(3)))
    assert [len(answer) for answer in answers if not isinstance(answer, Refusal)] == [1, 0, 0]
    again = (await world.restarted()).directory.table(table.id)
    assert again is not None
    assert await done(again, gesture(0), press_id=55) == ()
    assert await done(again, gesture(0), press_id=56) == (), "a moment later it is the same gesture"
    await asyncio.sleep(1)
    assert len(await done(again, gesture(0), press_id=57)) == 1


async def test_an_error_of_a_listener_does_not_reach_the_player() -> None:
    world = World()
    table = await world.hunting()
    world.watcher.broken = True
    assert await done(table, gesture(0))


async def test_a_closed_table_finishes_running_moves_and_refuses_later_ones() -> None:
    world = World(MemoryStore(delay=0.05))
    table = await world.hunting()
    running = asyncio.create_task(table.submit(gesture(0)))
    await asyncio.sleep(0.01)
    await table.close()
    assert not isinstance(await running, Refusal)
    assert await table.submit(gesture(0)) == Refusal(Code.MATCH_OVER)


async def test_an_exchange_goes_on_after_a_restart() -> None:
    world = World()
    table = await world.hunting()
    card = held(table, 2)
    await done(table, PutDown(2, card))
    views = [table.seat_view(seat) for seat in range(4)]
    again = (await world.restarted()).directory.table(table.id)
    assert [again.seat_view(seat) for seat in range(4)] == views
    assert (again.lobby, again.seq) == (table.lobby, table.seq)
    assert isinstance((await done(again, Take(2, card)))[0], CardTaken)


async def test_the_seat_of_each_person_is_known() -> None:
    table = await World().table(robots=1)
    assert [table.lobby.seat_of(user_id) for user_id in (100, 101, 102, 103)] == [0, 1, 2, None]


@pytest.mark.parametrize(
    ("seats", "strategies", "wide", "slots"),
    [
        (2, (), False, 6),
        (4, (), False, 8),
        (12, (), False, 12),
        (12, (), True, 10),
        (4, (Strategy.INTERMEDIATE,), False, 8),
        (4, (Strategy.INTERMEDIATE,), True, 6),
    ],
)
def test_the_pool_reserves_four_slots_and_one_for_each_player(
    seats: int, strategies: tuple[Strategy, ...], wide: bool, slots: int
) -> None:
    assert pool_slots(seats, strategies, has_wide_cards=wide) == slots
