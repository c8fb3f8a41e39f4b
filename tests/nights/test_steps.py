"""The host's steps: done, refused, taken back."""

from dataclasses import replace
from random import Random

import pytest

from bot.game.value import stamp
from bot.nights.changes import Duty, HostStep, NightCode, StepKind, if_unchanged
from bot.nights.formats import KNOCKOUT, LOUNGE, ROTATION, SWISS
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.nights.plan import Format
from bot.nights.results.history import eliminated_entrants
from bot.nights.results.standings import standings
from bot.nights.rounds import Pairing, Presence, ResultKind, TableResult
from bot.nights.steps import apply_step, last_step, step_subject, undo_step
from bot.nights.timetable import due, next_at
from tests.nights.evenings import (
    MINUTE,
    PLAN,
    STARTS_AT,
    begun,
    code,
    first_team_wins,
    next_round,
    pair,
    planned,
    with_pairs,
    with_results,
)

HOST = 4
NOW = STARTS_AT + 5 * MINUTE


def running(people: int = 9, **plan: object) -> Night:
    """Tables 0 2 | 1 3 and 4 6 | 5 7; entrant 8 has a bye. All tables are dealt."""
    night = planned(people, **plan)
    night = night.start_round(Pairing(((0, 1, 2, 3), (4, 5, 6, 7)), (8,)), STARTS_AT)
    for number in (1, 2):
        night = night.open_table(number, thread_id=70 + number, table_id=80 + number)
    return night


def step(night: Night, kind: StepKind, **fields: object) -> Night:
    return apply_step(night, HostStep(kind, **fields), HOST, NOW)


def refused(night: Night, kind: StepKind, **fields: object) -> NightCode:
    return code(lambda: step(night, kind, **fields))


def back(night: Night, now: int = NOW) -> Night:
    return undo_step(night, last_step(night), now)


def stuck(night: Night) -> NightCode:
    return code(lambda: back(night))


ALL = [
    HostStep(StepKind.PAUSE_ALL),
    HostStep(StepKind.PAUSE_TABLE, table=2),
    HostStep(StepKind.ADD_TIME, minutes=7),
    HostStep(StepKind.DROP, entrant=3),
    HostStep(StepKind.SWAP, entrant=3, other=8),
    HostStep(StepKind.ENTER_RESULT, table=1, scores=(2, 1)),
    HostStep(StepKind.END_EARLY),
]


@pytest.mark.parametrize("host_step", ALL, ids=lambda each: each.kind.value)
def test_a_step_is_logged_and_can_be_undone(host_step: HostStep) -> None:
    night = running()
    after = apply_step(night, host_step, HOST, NOW)
    assert after.entrants + after.rounds != night.entrants + night.rounds or after.paused_at
    (logged,) = after.steps
    assert (logged.step.kind, logged.by, logged.at, logged.undone_at) == (host_step.kind, HOST, NOW, None)
    assert last_step(after) == 0
    undone = back(after)
    assert undone.steps[0].undone_at == NOW
    assert last_step(undone) is None
    assert stuck(undone) is NightCode.NOTHING_TO_UNDO
    seats = [table.seats for table in undone.rounds[0].tables]
    assert seats == [table.seats for table in night.rounds[0].tables]
    assert [table.result for table in undone.rounds[0].tables] == [None, None]
    assert (undone.entrants, undone.paused_at, undone.is_closing) == (night.entrants, None, False)
    assert (undone.rounds[0].ends_at, undone.rounds[0].byes) == (night.rounds[0].ends_at, (8,))


def _swapped(night: Night) -> Night:
    return step(night, StepKind.SWAP, entrant=0, other=4)


def _over(night: Night) -> Night:
    return night.record_result(1, TableResult((1, 0)), NOW)


