"""A lounge of an hour, with people coming and going."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.nights.course import QUEUE_MS, free_since, queue
from bot.nights.duties import Duty
from bot.nights.night import Night
from bot.nights.pairings import pair
from bot.nights.plan import Format
from bot.nights.rounds import TableResult
from bot.nights.standings import standings
from bot.nights.timetable import due
from tests.nights.evenings import MINUTE, STARTS_AT, done, planned


def people_move(night: Night, rng: Random, now: int) -> Night:
    """Tables end, somebody comes, somebody leaves."""
    for table in night.rounds[0].tables if night.rounds else ():
        if table.result is None and rng.random() < 0.1:
            night = done(night.table_ended(table.number, TableResult((0,) * table.teams), now))
    if rng.random() < 0.3:
        night = done(night.join(10_000 + len(night.entrants), "Passer-by", now))
    if night.present and rng.random() < 0.1:
        user_id = rng.choice(night.present).user_id
        assert user_id is not None
        night = done(night.leave(user_id))
    return night


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    people=st.integers(0, 14),
    size=st.sampled_from([4, 6, 8]),
    robots=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_nobody_sits_twice_or_waits_while_a_table_could_open(people: int, size: int, robots: bool, seed: int) -> None:
    rng = Random(seed)
    night = planned(people, format=Format.LOUNGE, size=size, fills_with_robots=robots)
    for minute in range(60):
        now = STARTS_AT + minute * MINUTE
        night = people_move(night, rng, now)
        while (duty := due(night, now)) is not None:
            if duty is Duty.REMIND:
                night = night.did(duty)
                continue
            assert duty is Duty.BEGIN_ROUND
            pairing = pair(night, rng)
            assert pairing.tables
            assert not pairing.byes
            night = done(night.begin_round(pairing, now))
        tables = night.rounds[0].tables if night.rounds else ()
        seats = [seat for table in tables if table.result is None for seat in table.seats if seat is not None]
        assert len(seats) == len(set(seats))
        waiting = queue(night)
        assert len(waiting) < size
        assert all(now - free_since(night, entrant) < QUEUE_MS for entrant in waiting if robots)
        assert len(waiting) < 4 or all(now - free_since(night, entrant) < QUEUE_MS for entrant in waiting[:4])
    assert len(standings(night)) >= len(night.present)
