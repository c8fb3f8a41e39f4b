"""Nights that run by themselves from the sign-up to the final standings."""

from __future__ import annotations

from random import Random

from bot.nights.night import Night, NightStatus
from bot.nights.rounds import How, Pairing
from bot.tables.lobby.lobby import Status
from tests.tables.nights.evening import Evening, planned
from tests.tables.virtual import in_virtual_time


async def in_order(night: Night) -> Pairing:
    """Whoever is there, by lot, four at a table."""
    people = [entrant.number for entrant in night.present]
    Random(len(night.rounds)).shuffle(people)
    full = len(people) // 4 * 4
    return Pairing(tuple(tuple(people[at : at + 4]) for at in range(0, full, 4)), tuple(people[full:]))


@in_virtual_time
async def test_a_night_runs_by_itself() -> None:
    evening = Evening(pair_off=in_order)
    night = await evening.night(planned(rounds=2), 9)
    over = await evening.over(night.id)
    assert [len(turn.tables) for turn in over.rounds] == [2, 2]
    assert all(table.result is not None and table.table_id is not None for turn in over.rounds for table in turn.tables)
    assert {table.result.how for turn in over.rounds for table in turn.tables if table.result} <= {
        How.PLAYED,
        How.TIMED,
    }
    assert evening.face.reminded == [night.id]
    assert evening.face.recapped == [night.id]
    assert evening.matches() == {Status.OVER: 4}
    assert len(evening.face.threads) == 4


@in_virtual_time
async def test_a_night_without_people_is_cancelled() -> None:
    evening = Evening(pair_off=in_order)
    night = await evening.night(planned(), 2)
    gone = await evening.until(night.id, lambda night: night.is_finished)
    assert gone.status is NightStatus.CANCELLED