PAIRS = with_pairs(4, format=SWISS)
CROSSED = [
    (planned(9), HostStep(StepKind.START), lambda night: night.replan(night.plan.moved_to(STARTS_AT + MINUTE))),
    (PAIRS, HostStep(StepKind.PAIR, entrant=0, other=2), lambda night: night.pair(2, 5)),
    (planned(9), HostStep(StepKind.DROP, entrant=3), lambda night: night.remove(3)),
    (running(), HostStep(StepKind.DROP, entrant=3), lambda night: night.mark_absent(3)),
    (running(), HostStep(StepKind.DROP, entrant=3, table=1), _over),
    (running(), HostStep(StepKind.PAUSE_ALL), lambda night: step(night, StepKind.PAUSE_ALL)),
    (
        step(running(), StepKind.PAUSE_ALL),
        HostStep(StepKind.RESUME_ALL),
        lambda night: step(night, StepKind.RESUME_ALL),
    ),
    (running(), HostStep(StepKind.PAUSE_TABLE, table=1), _swapped),
    (running(), HostStep(StepKind.RESUME_TABLE, table=1), _over),
    (running(), HostStep(StepKind.ADD_TIME, minutes=5), lambda night: night.postpone(MINUTE)),
    (running(), HostStep(StepKind.ADD_TIME, minutes=5), lambda night: night.call_time(NOW)),
    (running(), HostStep(StepKind.SWAP, entrant=1, other=5), _swapped),
    (running(), HostStep(StepKind.ENTER_RESULT, table=1, scores=(1, 0)), _over),
    (running(), HostStep(StepKind.ENTER_RESULT, table=1, scores=(1, 0)), _swapped),
    (running(), HostStep(StepKind.RESTART_TABLE, table=1), _over),
    (running(), HostStep(StepKind.END_EARLY), lambda night: step(night, StepKind.END_EARLY)),
]


def test_each_kind_of_step_is_tested_with_a_crossed_change() -> None:
    assert {each.kind for _, each, _ in CROSSED} == set(StepKind)


@pytest.mark.parametrize(("night", "host_step", "cross"), CROSSED, ids=lambda each: getattr(each, "kind", ""))
def test_a_step_is_refused_only_when_its_subject_has_changed_since(night: Night, host_step, cross) -> None:
    def asked(night: Night) -> object:
        return step_subject(night, host_step)

    def change(night: Night) -> Night:
        return replace(night, seed=1)

    judged = if_unchanged(stamp(asked(night)), asked, change)
    assert code(lambda: judged(cross(night))) is NightCode.CHANGED_MEANWHILE
    other = sign_up.join(night, 900, "P900", STARTS_AT - 1)
    other = replace(other, version=night.version + 1, message_id=7)
    if other.round is not None:
        other = other.with_table(replace(other.round.tables[1], ends_at=NOW, no_shows=(4,)))
    assert judged(other).seed == 1, "nothing else counts"


@pytest.mark.parametrize("host_step", ALL, ids=lambda each: each.kind.value)
def test_no_step_is_taken_before_the_night_begins_or_after_it(host_step: HostStep) -> None:
    kind = host_step.kind
    fields = {"entrant": host_step.entrant, "other": host_step.other, "scores": host_step.scores, "table": 1}
    if kind is not StepKind.DROP:
        assert refused(planned(9), kind, **fields) is NightCode.NOT_BEGUN
    assert refused(planned(9).cancel(1), kind, **fields) is NightCode.NIGHT_OVER


def test_removing_and_pairing_people_before_the_night_can_be_undone() -> None:
    night = with_pairs(3, format=SWISS)
    dropped = step(night, StepKind.DROP, entrant=0)
    assert (dropped.entrants[0].presence, dropped.entrants[1].partner) == (Presence.OUT, None)
    assert back(dropped).entrants == night.entrants
    paired = step(night, StepKind.PAIR, entrant=0, other=2)
    assert [one.partner for one in paired.entrants] == [2, None, 0, None, 5, 4]
    assert back(paired).entrants == night.entrants
    assert stuck(paired.pair(1, 3)) is NightCode.CHANGED_MEANWHILE
    assert stuck(sign_up.leave(paired, 100)) is NightCode.UNKNOWN_ENTRANT
    assert refused(night, StepKind.PAIR, entrant=0, other=1) is NightCode.HAS_PARTNER
    assert refused(night, StepKind.PAIR, entrant=0, other=0) is NightCode.ITSELF
    assert refused(planned(4), StepKind.PAIR, entrant=0, other=1) is NightCode.NO_PAIRS
    assert refused(begun(night), StepKind.PAIR, entrant=0, other=2) is NightCode.HAS_BEGUN


