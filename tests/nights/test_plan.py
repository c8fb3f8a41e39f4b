"""What a host starts from, how a night is counted on clocks, and small rules about its people."""

from dataclasses import replace
from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

import pytest

from bot.base.times import DAY_MS, HOUR_MS, WEEK_MS
from bot.conditions import EntryRules
from bot.nights.changes import NightCode
from bot.nights.clocks import (
    FRIDAY,
    MONDAY,
    SATURDAY,
    at_minute,
    local_time,
    minute_of_day,
    next_morning,
    next_week,
    to_instant,
)
from bot.nights.formats import KNOCKOUT, LOUNGE, ROTATION, ROUND_ROBIN, SWISS
from bot.nights.people import pairs, sign_up
from bot.nights.plan import Format
from bot.nights.planning.draft import NightDraft, first_plan
from bot.nights.planning.length import (
    advised_rounds,
    byes_per_round,
    ends_at,
    expected_people,
    length_ms,
    round_length_ms,
    side_count,
    ways_to_reduce_byes,
)
from bot.nights.planning.series import exclude_members, next_start, promoted_user_ids
from bot.nights.posts import NightPost, remove_all_mentions, remove_mentions
from bot.nights.rounds import NightTable, Pairing, Presence, ResultKind, TableResult
from bot.nights.steps import change_seating
from tests.nights.evenings import MINUTE, PLAN, STARTS_AT, begun, code, pair, planned, with_pairs, with_results
from tests.together import together

PARIS = "Europe/Paris"


def ms(*local: int, zone: str = PARIS) -> int:
    return to_instant(datetime(*local), zone)  # type: ignore[arg-type]  # noqa: DTZ001 - a time of clocks


def shown(at: int, zone: str = PARIS) -> str:
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).strftime("%a %d %H:%M")


@pytest.mark.parametrize(
    ("form", "now", "start"),
    [
        (ROTATION, (2026, 11, 23, 12), "Sat 28 21:00"),
        (ROTATION, (2026, 11, 28, 20, 59), "Sat 28 21:00"),
        (ROTATION, (2026, 11, 28, 21), "Sat 05 21:00"),
        (ROTATION, (2026, 10, 24, 22), "Sat 31 21:00"),
        (LOUNGE, (2026, 11, 23, 12), "Mon 23 21:00"),
    ],
)
def test_a_first_plan_starts_at_nine_in_the_evening_on_the_next_weekday_of_its_format(
    form: Format, now: tuple[int, ...], start: str
) -> None:
    weekday = SATURDAY if form is ROTATION else form.weekday
    plan = first_plan("Le bal", 5, PARIS, ms(*now), form)
    day = datetime.fromtimestamp(plan.starts_at / 1000, ZoneInfo(PARIS)).weekday()
    assert (day, shown(plan.starts_at)[-5:]) == (weekday, "21:00")
    assert ms(*now) < plan.starts_at <= ms(*now) + WEEK_MS + HOUR_MS
    assert form is not ROTATION or shown(plan.starts_at) == start
    assert (plan.size, plan.is_ranked, plan.is_weekly, plan.most) == (4, False, False, None)


def test_a_first_plan_has_four_rounds_of_twenty_five_minutes_and_no_robots_unless_the_format_says_so() -> None:
    plan = first_plan("Le bal", 5, PARIS, ms(2026, 11, 23, 12))
    assert (plan.rounds, plan.round_minutes, plan.break_minutes) == (4, 25, 3)
    assert (plan.fills_with_robots, plan.wants_event, plan.calls_role, plan.has_final) == (False, False, False, False)
    assert first_plan("Le bal", 5, PARIS, ms(2026, 11, 23, 12), SWISS).fills_with_robots


