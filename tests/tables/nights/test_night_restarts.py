"""A bot that dies in the middle of a night, wherever that is: the next one goes on, and does nothing twice."""

import asyncio
from itertools import product

import pytest

from bot.nights.changes import HostStep, StepKind
from bot.nights.formats import KNOCKOUT
from bot.nights.night import Night, NightStatus
from bot.tables.lobby.lobby import Status
from bot.tables.table_store import all_servers
from tests.examples import combined, mostly_long
from tests.tables.nights.evening import GUILD, HOST, Evening, planned
from tests.tables.nights.test_live_nights import first_at, is_whole, playing, table_of


def nothing_was_done_twice(evening: Evening, over: Night) -> None:
    tables = [table for turn in over.rounds for table in turn.tables]
    assert is_whole(over)
    assert len({table.table_id for table in tables}) == len(tables)
    assert len(evening.face.threads) == len(tables)
    assert evening.matches() == {Status.OVER: len(tables)}, "no table was opened twice or left behind"
    assert evening.store.nights[over.id].is_wound_up


FEW = [*range(1, 8), 12, 19]
"""Changes of a kind each; the others are those of the second round, or of another table."""
OTHERS = [
    pytest.param(save, is_lost, marks=pytest.mark.long)
    for save, is_lost in product(range(1, 20), (False, True))
    if save not in FEW
]
SECONDS = [1, 59 * 60, 60 * 60 + 0.3, 60 * 60 + 5, 63 * 60, 64 * 60 + 20, 66 * 60]


@pytest.mark.parametrize(("save", "is_lost"), [*combined(FEW, [False, True]), *OTHERS])
async def test_a_night_does_nothing_twice_when_the_bot_dies_at_any_change(save: int, is_lost: bool) -> None:
    """The bot dies right after a change is stored, or right before."""
    evening = Evening()
    night = await evening.night(planned(rounds=2, round_minutes=4), 8)
    evening.store.dies_at, evening.store.is_lost = evening.store.saves + save, is_lost
    await evening.until(night.id, lambda _: evening.store.is_dead)
    again = await evening.restarted()
    over = await again.reviewed(night.id)
    nothing_was_done_twice(again, over)


@pytest.mark.parametrize("seconds", mostly_long(SECONDS, *SECONDS[::2]))
async def test_a_bot_that_stops_at_any_time_goes_on(seconds: float) -> None:
    evening = Evening()
    night = await evening.night(planned(rounds=2, round_minutes=4), 8)
    await asyncio.sleep(seconds)
    again = await evening.restarted(away_s=30)
    over = await again.reviewed(night.id)
    nothing_was_done_twice(again, over)


async def test_a_match_that_ended_while_nobody_listened_counts() -> None:
    """The process dies between the end of a match and the result of its table."""
    evening, night = await playing(planned(KNOCKOUT, round_minutes=0), paired=True)
    evening.store.failing = True
    for _ in range(3600):
        if Status.OVER in evening.matches():
            break
        await asyncio.sleep(1)
    evening.store.failing = False
    again = await evening.restarted()
    over = await again.over(night.id)
    assert is_whole(over)
    assert evening.matches() == {Status.OVER: 3}


async def test_another_process_takes_a_night_over() -> None:
    evening, night = await playing(planned(rounds=1))
    await evening.runner.release(all_servers)
    await evening.directory.release(all_servers)
    assert evening.live.nights_in(GUILD) == ()
    again = await evening.restarted()
    over = await again.reviewed(night.id)
    nothing_was_done_twice(again, over)
    assert evening.live.night(night.id) is None


async def test_a_bot_that_stops_saves_nothing_more() -> None:
    evening, night = await playing(planned(rounds=1))
    await evening.runner.close()
    saves = evening.store.saves
    await asyncio.sleep(3600)
    assert evening.store.saves == saves
    assert evening.store.nights[night.id].status is NightStatus.RUNNING


@pytest.mark.parametrize("dies", [False, True])
async def test_a_removed_person_leaves_their_table_once_the_store_works_again(*, dies: bool) -> None:
    """The night is saved without them; then the store fails, or the process dies."""
    evening, running = await playing(planned(rounds=1, round_minutes=30))
    await asyncio.sleep(30)
    one = first_at(evening, running, 1)
    table_id = table_of(evening, running, 1).id
    if dies:
        evening.store.dies_at = evening.store.saves + 1
        dropping = asyncio.ensure_future(
            evening.live.step(running.id, HostStep(StepKind.DROP, entrant=one, table=1), HOST)
        )
        await evening.until(running.id, lambda _: evening.store.is_dead)
        assert not dropping.done()
        evening = await evening.restarted()
    else:
        evening.tables.failing = True
        done = await evening.live.step(running.id, HostStep(StepKind.DROP, entrant=one, table=1), HOST)
        assert isinstance(done, Night)
        await asyncio.sleep(2)
        assert evening.tables.lobbies[table_id].seat_of(100 + one) is not None
        evening.tables.failing = False
    await asyncio.sleep(10)
    table = evening.directory.table(table_id)
    assert table is not None
    assert table.lobby.seat_of(100 + one) is None
    assert (table_id, 100 + one) in evening.tables.departures
    assert is_whole(await evening.over(running.id))