def test_a_night_started_early_leaves_the_hour_of_its_series() -> None:
    early = STARTS_AT - 20 * MINUTE
    assert due(planned(9), early) is None
    night = apply_step(planned(9), HostStep(StepKind.START), HOST, early)
    assert due(night, early) is Duty.START_ROUND
    assert (night.plan.sign_up_until, night.planned_at) == (PLAN.sign_up_until - 20 * MINUTE, STARTS_AT)
    assert stuck(night) is NightCode.NOTHING_TO_UNDO
    assert refused(planned(3), StepKind.START) is NightCode.TOO_FEW
    assert refused(running(), StepKind.START) is NightCode.HAS_BEGUN


def test_time_is_called_later_at_a_paused_table() -> None:
    paused = step(running(), StepKind.PAUSE_TABLE, table=1)
    assert paused.paused_table_ids == {81}
    assert refused(paused, StepKind.PAUSE_TABLE, table=1) is NightCode.ALREADY_PAUSED
    assert refused(paused, StepKind.RESUME_TABLE, table=2) is NightCode.NOT_PAUSED
    resumed = apply_step(paused, HostStep(StepKind.RESUME_TABLE, table=1), HOST, NOW + 4 * MINUTE)
    ends_at = STARTS_AT + 20 * MINUTE
    called, (first, second) = resumed.call_time(ends_at), resumed.rounds[0].tables
    assert [called.called_at(each, ends_at) for each in (first, second)] == [None, ends_at]
    assert called.called_at(first, ends_at + 4 * MINUTE) == ends_at + 4 * MINUTE
    longer = apply_step(resumed, HostStep(StepKind.ADD_TIME, minutes=5), HOST, NOW + 4 * MINUTE)
    assert longer.rounds[0].tables[0].ends_at == ends_at + 9 * MINUTE
    assert back(resumed, NOW + 6 * MINUTE).paused_table_ids == {81}
    early = apply_step(paused, HostStep(StepKind.END_EARLY), HOST, NOW + MINUTE)
    assert not early.paused_table_ids
    assert early.call_time(NOW + MINUTE).called_at(early.rounds[0].tables[0], NOW + MINUTE) == NOW + MINUTE


def test_a_paused_table_resumes_with_all_the_others() -> None:
    both = apply_step(
        step(running(), StepKind.PAUSE_TABLE, table=1), HostStep(StepKind.PAUSE_ALL), HOST, NOW + 2 * MINUTE
    )
    assert both.paused_table_ids == {81, 82}
    resumed = apply_step(both, HostStep(StepKind.RESUME_ALL), HOST, NOW + 5 * MINUTE)
    assert not resumed.paused_table_ids
    assert resumed.rounds[0].ends_at == STARTS_AT + 23 * MINUTE
    assert resumed.rounds[0].tables[0].ends_at == STARTS_AT + 25 * MINUTE


def test_steps_are_undone_from_the_last_to_the_first() -> None:
    night = step(step(running(), StepKind.ADD_TIME, minutes=5), StepKind.PAUSE_ALL)
    once = back(night)
    assert [each.undone_at for each in once.steps] == [None, NOW]
    assert [each.undone_at for each in back(once).steps] == [NOW, NOW]


def test_undoing_a_pause_resumes_and_undoing_a_resume_pauses() -> None:
    paused = step(running(), StepKind.PAUSE_ALL)
    assert refused(paused, StepKind.PAUSE_ALL) is NightCode.ALREADY_PAUSED
    resumed = back(paused, NOW + MINUTE)
    assert resumed.rounds[0].ends_at == STARTS_AT + 21 * MINUTE
    assert refused(resumed, StepKind.RESUME_ALL) is NightCode.NOT_PAUSED
    by_hand = step(paused, StepKind.RESUME_ALL)
    assert back(by_hand, NOW + MINUTE).paused_at == NOW + MINUTE


