"""What is due in a night, and when."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.nights.changes import Duty, HostStep, StepKind
from bot.nights.formats import KNOCKOUT, LOUNGE, ROTATION, ROUND_ROBIN, SWISS, format_of
from bot.nights.formats.format import PATIENCE_MS
from bot.nights.formats.lounge import QUEUE_MS, free_since
from bot.nights.night import Night, NightStatus
from bot.nights.people import sign_up
from bot.nights.plan import Format
from bot.nights.planning.series import next_of_series
from bot.nights.results.standings import standings
from bot.nights.rounds import Pairing, Presence, ResultKind, TableResult
from bot.nights.steps import apply_step
from bot.nights.timetable import due, next_at
from tests.examples import examples
from tests.nights.evenings import (
    MINUTE,
    PLAN,
    STARTS_AT,
    begun,
    is_complete,
    pair,
    planned,
    to_the_end,
    with_pairs,
    with_results,
)

MORNING = 34 * 60 * MINUTE
"""Ten o'clock after `STARTS_AT`."""


def test_a_night_runs_without_its_host() -> None:
    night, log = to_the_end(planned(8, is_weekly=True), Random(1))
    rounds = [STARTS_AT, STARTS_AT + 13 * MINUTE, STARTS_AT + 26 * MINUTE]
    assert log == [
        *((Duty.START_ROUND, at) for at in rounds),
        (Duty.END_NIGHT, STARTS_AT + 36 * MINUTE),
        (Duty.HAND_OVER, STARTS_AT + 36 * MINUTE),
        (Duty.RECAP, MORNING),
        (Duty.PLAN_NEXT, MORNING),
    ]
    assert night.status is NightStatus.OVER
    assert due(night, 10**12) is None