def test_only_a_moved_night_of_a_series_makes_its_host_choose() -> None:
    def moves(*, was_weekly: bool, is_weekly: bool, later: int) -> bool:
        draft = NightDraft.of(planned(5, is_weekly=was_weekly), PARIS)
        return draft.with_changes(is_weekly=is_weekly, starts_at=STARTS_AT + later).moves_series

    assert moves(was_weekly=True, is_weekly=True, later=MINUTE)
    assert not moves(was_weekly=True, is_weekly=True, later=0)
    assert not moves(was_weekly=False, is_weekly=True, later=MINUTE)
    assert not moves(was_weekly=True, is_weekly=False, later=MINUTE)
    assert not NightDraft(PARIS, replace(PLAN, is_weekly=True)).moves_series
    assert NightDraft(PARIS, PLAN).is_new
    assert not NightDraft.of(planned(5), PARIS).is_new


@pytest.mark.parametrize(
    ("now", "weekday", "morning"),
    [
        ((2026, 11, 23, 9, 59), None, "Mon 23 10:00"),
        ((2026, 11, 23, 10), None, "Tue 24 10:00"),
        ((2026, 11, 23, 10), MONDAY, "Mon 30 10:00"),
        ((2026, 11, 27, 23), FRIDAY, "Fri 04 10:00"),
        ((2026, 10, 24, 12), None, "Sun 25 10:00"),
    ],
)
def test_a_recap_waits_for_ten_in_the_morning(now: tuple[int, ...], weekday: int | None, morning: str) -> None:
    assert shown(next_morning(ms(*now), PARIS, weekday)) == morning


def test_a_minute_of_a_day_has_no_seconds() -> None:
    noon = ms(2026, 11, 23, 12) + 34_567
    assert (minute_of_day(noon, PARIS), local_time(noon, PARIS).second) == (720, 34)
    assert at_minute(noon, 1261, PARIS) == datetime(2026, 11, 23, 21, 1)  # noqa: DTZ001 - a time of clocks


def test_a_week_later_is_the_same_hour_after_clocks_were_set() -> None:
    start = ms(2026, 10, 24, 21)
    assert shown(next_week(start, PARIS, start)) == "Sat 31 21:00"
    assert next_week(start, PARIS, start) - start == WEEK_MS + HOUR_MS
    assert next_week(start, PARIS, start - 1) == start
    assert shown(next_week(start, PARIS, start + 3 * WEEK_MS)) == "Sat 14 21:00"


def test_a_series_continues_from_its_planned_time() -> None:
    night = planned(5, is_weekly=True)
    assert next_start(night, STARTS_AT - DAY_MS) == STARTS_AT + WEEK_MS
    assert next_start(night, STARTS_AT + WEEK_MS) == STARTS_AT + 2 * WEEK_MS
    moved = replace(night, plan=replace(night.plan, starts_at=STARTS_AT + DAY_MS, series_at=STARTS_AT))
    assert next_start(moved, STARTS_AT) == STARTS_AT + WEEK_MS


@together(("most", "signed_up", "people"), [(None, 0, 16), (None, 16, 16), (None, 17, 17), (10, 3, 10), (40, 3, 16)])
def test_sixteen_people_are_expected_or_as_many_as_there_are_places(
    most: int | None, signed_up: int, people: int
) -> None:
    assert expected_people(replace(PLAN, most=most), signed_up) == people


@together(
    ("plan", "people", "rest"),
    [
        (PLAN, 4, 0),
        (PLAN, 5, 1),
        (PLAN, 7, 3),
        (replace(PLAN, size=6), 7, 1),
        (replace(PLAN, fills_with_robots=True), 7, 0),
        (replace(PLAN, format=LOUNGE), 7, 0),
        (replace(PLAN, format=KNOCKOUT), 7, 0),
        (replace(PLAN, format=SWISS), 8, 0),
        (replace(PLAN, format=SWISS), 10, 2),
        (replace(PLAN, format=SWISS), 11, 3),
        (replace(PLAN, format=SWISS), 9, 1),
        (replace(PLAN, format=SWISS, size=6), 10, 0),
        (replace(PLAN, format=SWISS, fills_with_robots=True), 9, 2),
        (replace(PLAN, format=SWISS, fills_with_robots=True), 11, 0),
    ],
)
def test_the_number_of_byes_follows_from_the_plan(plan: object, people: int, rest: int) -> None:
    assert byes_per_round(plan, people) == rest  # type: ignore[arg-type]