def test_time_is_added_to_the_round_or_to_the_break() -> None:
    assert step(running(), StepKind.ADD_TIME, minutes=5).rounds[0].ends_at == STARTS_AT + 25 * MINUTE
    over = with_results(running(), Random(1), NOW)
    longer = step(over, StepKind.ADD_TIME, minutes=5)
    assert longer.next_at == NOW + 8 * MINUTE
    assert back(longer).next_at == NOW + 3 * MINUTE
    called = running().call_time(NOW)
    assert refused(called, StepKind.ADD_TIME, minutes=5) is NightCode.TIME_CALLED
    assert refused(running(round_minutes=0), StepKind.ADD_TIME, minutes=5) is NightCode.NO_TIMER


def test_added_time_cannot_be_undone_once_the_next_round_has_begun() -> None:
    night = with_results(step(running(), StepKind.ADD_TIME, minutes=5), Random(1), NOW)
    assert stuck(next_round(night, Random(1), NOW)[0]) is NightCode.ROUND_FOLLOWS


def test_ending_a_night_early_calls_time_and_no_round_follows() -> None:
    closing = step(running(), StepKind.END_EARLY)
    assert due(closing, NOW) is Duty.CALL_TIME
    over = with_results(closing.call_time(NOW), Random(1), NOW)
    assert due(over, NOW) is Duty.END_NIGHT
    assert due(back(over), NOW + 3 * MINUTE) is Duty.START_ROUND
    assert refused(closing, StepKind.END_EARLY) is NightCode.TIME_CALLED
    in_pause = step(step(running(), StepKind.PAUSE_ALL), StepKind.END_EARLY)
    assert next_at(in_pause) == NOW
    assert stuck(over.end(NOW)) is NightCode.NIGHT_OVER


def test_removing_a_partner_frees_the_other_and_undoing_it_restores_the_pair() -> None:
    night = begun(with_pairs(4, format=SWISS))
    dropped = step(night, StepKind.DROP, entrant=1)
    assert (dropped.entrants[1].presence, dropped.entrants[0].partner) == (Presence.OUT, None)
    assert back(dropped).entrants == night.entrants
    assert refused(dropped, StepKind.DROP, entrant=1) is NightCode.UNKNOWN_ENTRANT
    assert refused(dropped, StepKind.DROP, entrant=99) is NightCode.UNKNOWN_ENTRANT
    assert code(lambda: sign_up.join(dropped, 101, "P1", NOW)) is NightCode.REMOVED
    assert stuck(dropped.pair(0, 2)) is NightCode.CHANGED_MEANWHILE


def test_a_silent_person_who_is_removed_from_a_table_counts_as_a_no_show() -> None:
    night = running()
    night = night.with_entrant(replace(night.entrants[1], is_silent=True))
    dropped = step(night, StepKind.DROP, entrant=1)
    assert dropped.rounds[0].tables[0].no_shows == (1,)
    assert back(dropped).rounds[0].tables == night.rounds[0].tables
    assert back(dropped).entrants == night.entrants
    entered = step(dropped, StepKind.ENTER_RESULT, table=1, scores=(1, 3))
    table = entered.rounds[0].tables[0]
    (winners,) = table.leaders
    assert table.present(winners) == (3,), "the partner who came wins alone"
    assert step(running(), StepKind.DROP, entrant=1).rounds[0].tables[0].no_shows == (), "who played, came"


def test_undoing_a_removal_puts_the_person_on_the_waiting_list_of_a_full_night() -> None:
    night = running(10, most=9)
    dropped = step(night, StepKind.DROP, entrant=1)
    assert dropped.entrants[9].presence is Presence.IN
    assert back(dropped).entrants[1].presence is Presence.WAITING