def test_time_is_called_at_unfinished_tables() -> None:
    _, log = to_the_end(planned(8, rounds=2), Random(1), plays_until_called=True)
    assert [(duty, (at - STARTS_AT) // MINUTE) for duty, at in log[:-2]] == [
        (Duty.START_ROUND, 0),
        (Duty.CALL_TIME, 20),
        (Duty.START_ROUND, 24),
        (Duty.CALL_TIME, 44),
        (Duty.END_NIGHT, 45),
    ]


@pytest.mark.parametrize(("people", "robots"), [(3, False), (1, True)])
def test_a_night_waits_for_more_people_and_is_then_cancelled(people: int, robots: bool) -> None:
    night = planned(people, fills_with_robots=robots)
    assert due(night, STARTS_AT) is None
    assert next_at(night) == STARTS_AT + PATIENCE_MS
    late = sign_up.join(night, 999, "Late", STARTS_AT + 5)
    assert due(late, STARTS_AT + 5) is Duty.START_ROUND
    assert due(night, STARTS_AT + PATIENCE_MS) is Duty.CANCEL


def test_a_night_whose_people_left_ends_after_a_wait() -> None:
    night = with_results(begun(planned(4)), Random(1), STARTS_AT + MINUTE)
    assert next_at(night) == STARTS_AT + 4 * MINUTE
    left = sign_up.leave(night, 100)
    assert due(left, STARTS_AT + 4 * MINUTE) is None
    assert next_at(left) == STARTS_AT + 4 * MINUTE + PATIENCE_MS
    assert due(left, STARTS_AT + 4 * MINUTE + PATIENCE_MS) is Duty.END_NIGHT


def test_no_duty_is_due_in_a_pause_and_timers_go_on_after_it() -> None:
    night = begun(planned(4))
    paused = apply_step(night, HostStep(StepKind.PAUSE_ALL), 4, STARTS_AT + 5 * MINUTE)
    assert next_at(paused) is None
    resumed = apply_step(paused, HostStep(StepKind.RESUME_ALL), 4, STARTS_AT + 65 * MINUTE)
    assert next_at(resumed) == STARTS_AT + 80 * MINUTE


def test_a_pause_does_not_shorten_the_break() -> None:
    night = begun(planned(4))
    paused = apply_step(night, HostStep(StepKind.PAUSE_ALL), 4, STARTS_AT + 5 * MINUTE)
    over = paused.record_result(1, TableResult((3, 1)), STARTS_AT + 30 * MINUTE)
    resumed = apply_step(over, HostStep(StepKind.RESUME_ALL), 4, STARTS_AT + 60 * MINUTE)
    assert next_at(resumed) == STARTS_AT + 63 * MINUTE


def test_a_cancelled_weekly_night_is_planned_again_when_it_would_have_begun() -> None:
    night = planned(4, is_weekly=True).cancel(5)
    assert next_at(night) == MORNING
    assert due(night, MORNING) is Duty.PLAN_NEXT
    assert next_at(night.mark_done(Duty.PLAN_NEXT)) is None
    assert next_at(planned(4).cancel(5)) is None
    assert next_at(planned(4, is_weekly=True).cancel(5, with_series=True)) is None


def test_a_series_counts_the_nights_that_nobody_came_to() -> None:
    def following(night: Night) -> Night:
        return next_of_series(night, 0, seed=1)

    played, empty = to_the_end(planned(4, is_weekly=True), Random(1))[0], planned(0, is_weekly=True).cancel(5)
    last = played.rounds[-1].tables[0]
    deserted = replace(last, result=TableResult((0, 0), ResultKind.DESERTED))
    unplayed = replace(played, rounds=(replace(played.rounds[-1], tables=(deserted,)),))
    for night in (empty.mark_done(Duty.CANCEL), unplayed):
        assert [following(replace(night, deserted=before)).deserted for before in (0, 1)] == [1, 2]
    assert [following(replace(night, deserted=1)).deserted for night in (played, empty)] == [0, 1]


def test_weekly_participants_are_signed_up_for_the_next_night() -> None:
    night = with_pairs(3, format=SWISS, is_weekly=True)
    for one in range(5):
        night = sign_up.comes_weekly(night, 100 + one, comes=one != 4)
    gone = sign_up.leave(night, 100).mark_absent(3)
    following = next_of_series(replace(gone, plan=replace(gone.plan, most=1)), 7, seed=1)
    assert [(one.user_id, one.partner, one.presence) for one in following.entrants] == [
        (101, None, Presence.IN),
        (102, None, Presence.WAITING),
    ]
    assert [one.partner for one in next_of_series(night, 7, seed=1).entrants] == [1, 0, 3, 2]


def test_moving_a_plan_moves_its_sign_up() -> None:
    later = replace(PLAN, starts_at=STARTS_AT + 7, sign_up_until=PLAN.sign_up_until + 7)
    assert PLAN.moved_to(STARTS_AT + 7) == later


@pytest.mark.parametrize(
    ("format_", "pairs", "size", "rounds"),
    [
        (KNOCKOUT, 8, 4, 3),
        (KNOCKOUT, 5, 4, 3),
        (KNOCKOUT, 9, 6, 2),
        (KNOCKOUT, 2, 4, 1),
        (ROUND_ROBIN, 5, 4, 5),
        (ROUND_ROBIN, 6, 4, 5),
        (SWISS, 6, 4, 3),
    ],
)
def test_the_number_of_rounds_is_known_beforehand_and_does_not_change(
    format_: Format, pairs: int, size: int, rounds: int
) -> None:
    night, rng = with_pairs(pairs, format=format_, size=size), Random(2)
    now = STARTS_AT
    for _ in range(rounds):
        assert not is_complete(night)
        assert format_of(night).round_count(night) == rounds
        night = night.start_round(pair(night, rng), now)
        assert format_of(night).round_count(night) == rounds
        night = with_results(night, rng, now + MINUTE)
        now += 10 * MINUTE
    assert is_complete(night)


def people_move(night: Night, rng: Random, now: int) -> Night:
    """Tables end, somebody comes, somebody leaves."""
    for table in night.rounds[0].tables if night.rounds else ():
        if table.result is None and rng.random() < 0.1:
            night = night.record_result(table.number, TableResult((0,) * table.teams), now)
    if rng.random() < 0.3:
        night = sign_up.join(night, 10_000 + len(night.entrants), "Passer-by", now)
    if night.present and rng.random() < 0.1:
        user_id = rng.choice(night.present).user_id
        night = sign_up.leave(night, user_id)
    return night


@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.too_slow])
@given(people=st.integers(0, 14), size=st.sampled_from([4, 6, 8]), robots=st.booleans(), seed=st.integers(0, 10**6))
def test_nobody_sits_twice_or_waits_while_a_table_could_open(people: int, size: int, robots: bool, seed: int) -> None:
    rng = Random(seed)
    night = planned(people, format=LOUNGE, size=size, fills_with_robots=robots)
    for minute in range(60):
        now = STARTS_AT + minute * MINUTE
        night = people_move(night, rng, now)
        while (duty := due(night, now)) is not None:
            if duty is Duty.HURRY:
                night = night.hurry_longest_table(now)
                continue
            assert duty is Duty.START_ROUND
            pairing = pair(night, rng)
            assert pairing.tables, "each start seats people, and so the minute ends"
            assert not pairing.byes
            night = night.start_round(pairing, now)
        tables = night.rounds[0].tables if night.rounds else ()
        seats = [seat for table in tables if table.result is None for seat in table.seats if seat is not None]
        assert len(seats) == len(set(seats))
        waiting = LOUNGE.queue(night)
        assert len(waiting) < 2 * size
        if len(waiting) >= LOUNGE.fewest(night):
            numbers = {entrant.number for entrant in waiting}
            are_same = any(numbers <= set(table.people()) for table in tables)
            assert are_same or now - free_since(night, waiting[0]) < QUEUE_MS
    assert len(standings(night)) >= len(night.present)