def test_larger_tables_or_robots_are_offered_only_when_they_reduce_byes() -> None:
    assert ways_to_reduce_byes(PLAN, 7) == (6, True)
    assert ways_to_reduce_byes(PLAN, 5) == (None, True)
    assert ways_to_reduce_byes(PLAN, 8) == (None, False)
    assert ways_to_reduce_byes(replace(PLAN, size=6), 7) == (None, True)


def test_rounds_are_advised_until_only_one_side_can_be_undefeated() -> None:
    assert [advised_rounds(PLAN, people) for people in (0, 1, 2, 3, 4, 5, 8, 9)] == [1, 1, 1, 2, 2, 3, 3, 4]
    swiss = replace(PLAN, format=SWISS)
    assert (side_count(swiss, 9), side_count(PLAN, 9)) == (5, 9)
    assert advised_rounds(swiss, 9) == 3


def test_a_night_lasts_its_rounds_with_a_minute_after_the_bell_and_the_breaks() -> None:
    assert round_length_ms(PLAN) == (20 + 1 + 3) * MINUTE
    assert length_ms(PLAN, 9) == 3 * 24 * MINUTE
    assert length_ms(replace(PLAN, format=LOUNGE), 9) == 60 * MINUTE
    assert ends_at(planned(9)) == STARTS_AT + 72 * MINUTE
    first = begun(planned(9))
    assert ends_at(first) == STARTS_AT + 72 * MINUTE
    over = first.with_entrant(first.entrants[0])
    for table in first.rounds[0].tables:
        over = over.record_result(table.number, TableResult((1, 0)), STARTS_AT + 10 * MINUTE)
    assert ends_at(over) == STARTS_AT + (10 + 3 + 2 * 24) * MINUTE
    assert ends_at(replace(first, is_closing=True)) == STARTS_AT + 24 * MINUTE


def test_a_person_without_a_partner_may_ask_for_a_robot() -> None:
    night = planned(4, format=SWISS)
    assert pairs.take_robot(night, 100).entrants[0].takes_robot
    assert code(lambda: pairs.take_robot(night.pair(0, 1), 100)) is NightCode.HAS_PARTNER
    assert code(lambda: pairs.take_robot(planned(4), 100)) is NightCode.NO_PAIRS
    assert code(lambda: pairs.take_robot(night, 999)) is NightCode.NOT_IN


def test_obstacles_to_joining_are_known_beforehand_except_entry_conditions() -> None:
    night = planned(3)
    assert sign_up.joining_obstacle(night, 900, STARTS_AT) is None
    assert sign_up.joining_obstacle(night, 100, STARTS_AT) is None
    assert sign_up.joining_obstacle(night, 900, STARTS_AT + HOUR_MS) is NightCode.SIGN_UP_OVER
    strict = replace(night, plan=replace(night.plan, entry=EntryRules(matches=5)))
    assert sign_up.joining_obstacle(strict, 900, STARTS_AT) is None


def test_excluded_people_leave_a_future_night_but_stay_in_a_finished_one() -> None:
    night = planned(5)
    weekly = replace(night, entrants=tuple(replace(each, comes_weekly=True) for each in night.entrants))
    without = exclude_members(weekly, (101, 999))
    assert [each.presence for each in without.entrants][:2] == [Presence.IN, Presence.OUT]
    assert [each.comes_weekly for each in without.entrants] == [True, False, True, True, True]
    over = with_results(begun(weekly), Random(1), STARTS_AT).end(STARTS_AT)
    kept = exclude_members(over, (101,))
    assert (kept.entrants[1].presence, kept.entrants[1].comes_weekly) == (Presence.IN, False)