def test_swapping_people_restarts_their_tables() -> None:
    swapped = step(running(), StepKind.SWAP, entrant=0, other=5)
    assert [table.seats for table in swapped.rounds[0].tables] == [(5, 1, 2, 3), (4, 0, 6, 7)]
    dealt = [(each.table_id, each.thread_id, each.restarts) for each in swapped.rounds[0].tables]
    assert dealt == [(None, 71, 1), (None, 72, 1)]
    within = step(running(), StepKind.SWAP, entrant=0, other=1)
    assert [table.seats for table in within.rounds[0].tables] == [(1, 0, 2, 3), (4, 5, 6, 7)]
    assert [table.restarts for table in within.rounds[0].tables] == [1, 0]


def test_a_person_with_a_bye_or_a_late_person_takes_a_free_seat() -> None:
    from_bye = step(running(), StepKind.SWAP, entrant=0, other=8)
    assert (from_bye.rounds[0].tables[0].seats, from_bye.rounds[0].byes) == ((8, 1, 2, 3), (0,))
    late = sign_up.join(running(), 999, "Late", NOW)
    substitute = step(late, StepKind.SWAP, entrant=0, other=9)
    assert (substitute.rounds[0].tables[0].seats, substitute.rounds[0].byes) == ((9, 1, 2, 3), (8,))
    assert back(substitute).rounds[0].tables[0].seats == (0, 1, 2, 3)


def test_swaps_that_make_no_sense_are_refused() -> None:
    assert refused(running(), StepKind.SWAP, entrant=0, other=0) is NightCode.ITSELF
    assert refused(running(), StepKind.SWAP, entrant=0) is NightCode.UNKNOWN_ENTRANT
    assert refused(running(10), StepKind.SWAP, entrant=8, other=9) is NightCode.NO_TABLE
    assert refused(running().call_time(NOW), StepKind.SWAP, entrant=0, other=5) is NightCode.TIME_CALLED
    played = running().record_result(2, TableResult((1, 0)), NOW)
    assert refused(played, StepKind.SWAP, entrant=0, other=5) is NightCode.TABLE_OVER


def test_a_host_enters_and_corrects_a_result() -> None:
    entered = step(running(), StepKind.ENTER_RESULT, table=1, scores=(2, 5))
    assert entered.rounds[0].tables[0].result == TableResult((2, 5), ResultKind.ENTERED)
    corrected = step(entered, StepKind.ENTER_RESULT, table=1, scores=(5, 2))
    again = back(corrected)
    assert again.rounds[0].tables[0].result == TableResult((2, 5), ResultKind.ENTERED)
    nothing = back(again).rounds[0].tables[0]
    assert (nothing.result, nothing.table_id, nothing.restarts) == (None, None, 1)


def test_the_last_result_starts_the_break_and_a_correction_does_not_move_it() -> None:
    night = running().record_result(2, TableResult((1, 0)), STARTS_AT + MINUTE)
    entered = step(night, StepKind.ENTER_RESULT, table=1, scores=(2, 5))
    assert entered.next_at == NOW + 3 * MINUTE
    corrected = apply_step(entered, HostStep(StepKind.ENTER_RESULT, table=2, scores=(0, 1)), HOST, NOW + MINUTE)
    assert corrected.next_at == NOW + 3 * MINUTE
    assert back(back(corrected)).next_at is None


@pytest.mark.parametrize("scores", [(1,), (1, 2, 3), (-1, 2), ()])
def test_entered_scores_must_fit_the_table(scores: tuple[int, ...]) -> None:
    assert refused(running(), StepKind.ENTER_RESULT, table=1, scores=scores) is NightCode.WRONG_SCORES


def test_a_step_for_a_missing_table_is_refused() -> None:
    assert refused(running(), StepKind.ENTER_RESULT, table=3, scores=(1, 2)) is NightCode.UNKNOWN_TABLE
    assert refused(running(), StepKind.ENTER_RESULT, scores=(1, 2)) is NightCode.UNKNOWN_TABLE
    assert refused(running(), StepKind.ENTER_RESULT, round=2, table=1, scores=(1, 2)) is NightCode.UNKNOWN_TABLE
    assert refused(running(), StepKind.RESTART_TABLE, table=0) is NightCode.UNKNOWN_TABLE


