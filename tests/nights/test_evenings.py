"""Evenings each of 7, 13, 26 and 60 people, of whom some do not come, come late or leave: what holds in all."""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random

import pytest

from bot.nights.changes import Duty
from bot.nights.formats import FORMATS, KNOCKOUT, LOUNGE, ROTATION, SWISS, NightFormat
from bot.nights.formats.lounge import QUEUE_MS, WAIT_MS, free_since
from bot.nights.night import Night, NightStatus
from bot.nights.plan import Format
from bot.nights.planning.length import advised_rounds, byes_per_round, ends_at, first_byes, length_ms
from bot.nights.timetable import due, next_at
from tests.examples import combined, mostly_long, seeds
from tests.nights.evenings import (
    MINUTE,
    MOST_DUTIES,
    STARTS_AT,
    after,
    come_and_go,
    pair,
    planned,
    scored,
    to_the_end,
    with_results,
)

PEOPLE = (7, 13, 26, 60)
TIMED = [form for form in FORMATS.values() if not form.is_open]
OPEN_TO = pytest.mark.parametrize("people", mostly_long(PEOPLE, *PEOPLE[:-1]))
EVENINGS = pytest.mark.parametrize("seeds", seeds(1, 12))


def lived(form: Format, people: int, seed: int) -> Iterator[tuple[Night, int]]:
    """An evening by the clock, tables of 8 to 20 minutes: the night at each duty, and when."""
    night, rng, now, ends = planned(people, format=form), Random(seed), 0, dict[int, int]()
    duties = count()
    while times := [at for at in (next_at(night), *ends.values()) if at is not None]:
        assert next(duties) < 10 * MOST_DUTIES, "the evening does not end"
        now = max(now, min(times))
        for number in [number for number, at in ends.items() if at <= now]:
            del ends[number]
            table = night.table(number)
            assert table is not None
            night = night.record_result(number, scored(table, rng), now)
        duty = due(night, now)
        if duty is None:
            continue
        if duty is Duty.START_ROUND:
            night = night.start_round(pair(night, rng), now)
            opened = night.rounds[-1].tables
            ends |= {
                table.number: now + rng.randrange(8 * MINUTE, 20 * MINUTE)
                for table in opened
                if table.result is None and table.number not in ends
            }
            if now < night.plan.sign_up_until and (not form.is_open or rng.random() < 1 / len(opened)):
                night = come_and_go(night, rng, now)
        else:
            night = after(night, duty, now)
        if duty is Duty.HURRY:
            ends |= {table.number: now + 2 * MINUTE for table in night.rounds[-1].tables if table.ends_at == now}
        elif duty is Duty.CALL_TIME:
            ends = {number: min(at, now + 2 * MINUTE) for number, at in ends.items()}
        yield night, now


@pytest.mark.parametrize(("form", "people"), combined(TIMED, PEOPLE))
def test_a_night_is_as_long_as_was_announced(form: NightFormat, people: int) -> None:
    """Where each round takes its time, and nobody leaves."""
    night = planned(people, format=form, fills_with_robots=True)
    told = length_ms(night.plan, people)
    _, log = to_the_end(night, Random(people), plays_until_called=True)
    took = next(at for duty, at in log if duty is Duty.END_NIGHT) - STARTS_AT
    assert abs(took - told) <= told / 10 + MINUTE
    assert took < 4 * 60 * MINUTE


@pytest.mark.parametrize(
    ("form", "robots", "size"), combined([form for form in TIMED if not form.eliminates], [False, True], [4, 6, 8])
)
def test_the_announced_number_of_people_has_byes(form: NightFormat, robots: bool, size: int) -> None:
    for people in range(4, 16):
        night = planned(people, format=form, fills_with_robots=robots, size=size)
        told = byes_per_round(night.plan, people)
        rest = len(pair(night, Random(people)).byes)
        is_one_with_a_robot = form.has_pairs and robots and people % 2 == 1 and told == 2
        assert rest == told or (is_one_with_a_robot and rest == 1), (people, rest, told)


@pytest.mark.parametrize("robots", [False, True])
@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_announced_number_of_pairs_skips_the_first_round_of_a_knock_out(robots: bool, size: int) -> None:
    told = []
    for people in range(4, 30):
        night = planned(people, format=KNOCKOUT, fills_with_robots=robots, size=size)
        told.append(first_byes(night.plan, people))
        alone = 0 if robots else people % 2
        assert told[-1] == -(-(len(pair(night, Random(people)).byes) - alone) // 2), people
    assert any(told), "some of these have byes"


def test_the_end_of_a_night_follows_its_rounds() -> None:
    night = planned(16)
    assert ends_at(planned(2)) == ends_at(night) == STARTS_AT + 3 * 24 * MINUTE
    running = night.start_round(pair(night, Random(1)), STARTS_AT + 5 * MINUTE)
    assert ends_at(running) == STARTS_AT + 77 * MINUTE
    assert ends_at(with_results(running, Random(1), STARTS_AT + 15 * MINUTE)) == STARTS_AT + 66 * MINUTE


@pytest.mark.parametrize(("form", "people", "rounds"), [(SWISS, 18, 4), (SWISS, 16, 3), (ROTATION, 60, 6)])
def test_enough_rounds_are_advised_that_only_one_side_can_be_undefeated(
    form: NightFormat, people: int, rounds: int
) -> None:
    assert advised_rounds(planned(0, format=form).plan, people) == rounds


@EVENINGS
@OPEN_TO
def test_in_an_open_night_nobody_meets_the_same_three_twice_in_a_row_while_others_are_there(
    people: int, seeds: range
) -> None:
    for seed in seeds:
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


@EVENINGS
@OPEN_TO
def test_nobody_waits_for_an_open_table_for_ever(people: int, seeds: range) -> None:
    longest = 0
    for seed in seeds:
        seen = 0
        for night, now in lived(LOUNGE, people, seed):
            opened = night.all_tables[seen:]
            waits = [now - free_since(night, night.entrants[number]) for table in opened for number in table.people()]
            longest, seen = max(longest, *waits, 0), len(night.all_tables)
    assert 0 < longest <= WAIT_MS + 2 * MINUTE + QUEUE_MS


@EVENINGS
@pytest.mark.parametrize(("form", "people"), combined(TIMED, PEOPLE))
def test_a_night_that_people_leave_is_no_longer_than_its_board_says(
    form: NightFormat, people: int, seeds: range
) -> None:
    for seed in seeds:
        told, over = dict[int, int](), None
        for night, _ in lived(form, people, seed):
            if night.status is NightStatus.RUNNING:
                told.setdefault(len(night.rounds), ends_at(night))
            over = night
        assert over is not None
        if over.ended_at is not None and told:
            since = list(told.values())[-1 if form.eliminates else 0 :]  # who comes back to a knock-out adds rounds
            assert all(over.ended_at <= at + 2 * MINUTE for at in since), (seed, over.ended_at, told)


@EVENINGS
@OPEN_TO
def test_byes_of_a_rotation_go_round_while_people_come_and_go(people: int, seeds: range) -> None:
    for seed in seeds:
        stayed, night = set(range(people)), planned(people)
        for night, _ in lived(ROTATION, people, seed):
            stayed &= {one.number for one in night.present}
        rests = [sum(number in turn.byes for turn in night.rounds) for number in stayed]
        mates = Counter(
            frozenset(table.members(team)) & stayed for table in night.all_tables for team in range(table.teams)
        )
        assert max(rests, default=0) - min(rests, default=0) <= 1, seed
        assert max((count for pair, count in mates.items() if len(pair) == 2), default=1) == 1, seed