def test_people_who_move_up_from_the_waiting_list_are_known() -> None:
    night = planned(6, most=4)
    assert [each.user_id for each in night.waiting] == [104, 105]
    after = sign_up.leave(night, 100)
    assert promoted_user_ids(night, after) == {104}
    assert promoted_user_ids(after, after) == frozenset()


@together(
    ("written", "one", "everybody"),
    [
        ("<@5> and <@!5>, 5", "… and …, …", "… and …, 5"),
        ("<@51> 51 a5", "<@51> 51 a5", "… 51 a5"),
        ("12345678901234567 people", "12345678901234567 people", "… people"),
        ("1234567890123456 points", "1234567890123456 points", "1234567890123456 points"),
    ],
)
def test_mentions_of_erased_people_are_removed(written: str, one: str, everybody: str) -> None:
    assert (remove_mentions(written, 5), remove_all_mentions(written)) == (one, everybody)


def test_a_post_replaces_one_of_the_same_kind() -> None:
    night = planned(3).with_post(NightPost("round", "1", (1,))).with_post(NightPost("recap", "x"))
    night = night.with_post(NightPost("round", "2", (2,)))
    assert (night.post("round"), night.post("recap")) == (NightPost("round", "2", (2,)), NightPost("recap", "x"))
    assert len(night.posts) == 2
    assert night.without_post("round").posts == (NightPost("recap", "x"),)


def test_a_host_is_asked_only_about_running_tables() -> None:
    night = begun(planned(8))
    asked = night.ask_host({2: 99})
    assert [table.number for table in asked.tables_awaiting_host] == [2]
    assert asked.ask_host({}).tables_awaiting_host == ()
    assert asked.record_result(2, TableResult((1, 0)), STARTS_AT).tables_awaiting_host == ()
    assert planned(8).ask_host({1: 99}) == planned(8)


def test_threads_of_tables_with_a_result_are_finished() -> None:
    night = begun(planned(8)).open_table(1, thread_id=71, table_id=1).open_table(2, thread_id=72)
    assert night.finished_thread_ids == frozenset()
    assert night.record_result(1, TableResult((1, 0)), STARTS_AT).finished_thread_ids == {71}
    assert (night.table_at(1), night.table_at(9)) == (night.table(1), None)


def test_people_choose_partners_in_pair_formats_and_as_two_among_robots() -> None:
    assert planned(3, format=SWISS).chooses_partners
    assert not planned(4).chooses_partners
    assert planned(2, fills_with_robots=True).chooses_partners
    assert not planned(3, fills_with_robots=True).chooses_partners
    assert not planned(2).chooses_partners
    assert not planned(2, format=LOUNGE, fills_with_robots=True).chooses_partners


def test_after_a_change_of_the_plan_all_who_had_signed_up_are_asked_to_confirm() -> None:
    night = planned(3, most=2)
    changed = night.replan(replace(night.plan, title="Le bal"))
    later = sign_up.join(changed, 900, "P900", 9)
    assert [each.user_id for each in later.unconfirmed] == [100, 101, 102]
    assert night.unconfirmed == ()


def test_a_table_counts_half_when_most_seats_or_a_whole_side_are_robots() -> None:
    assert NightTable(1, (0, 1, 2, 3)).weight == NightTable(1, (0, 1, None, None)).weight == 1
    assert NightTable(1, (0, None, 2, None)).weight == NightTable(1, (0, None, None, None)).weight == 0.5
    assert NightTable(1, (0, 1, None, None, None, None)).weight == 0.5
    assert NightTable(1, (0, 1, 2, None)).people(1) == (1,)


def test_results_of_tables_that_nobody_came_to_or_that_stopped_are_void() -> None:
    assert {kind for kind in ResultKind if TableResult((0, 0), kind).is_void} == {
        ResultKind.DESERTED,
        ResultKind.INTERRUPTED,
    }
    assert (TableResult((3, 1)).winner, TableResult((1, 3)).winner, TableResult((2, 2)).winner) == (0, 1, None)