def test_a_lounge_opens_a_table_whenever_enough_people_wait() -> None:
    night = planned(3, format=LOUNGE)
    assert next_at(night) == STARTS_AT + 60 * MINUTE  # nobody came until it would have been over
    night = sign_up.join(night, 200, "Four", STARTS_AT + 9)
    assert due(night, STARTS_AT + 8) is None
    assert due(night, STARTS_AT + 9) is Duty.START_ROUND
    night = night.start_round(pair(night, Random(1)), STARTS_AT + 9)
    assert next_at(night) == STARTS_AT + 60 * MINUTE
    assert due(night, STARTS_AT + 60 * MINUTE) is Duty.CALL_TIME


def test_open_tables_seat_robots_after_a_wait_when_the_plan_allows_it() -> None:
    night = begun(planned(6, format=LOUNGE, fills_with_robots=True))
    assert [len(table.seats) for table in night.rounds[0].tables] == [4]
    assert next_at(night) == STARTS_AT + QUEUE_MS
    night = night.start_round(pair(night, Random(1)), STARTS_AT + QUEUE_MS)
    assert sorted(night.rounds[0].tables[1].seats, key=str).count(None) == 2


def test_a_lounge_ends_when_its_last_table_is_over_after_its_time() -> None:
    night = begun(planned(4, format=LOUNGE))
    called = night.call_time(STARTS_AT + 60 * MINUTE)
    assert next_at(called) is None
    over = with_results(called, Random(1), STARTS_AT + 61 * MINUTE)
    assert due(over, STARTS_AT + 61 * MINUTE) is Duty.END_NIGHT


def test_people_of_a_lounge_queue_again_behind_those_who_wait() -> None:
    night = planned(7, format=LOUNGE)
    night = night.start_round(Pairing(((0, 1, 2, 3),)), STARTS_AT)
    night = night.record_result(1, TableResult((1, 2)), STARTS_AT + 5)
    pairing = pair(night, Random(1))
    assert {4, 5, 6} < set(pairing.tables[0])


def test_open_tables_mix_people() -> None:
    night = planned(9, format=LOUNGE).start_round(Pairing(((0, 1, 2, 3), (4, 5, 6, 7))), STARTS_AT)
    first = night.record_result(1, TableResult((1, 2)), STARTS_AT + MINUTE)
    assert next_at(first) == STARTS_AT + QUEUE_MS  # one more has waited from the start
    assert 8 in pair(first, Random(1)).tables[0]
    same = sign_up.leave(first, 108)
    assert next_at(same) == STARTS_AT + 9 * MINUTE  # nobody but the four of one table is free
    assert due(same, STARTS_AT + 9 * MINUTE) is Duty.HURRY
    hurry_longest_table = same.hurry_longest_table(STARTS_AT + 9 * MINUTE)
    assert next_at(hurry_longest_table) == STARTS_AT + 60 * MINUTE
    both = hurry_longest_table.record_result(2, TableResult((1, 2)), STARTS_AT + 9 * MINUTE)
    assert due(both, STARTS_AT + 9 * MINUTE) is Duty.START_ROUND
    assert [sum((seat or 0) < 4 for seat in table) for table in pair(both, Random(1)).tables] == [2, 2]


@pytest.mark.parametrize("form", [ROTATION, SWISS, LOUNGE])
def test_a_person_who_does_not_answer_the_check_in_is_seated_last(form: Format) -> None:
    night = planned(9, format=form).open_check_in()
    for number in range(4, 9):
        night = sign_up.ready(night, 100 + number)
    pairing = pair(night, Random(1))
    assert form is LOUNGE or pairing.byes[0] < 4
    assert {4, 5, 6, 7, 8} < {seat for table in pairing.tables for seat in table}
    began = night.start_round(pairing, STARTS_AT)
    assert form.is_open or not began.silent, "later rounds treat all alike"