@pytest.mark.parametrize("format_", [ROTATION, SWISS, KNOCKOUT], ids=str)
def test_correcting_an_earlier_round_changes_standings_but_not_pairings(format_: Format) -> None:
    night, _ = next_round(with_pairs(8, format=format_), Random(1), STARTS_AT, first_team_wins)
    night = night.start_round(pair(night, Random(1)), NOW)
    first = night.rounds[0].tables[0]
    corrected = step(night, StepKind.ENTER_RESULT, round=1, table=1, scores=(0, 9))
    assert corrected.rounds[1] == night.rounds[1]
    assert points(corrected)[first.seats[0]] != points(night)[first.seats[0]]
    assert eliminated_entrants(corrected) == eliminated_entrants(night), "those who went on play on"
    again = step(corrected, StepKind.ENTER_RESULT, round=1, table=1, scores=(9, 9))
    for undone in (back(corrected), back(back(again))):
        assert (points(undone), eliminated_entrants(undone)) == (points(night), eliminated_entrants(night))
    ended = with_results(corrected, Random(1), NOW)
    following, _ = next_round(ended, Random(2), NOW)
    assert not eliminated_entrants(night) & {seat for table in following.rounds[2].tables for seat in table.seats}


def points(night: Night) -> dict[int, float]:
    return {one: value for line in standings(night) for one, value in zip(line.entrants, line.own, strict=True)}


def test_a_result_is_corrected_until_the_recap_is_out() -> None:
    over = with_results(running(rounds=1), Random(1), NOW).end(NOW)
    corrected = step(over, StepKind.ENTER_RESULT, table=1, scores=(9, 0))
    assert back(corrected).rounds == over.rounds
    assert refused(over.mark_done(Duty.RECAP), StepKind.ENTER_RESULT, table=1, scores=(9, 0)) is NightCode.NIGHT_OVER
    assert stuck(corrected.mark_done(Duty.RECAP)) is NightCode.NIGHT_OVER


def test_undoing_the_restart_of_a_finished_table_restores_its_result() -> None:
    over = with_results(running(), Random(1), NOW)
    again = step(over, StepKind.RESTART_TABLE, table=1)
    table = again.rounds[0].tables[0]
    assert (table.result, table.table_id, table.thread_id, table.restarts) == (None, None, 71, 1)
    assert again.next_at is None
    restored = back(again)
    assert restored.rounds[0].tables[0].result == over.rounds[0].tables[0].result
    assert restored.next_at == NOW + 3 * MINUTE
    ended = again.record_result(1, TableResult((7, 7)), NOW)
    assert stuck(ended) is NightCode.CHANGED_MEANWHILE


def test_the_restart_of_a_running_table_cannot_be_undone() -> None:
    again = step(running(), StepKind.RESTART_TABLE, table=1)
    assert again.rounds[0].tables[0].table_id is None
    assert stuck(again) is NightCode.TABLE_PLAYED


def test_only_tables_of_a_running_round_are_restarted() -> None:
    night, _ = next_round(with_results(running(), Random(1), NOW), Random(1), NOW)
    assert refused(night, StepKind.RESTART_TABLE, round=1, table=1) is NightCode.ROUND_FOLLOWS
    assert refused(running().call_time(NOW), StepKind.RESTART_TABLE, table=1) is NightCode.TIME_CALLED


def test_people_of_a_lounge_keep_their_result_when_they_play_on() -> None:
    night = planned(4, format=LOUNGE)
    night = night.start_round(Pairing(((0, 1, 2, 3),)), STARTS_AT)
    night = night.record_result(1, TableResult((1, 0)), NOW)
    night = night.start_round(Pairing(((0, 2, 1, 3),)), NOW)
    assert refused(night, StepKind.RESTART_TABLE, table=1) is NightCode.TABLE_OVER
    swapped = step(night, StepKind.SWAP, entrant=0, other=2)
    assert [table.seats for table in swapped.rounds[0].tables] == [(0, 1, 2, 3), (2, 0, 1, 3)]