def test_a_team_counts_as_having_come_when_the_host_gave_it_the_win() -> None:
    table = NightTable(1, (0, 1, 2, 3), result=TableResult((1, 0), ResultKind.ENTERED))
    assert table.mark_no_shows((0, 2)).no_shows == ()
    assert table.mark_no_shows((0, 1, 3)).no_shows == (0, 1, 3)
    played = replace(table, result=TableResult((1, 0)))
    assert played.mark_no_shows((2, 0)).no_shows == (0, 2)
    assert (played.mark_no_shows((0, 2)).leaders, played.leaders) == ((1,), (0,))
    assert played.mark_no_shows((0, 2)).ended_as is ResultKind.FORFEIT


def test_without_robots_a_lounge_waits_for_four_and_with_them_for_one() -> None:
    assert LOUNGE.fewest(planned(2, format=LOUNGE)) == 4
    assert LOUNGE.fewest(planned(2, format=LOUNGE, fills_with_robots=True)) == 1
    assert ROTATION.fewest(planned(2, fills_with_robots=True)) == 2
    assert SWISS.fewest(planned(2, format=SWISS, fills_with_robots=True)) == 3
    assert {form.fewest(planned(2, format=form)) for form in (ROTATION, SWISS, ROUND_ROBIN)} == {4}


def test_a_pause_moves_all_deadlines_that_have_not_passed() -> None:
    night = begun(planned(8))
    night = night.hurry_longest_table(STARTS_AT + 5 * MINUTE)
    later = night.postpone(MINUTE)
    assert later.rounds[0].ends_at == STARTS_AT + 21 * MINUTE
    assert [table.ends_at for table in later.rounds[0].tables] == [STARTS_AT + 6 * MINUTE, None]
    called = night.call_time(STARTS_AT + 20 * MINUTE).postpone(MINUTE)
    assert called.rounds[0].ends_at == STARTS_AT + 20 * MINUTE


def test_another_table_size_changes_only_this_night_of_a_series() -> None:
    changed = change_seating(planned(9, is_weekly=True), size=6).plan
    assert (changed.size, changed.series_plan.size) == (6, 4)
    assert change_seating(planned(9), size=6).plan.series_plan.size == 6


def test_a_person_whose_partner_left_is_told_only_before_the_night() -> None:
    night = with_pairs(4, format=SWISS)
    assert sign_up.leave(night, 100).entrants[1].news is not None
    running = night.start_round(pair(night, Random(1)), STARTS_AT)
    assert sign_up.leave(running, 100).entrants[1].news is None
    assert sign_up.leave(running, 100).entrants[1].partner is None


def test_a_person_who_left_has_no_news_and_no_request_and_no_weekly_sign_up() -> None:
    night = pairs.ask(planned(3, format=SWISS), 101, 0)
    asked = night.with_entrant(replace(night.entrants[0], comes_weekly=True, asks=2, seeks_partner=True))
    left = sign_up.leave(asked, 100).entrants[0]
    assert left == replace(
        asked.entrants[0], presence=Presence.OUT, news=None, comes_weekly=False, asks=None, seeks_partner=False
    )
    assert asked.entrants[0].news is not None


def test_the_first_round_needs_a_table_and_later_ones_may_be_only_byes() -> None:
    night = begun(planned(5))
    for table in night.rounds[0].tables:
        night = night.record_result(table.number, TableResult((1, 0)), STARTS_AT + MINUTE)
    night = night.start_round(Pairing((), (0, 1, 2, 3, 4)), STARTS_AT + 5 * MINUTE)
    assert (night.rounds[1].byes, night.next_at) == ((0, 1, 2, 3, 4), STARTS_AT + 8 * MINUTE)
    assert code(lambda: planned(5).start_round(Pairing((), (0,)), STARTS_AT)) is NightCode.TOO_FEW
