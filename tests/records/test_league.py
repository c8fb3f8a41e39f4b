"""The league of a season, by hand."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.nights.changes import HostStep, NightRefusedError, StepKind
from bot.nights.formats import FORMATS
from bot.nights.night import Night, NightStatus
from bot.nights.people import sign_up
from bot.nights.plan import Format
from bot.nights.results.history import turnout
from bot.nights.results.recap import entry_of
from bot.nights.results.standings import standings, winners
from bot.nights.rounds import Presence, ResultKind, TableResult
from bot.nights.steps import apply_step, last_step, undo_step
from bot.records.history import FIRST, AfterKey, BeforeKey, PageNumber
from bot.records.league import Scale, counted_nights, league, page_of
from tests.nights.evenings import MINUTE, STARTS_AT, pair, planned, scored, with_results
from tests.nights.test_standings import round_of

EVEN = Scale.EVEN


def evening(*order: int, people: int = 4) -> Night:
    """A night of a rotation that is over: two of the `order` have beaten the two behind them."""
    first, second, third, fourth = order
    night = round_of(planned(people), ((first, third, second, fourth), (5, 0)))
    return night.end(STARTS_AT + 2)


def lines(*nights: Night, best: int | None = None, left_out: tuple[int, ...] = ()) -> list[tuple[int, int, int]]:
    """Place, person and points of each line."""
    return [(line.place, line.user_ids[0] - 100, line.value) for line in league(nights, EVEN, best, left_out)]


def test_places_bring_points_and_shared_places_bring_the_same() -> None:
    assert lines(evening(0, 1, 2, 3)) == [(1, 0, 10), (1, 1, 10), (3, 2, 6), (3, 3, 6)]
    assert lines(evening(0, 1, 2, 3), evening(0, 2, 1, 3)) == [(1, 0, 20), (2, 1, 16), (2, 2, 16), (4, 3, 12)]


def test_each_scale_falls_to_one_point_and_steep_ones_fall_most_at_first() -> None:
    for scale in Scale:
        falls = [more - less for more, less in pairwise(scale.points)]
        assert scale.points[-1] == 1
        assert falls == sorted(falls, reverse=True)
        assert falls[-1] > 0
    assert [(scale.points[0], len(scale.points)) for scale in Scale] == [(5, 5), (10, 8), (25, 10)]
    page = (Path(__file__).parents[2] / "docs/nights.md").read_text(encoding="utf-8")
    assert f"worth {', '.join(map(str, Scale.EVEN.points[:-1]))}, and 1 point for all further" in page
    assert (sum(Scale.FLAT.points), sum(Scale.STEEP.points)) == (15, 101)


def test_the_best_nights_count_and_ties_go_to_the_best_single_night() -> None:
    nights = evening(0, 1, 2, 3), evening(2, 3, 0, 1), evening(2, 0, 1, 3)
    (first, second, *_) = league(nights, EVEN, 2)
    assert (first.user_ids, first.value, first.matches, first.note) == ((100,), 20, 3, "10 + 10 (6)")
    assert (second.user_ids, second.value, second.note, second.place) == ((102,), 20, "10 + 10 (6)", 1)
    assert [line.value for line in league(nights, EVEN, 1)] == [10, 10, 10, 10]
    assert lines(*nights, best=1)[0][0] == 1
    alone = replace(
        nights[0], entrants=tuple(replace(one, user_id=one.user_id and one.user_id + 50) for one in nights[0].entrants)
    )
    once, twice = league((alone, *nights[1:]), EVEN, None)[:2]
    assert (once.note, twice.note) == ("10 + 10", "10 + 6"), "those who came more often lead"


def test_a_place_beyond_the_scale_is_worth_the_last_points() -> None:
    night = round_of(planned(12), *(((n, n + 1, n + 2, n + 3), (9 - n, 0)) for n in (0, 4, 8))).end(STARTS_AT + 2)
    found = league((night,), Scale.FLAT, None)
    assert sorted(line.place for line in standings(night))[-4:] == [9, 9, 11, 11]
    assert [(line.place, line.value) for line in found] == [(1, 5)] * 2 + [(3, 3)] * 2 + [(5, 1)] * 8


def test_absent_removed_and_erased_people_and_robots_get_no_points() -> None:
    night = round_of(planned(5), ((0, 1, 2, None), (5, 0))).mark_no_shows(1, (1,))
    late = replace(night.entrants[4], presence=Presence.ABSENT)
    night = night.with_entrant(late).end(STARTS_AT + 2)
    assert [user for _, user, _ in lines(night)] == [0, 2]
    removed = night.with_entrant(replace(night.entrants[0], is_removed=True))
    assert lines(removed) == [(1, 2, 10)], "what they had scored moves nobody up"
    assert [user for _, user, _ in lines(night.erase_person(102))] == [0]
    assert lines(night, left_out=(100,)) == [(1, 2, 10)]


def test_a_night_counts_once_it_is_over_and_somebody_came() -> None:
    night = evening(0, 1, 2, 3)
    nobody = replace(planned(4), status=NightStatus.OVER)
    others = (replace(night, status=NightStatus.CANCELLED), replace(night, status=NightStatus.RUNNING), nobody)
    assert counted_nights((*others, night)) == (night,)
    assert league(others, EVEN, None) == ()


def test_the_league_shows_the_latest_name_of_a_person() -> None:
    night = evening(0, 1, 2, 3)
    renamed = night.with_entrant(replace(night.entrants[0], name="Zoé"))
    nameless = night.with_entrant(replace(night.entrants[0], name=""))
    assert league((night, renamed, nameless), EVEN, None)[0].names == ("Zoé",)


def test_pages_turn_both_ways_and_start_over_when_their_line_is_gone() -> None:
    night = round_of(planned(12), *(((n, n + 1, n + 2, n + 3), (9 - n, 0)) for n in (0, 4, 8))).end(STARTS_AT + 2)
    found = league((night,), EVEN, None)
    first = page_of(found, FIRST, 5)
    second = page_of(found, AfterKey(first.lines[-1].key), 5)
    last = page_of(found, AfterKey(second.lines[-1].key), 5)
    assert (*first.lines, *second.lines, *last.lines) == found
    pages = (first, second, last)
    assert [(page.has_before, page.has_after) for page in pages] == [(False, True), (True, True), (True, False)]
    assert page_of(found, BeforeKey(last.lines[0].key), 5) == second == page_of(found, PageNumber(2), 5)
    assert page_of(found, AfterKey((99, 99)), 5) == page_of(found, BeforeKey((99, 99)), 5) == first


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(people=st.integers(4, 9), form=st.sampled_from([*FORMATS.values()]), seed=st.integers(0, 10**6))
def test_board_attendance_and_league_agree_after_any_step_of_a_host(people: int, form: Format, seed: int) -> None:
    rng = Random(seed)
    night = planned(people, format=form, rounds=2).open_check_in()
    for user_id in range(100, 100 + people):
        night = sign_up.ready(night, user_id) if rng.random() < 0.8 else night
    for turn in range(2):
        night = _one_round(night, rng, STARTS_AT + 30 * turn * MINUTE)
    over = with_results(night, rng, STARTS_AT + 79 * MINUTE).end(STARTS_AT + 80 * MINUTE) if night.rounds else night
    for _ in range(rng.randrange(3)):
        over = _some_step(over, rng, STARTS_AT + 81 * MINUTE)
    came, missing = turnout(over)
    on_board = {number for line in standings(over) for number in line.entrants}
    in_league = {user_id - 100 for line in league([over], EVEN, None) for user_id in line.user_ids}
    assert not came & missing
    if over.is_finished:
        assert on_board == came == in_league
        assert {*winners(over)} <= came
        assert {each for each in range(people) if entry_of(over, 100 + each)} <= came


def _one_round(night: Night, rng: Random, now: int) -> Night:
    """Play a round in which people stay away and the host takes steps at any time."""
    try:
        night = night.start_round(pair(night, rng), now)
    except NightRefusedError:
        return night
    for table in night.rounds[-1].tables:
        away = [each for each in table.people() if night.entrants[each].is_silent or rng.random() < 0.1]
        night = _some_step(night, rng, now)
        if night.table(table.number) is None or night.rounds[-1].tables[table.number - 1].result is not None:
            continue
        if len(away) == len(table.people()):
            result = TableResult((0,) * table.teams, ResultKind.DESERTED)
        else:
            result = scored(table, rng)
        night = night.record_result(table.number, result, now + 10 * MINUTE, away)
        night = _some_step(night, rng, now + 11 * MINUTE)
    return night


def _some_step(night: Night, rng: Random, now: int) -> Night:
    """Take a step of the host, drawn by lot; one that is refused changes nothing."""
    kind = rng.choice((StepKind.DROP, StepKind.ENTER_RESULT, StepKind.SWAP, StepKind.RESTART_TABLE, None))
    someone, other = rng.randrange(len(night.entrants)), rng.randrange(len(night.entrants))
    table = rng.randrange(1, 3)
    try:
        if kind is None:
            return undo_step(night, last_step(night), now) if rng.random() < 0.5 else night.mark_absent(someone)
        scores = tuple(rng.randrange(6) for _ in range(2))
        step = HostStep(kind, table=table, entrant=someone, other=other, scores=scores)
        return apply_step(night, step, 4, now)
    except NightRefusedError:
        return night
