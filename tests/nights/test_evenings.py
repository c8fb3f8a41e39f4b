"""Twelve evenings each of 7, 13, 26 and 60 people, of whom some do not come, come late or leave: what holds in all."""

from collections.abc import Iterator
from random import Random

import pytest

from bot.nights.changes import Duty
from bot.nights.formats import LOUNGE
from bot.nights.night import Night
from bot.nights.plan import Format
from bot.nights.timetable import due, next_at
from tests.nights.evenings import MINUTE, come_and_go, pair, planned, scored

PEOPLE = (7, 13, 26, 60)
SEEDS = range(12)


def lived(form: Format, people: int, seed: int) -> Iterator[tuple[Night, int]]:
    """An evening by the clock, tables of 8 to 20 minutes: the night at each duty, and when."""
    night, rng, now, ends = planned(people, format=form, rounds=5), Random(seed), 0, dict[int, int]()
    while times := [at for at in (next_at(night), *ends.values()) if at is not None]:
        now = max(now, min(times))
        for number in [number for number, at in ends.items() if at <= now]:
            del ends[number]
            table = night.table(number)
            assert table is not None
            night = night.table_ended(number, scored(table, rng), now)
        match due(night, now):
            case None:
                continue
            case Duty.BEGIN_ROUND:
                night = night.begin_round(pair(night, rng), now)
                opened = night.rounds[-1].tables
                ends |= {
                    table.number: now + rng.randrange(8 * MINUTE, 20 * MINUTE)
                    for table in opened
                    if table.result is None and table.number not in ends
                }
                if now < night.plan.sign_up_until and (not form.is_open or rng.random() < 1 / len(opened)):
                    night = come_and_go(night, rng, now)
            case Duty.CALL_TIME:
                night = night.time_called(now)
                ends = {number: min(at, now + 2 * MINUTE) for number, at in ends.items()}
            case Duty.END_NIGHT:
                night = night.ended(now)
            case Duty.CANCEL:
                night = night.cancelled(now)
            case duty:
                night = night.did(duty)
        yield night, now


@pytest.mark.parametrize("people", PEOPLE)
def test_nobody_of_an_open_night_meets_the_same_three_twice_running_while_others_are_there(people: int) -> None:
    for seed in SEEDS:
        last, seen = dict[int, frozenset[int]](), 0
        for night, _ in lived(LOUNGE, people, seed):
            tables = night.all_tables
            for table in tables[seen:]:
                met = frozenset(table.people())
                others = {one.number for one in night.present} - met
                assert not others or not any(last.get(number) == met for number in met), (seed, table.number)
                last |= dict.fromkeys(met, met)
            seen = len(tables)
        assert seen
