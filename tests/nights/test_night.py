"""Sign-up, partners, waiting list, and the evening's own changes."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

import pytest

from bot.nights.changes import Duty, HostStep, NightCode, StepKind
from bot.nights.formats import FORMATS, KNOCKOUT, LOUNGE, ROUND_ROBIN, SWISS, NightFormat
from bot.nights.night import Night, NightStatus
from bot.nights.people import pairs, sign_up
from bot.nights.people.sign_up import mark_notified, mark_read, unnotified_entrants, unread
from bot.nights.planning.length import byes_per_round, ways_to_reduce_byes
from bot.nights.results.history import turnout
from bot.nights.rounds import News, Pairing, Presence, ResultKind, TableResult
from bot.nights.steps import apply_step, change_seating
from tests.nights.evenings import MINUTE, STARTS_AT, begun, code, pair, planned, with_pairs, with_results


def presences(night: Night) -> str:
    return "".join(entrant.presence.value[0] for entrant in night.entrants)  # in, waiting, absent, out


def test_people_sign_up_and_withdraw() -> None:
    night = planned(3)
    assert [entrant.number for entrant in night.present] == [0, 1, 2]
    assert code(lambda: sign_up.join(night, 101, "Again", 9)) is NightCode.ALREADY_IN
    left = sign_up.leave(night, 101)
    assert presences(left) == "ioi"
    assert code(lambda: sign_up.leave(left, 101)) is NightCode.NOT_IN
    assert code(lambda: sign_up.leave(left, 999)) is NightCode.NOT_IN
    back = sign_up.join(left, 101, "New name", 50)
    assert (presences(back), back.entrants[1].name, back.entrants[1].number) == ("iii", "New name", 1)


def test_nobody_new_joins_after_sign_up_is_over() -> None:
    night = planned(4)
    until = night.plan.sign_up_until
    assert sign_up.join(night, 999, "Late", until - 1)
    assert code(lambda: sign_up.join(night, 999, "Late", until)) is NightCode.SIGN_UP_OVER
    assert sign_up.join(sign_up.leave(night, 100), 100, "P0", until)  # was there already


@pytest.mark.parametrize("form", FORMATS.values(), ids=str)
def test_only_a_closed_format_admits_nobody_late(form: NightFormat) -> None:
    night = begun(planned(8, format=form))
    if form in (KNOCKOUT, ROUND_ROBIN):
        assert code(lambda: sign_up.join(night, 999, "Late", STARTS_AT + 1)) is NightCode.SIGN_UP_OVER
    else:
        assert sign_up.join(night, 999, "Late", STARTS_AT + 1)


def test_people_who_declined_are_listed_apart_from_silent_ones() -> None:
    until = planned(0).plan.sign_up_until
    night = sign_up.decline(planned(5), 999, "Zoé")
    assert [one.name for one in night.declined] == ["Zoé"]
    assert [one.name for one in night.signed_up] == ["P0", "P1", "P2", "P3", "P4"]
    night = sign_up.decline(night, 101, "P1")
    assert (presences(night), [one.number for one in night.declined]) == ("ioiiio", [1, 5])
    assert sign_up.decline(night, 999, "Zoé") == night, "the same press twice"
    back = sign_up.join(sign_up.join(night, 999, "Zoé", 9, 12.0), 101, "P1", 10)
    assert (presences(back), back.declined, back.entrants[5].strength) == ("iiiiii", (), 12.0)
    assert code(lambda: sign_up.join(night, 999, "Zoé", until)) is NightCode.SIGN_UP_OVER, "she had not signed up"
    assert sign_up.join(night, 101, "P1", until).present, "he had"
    assert turnout(begun(night))[1] == frozenset(), "who declines is not missed"
    assert code(lambda: sign_up.decline(begun(night), 999, "Zoé")) is NightCode.NOT_IN
    assert sign_up.decline(begun(night), 100, "P0").declined == night.declined, "who leaves has not declined"


def test_a_person_learns_before_the_night_that_their_partner_is_gone() -> None:
    night = with_pairs(2, format=SWISS)
    for left in (sign_up.decline(night, 100, "P0"), pairs.part(night, 100, 1), night.remove(0)):
        assert [(one.number, one.news) for one in unread(left)] == [(1, News.ALONE)]
    assert not unread(pairs.accept(pairs.ask(pairs.part(night, 100, 1), 100, 1), 101, 0))[1:]
    assert not unread(sign_up.leave(begun(night), 100))


def test_a_full_night_has_a_waiting_list() -> None:
    night = planned(6, most=4)
    assert presences(night) == "iiiiww"
    assert [entrant.number for entrant in sign_up.leave(night, 101).waiting] == [5]
    assert presences(sign_up.leave(night, 101)) == "ioiiiw"
    assert presences(sign_up.leave(night, 104)) == "iiiiow"
    rejoined = sign_up.join(sign_up.leave(night, 104), 104, "P4", 50)
    assert [entrant.number for entrant in rejoined.waiting] == [5, 4]  # behind who has waited all along


def test_more_places_let_the_waiting_list_in_before_a_newcomer() -> None:
    night = planned(7, most=4)
    night = sign_up.join(sign_up.leave(night, 104), 104, "P4", 50)
    larger = night.replan(replace(night.plan, most=6))
    assert presences(larger) == "iiiiwii"
    assert presences(sign_up.join(larger, 999, "New", 60)) == "iiiiwiiw"
    assert presences(sign_up.join(night.replan(replace(night.plan, most=None)), 999, "New", 60)) == "iiiiiiii"


def test_a_substitute_from_the_waiting_list_plays_for_an_absent_person() -> None:
    night = planned(5, most=4)
    absent = night.mark_absent(2)
    assert presences(absent) == "iiaii"
    assert presences(sign_up.join(absent, 102, "P2", 9)) == "iiwii"
    assert presences(sign_up.join(sign_up.leave(absent, 100), 102, "P2", 9)) == "oiiii"
    assert code(lambda: absent.mark_absent(2)) is NightCode.NOT_IN


def test_a_partner_request_is_made_and_accepted() -> None:
    night = planned(4, format=SWISS)
    asked = pairs.ask(pairs.seek(night, 100), 100, 1)
    assert asked.entrants[0].asks == 1
    assert pairs.ask(asked, 101, 0).entrants[0].partner == 1, "to ask back is to accept"
    paired = pairs.accept(asked, 101, 0)
    assert [entrant.partner for entrant in paired.entrants] == [1, 0, None, None]
    assert paired.entrants[0].asks is None
    assert not paired.entrants[0].seeks_partner
    assert code(lambda: pairs.ask(paired, 102, 1)) is NightCode.HAS_PARTNER
    assert code(lambda: pairs.ask(paired, 100, 2)) is NightCode.HAS_PARTNER
    assert code(lambda: pairs.seek(paired, 100)) is NightCode.HAS_PARTNER


def test_partner_requests_are_declined_withdrawn_and_ended_by_another_partner() -> None:
    night = pairs.ask(planned(4, format=SWISS), 100, 1)
    assert pairs.decline(night, 101, 0).entrants[0].asks is None
    assert pairs.decline(night, 100, 0).entrants[0].asks is None
    assert code(lambda: pairs.decline(night, 102, 0)) is NightCode.NOT_ASKED
    assert code(lambda: pairs.accept(night, 102, 0)) is NightCode.NOT_ASKED
    other = pairs.accept(pairs.ask(night, 102, 1), 101, 2)
    assert (other.entrants[0].asks, other.entrants[1].partner) == (None, 2)


ASKED: Final = pairs.ask(planned(6, format=SWISS, most=4), 100, 1)


@pytest.mark.parametrize(
    ("change", "news"),
    [
        (lambda night: night, {1: News.ASKED}),
        (lambda night: pairs.ask(night, 102, 1), {1: News.ASKED}),
        (lambda night: pairs.decline(night, 100, 0), {}),
        (lambda night: pairs.decline(night, 101, 0), {0: News.REFUSED}),
        (lambda night: pairs.accept(night, 101, 0), {0: News.ACCEPTED}),
        (lambda night: pairs.ask(night, 101, 0), {0: News.ACCEPTED}),
        (lambda night: pairs.accept(pairs.ask(night, 102, 1), 101, 2), {0: News.REFUSED, 2: News.ACCEPTED}),
        (lambda night: sign_up.leave(night, 101), {0: News.REFUSED, 4: News.MOVED_UP}),
        (lambda night: sign_up.leave(night, 103), {1: News.ASKED, 4: News.MOVED_UP}),
        (lambda night: sign_up.leave(night, 104), {1: News.ASKED}),
        (lambda night: mark_read(night, 101, News.ASKED), {}),
        (lambda night: mark_read(night, 101, News.ALONE), {1: News.ASKED}),
        (lambda night: night.cancel(STARTS_AT), {}),
        (lambda night: night.start_round(Pairing(((0, 1, 2, 3),)), STARTS_AT), {}),
    ],
)
def test_people_get_news_when_they_are_asked_answered_or_moved_up(
    change: Callable[[Night], Night], news: dict[int, News]
) -> None:
    night = change(ASKED)
    assert {one.number: one.news for one in unread(night)} == news
    assert unnotified_entrants(night) == unread(night)


def test_a_post_mentions_everybody_with_news_once_until_they_have_looked() -> None:
    called = mark_notified(ASKED, unread(ASKED), 2 * MINUTE)
    assert (unnotified_entrants(called), called.news_from) == ((), 2 * MINUTE)
    again = pairs.ask(called, 102, 1)
    assert not unnotified_entrants(again), "the post still calls them"
    assert [one.number for one in unnotified_entrants(sign_up.leave(again, 103))] == [4]
    looked = pairs.ask(mark_read(called, 101, News.ASKED), 102, 1)
    assert [one.number for one in unnotified_entrants(looked)] == [1]
    taken_back = pairs.ask(pairs.decline(called, 100, 0), 102, 1)
    assert [one.number for one in unnotified_entrants(taken_back)] == [1], "the post that called them is gone"


def test_a_person_who_cannot_be_a_partner_is_not_asked() -> None:
    night = planned(3, format=SWISS)
    assert code(lambda: pairs.ask(night, 100, 0)) is NightCode.ITSELF
    assert code(lambda: pairs.ask(night, 100, 9)) is NightCode.UNKNOWN_ENTRANT
    assert code(lambda: pairs.ask(sign_up.leave(night, 101), 100, 1)) is NightCode.UNKNOWN_ENTRANT
    assert code(lambda: pairs.ask(night, 999, 1)) is NightCode.NOT_IN
    assert code(lambda: pairs.ask(planned(3), 100, 1)) is NightCode.NO_PAIRS


def test_partners_can_separate_before_the_night_begins() -> None:
    night = with_pairs(2, format=SWISS)
    assert [entrant.partner for entrant in pairs.part(night, 101, 0).entrants] == [None, None, 3, 2]
    assert [entrant.partner for entrant in sign_up.leave(night, 101).entrants] == [None, None, 3, 2]
    assert code(lambda: pairs.part(pairs.part(night, 101, 0), 101, 0)) is NightCode.NO_PARTNER
    assert code(lambda: pairs.part(begun(night), 101, 0)) is NightCode.HAS_BEGUN
    assert code(lambda: pairs.part(night.pair(1, 2), 101, 0)) is NightCode.CHANGED_MEANWHILE, "another partner"


def test_a_table_is_opened_begun_and_ended_and_the_break_begins() -> None:
    night = begun(planned(8))
    assert night.status is NightStatus.RUNNING
    assert night.rounds[0].ends_at == STARTS_AT + 20 * MINUTE
    night = night.open_table(1, thread_id=71).open_table(1, table_id=72)
    table = night.table_at(72)
    assert (table.number, table.thread_id) == (1, 71)
    night = night.record_result(1, TableResult((3, 2), ResultKind.PLAYED), STARTS_AT + 5)
    assert night.next_at is None
    assert code(lambda: night.record_result(1, TableResult((3, 2)), STARTS_AT + 6)) is NightCode.TABLE_OVER
    assert code(lambda: night.record_result(9, TableResult((3, 2)), STARTS_AT + 6)) is NightCode.UNKNOWN_TABLE
    assert code(lambda: night.record_result(2, TableResult((3, 2, 1)), STARTS_AT + 6)) is NightCode.WRONG_SCORES
    assert code(lambda: begun(night)) is NightCode.ROUND_RUNNING
    assert code(lambda: night.end(STARTS_AT)) is NightCode.ROUND_RUNNING
    night = night.record_result(2, TableResult((3, 2)), STARTS_AT + 7)
    assert night.next_at == STARTS_AT + 7 + 3 * MINUTE
    assert night.rounds[0].is_over


def test_time_is_called_once() -> None:
    night = planned(4)
    assert code(lambda: night.call_time(1)) is NightCode.NOT_BEGUN
    night = begun(night)
    called = night.call_time(STARTS_AT + 9)
    assert called.rounds[0].called_at == STARTS_AT + 9
    assert code(lambda: called.call_time(STARTS_AT + 10)) is NightCode.TIME_CALLED
    assert code(lambda: begun(planned(4)).cancel(STARTS_AT).call_time(STARTS_AT)) is NightCode.NOT_BEGUN


def test_the_first_round_needs_enough_people_for_a_table() -> None:
    assert code(lambda: planned(2).start_round(Pairing(()), STARTS_AT)) is NightCode.TOO_FEW


def test_a_round_is_paired_again_when_a_seated_person_has_left() -> None:
    night = planned(4, format=SWISS)
    pairing = pair(night, Random(1))
    assert code(lambda: sign_up.leave(night, 100).start_round(pairing, STARTS_AT)) is NightCode.CHANGED_MEANWHILE
    assert code(lambda: night.mark_absent(1).start_round(pairing, STARTS_AT)) is NightCode.CHANGED_MEANWHILE
    one, other = pairing.partners[0]
    third = next(number for number in range(4) if number not in (one, other))
    assert code(lambda: night.pair(one, third).start_round(pairing, STARTS_AT)) is NightCode.CHANGED_MEANWHILE
    assert sign_up.join(night, 999, "Late", 9).start_round(pairing, STARTS_AT)
    lounge = planned(8, format=LOUNGE)
    lounge = lounge.start_round(Pairing(((0, 1, 2, 3),)), STARTS_AT)
    assert code(lambda: lounge.start_round(Pairing(((3, 4, 5, 6),)), STARTS_AT)) is NightCode.CHANGED_MEANWHILE


def test_a_night_that_is_over_does_not_change() -> None:
    night = with_results(begun(planned(4)), Random(1), STARTS_AT + 9)
    over = night.end(STARTS_AT + 10)
    assert (over.status, over.ended_at, over.next_at) == (NightStatus.OVER, STARTS_AT + 10, None)
    changes: tuple[Callable[[], Night], ...] = (
        lambda: sign_up.join(over, 999, "x", 1),
        lambda: sign_up.leave(over, 100),
        lambda: over.start_round(Pairing(((0, 1, 2, 3),)), 1),
        lambda: over.end(1),
        lambda: over.cancel(1),
    )
    assert {code(change) for change in changes} == {NightCode.NIGHT_OVER}
    assert code(lambda: planned(4).end(1)) is NightCode.NOT_BEGUN


def test_a_finished_duty_is_not_done_again() -> None:
    night = planned(1).mark_done(Duty.RECAP)
    assert night.mark_done(Duty.RECAP) == night
    assert night.done == (Duty.RECAP,)


def test_an_erased_person_leaves_neither_id_nor_name() -> None:
    night = begun(planned(4))
    night = apply_step(night, HostStep(StepKind.PAUSE_ALL), by=101, now=STARTS_AT)
    forgotten = night.erase_person(101)
    assert (forgotten.entrants[1].user_id, forgotten.entrants[1].name) == (None, "")
    assert forgotten.steps[0].by is None
    assert forgotten.entrants[1].presence is Presence.OUT
    assert replace(forgotten, entrants=night.entrants, steps=night.steps) == night
    assert night.erase_person(4).host_id is None
    off = planned(4, title="Chez <@101>").cancel(STARTS_AT, "<@101> est malade")
    assert (off.erase_person(101).plan.title, off.erase_person(101).reason) == ("Chez …", "… est malade")
    assert "101" not in repr(forgotten.entrants) + repr(forgotten.steps)


def test_fewer_places_move_the_last_to_the_waiting_list_and_more_places_move_them_back() -> None:
    night = planned(6, most=6)
    assert [one.number for one in night.overflow(4)] == [4, 5]
    fewer = night.replan(replace(night.plan, most=4))
    assert presences(fewer) == "iiiiww"
    assert presences(sign_up.leave(fewer, 100)) == "oiiiiw"
    assert presences(fewer.replan(replace(night.plan, most=None))) == "iiiiii"


def test_robots_or_larger_tables_reduce_byes_without_asking_anybody_again() -> None:
    night = planned(7).open_check_in()
    assert (byes_per_round(night.plan, 7), ways_to_reduce_byes(night.plan, 7)) == (3, (6, True))
    larger = change_seating(night, size=6)
    assert (byes_per_round(larger.plan, 7), ways_to_reduce_byes(larger.plan, 7)) == (1, (None, True))
    assert (larger.entrants, larger.changed) == (night.entrants, None)
    assert ways_to_reduce_byes(change_seating(larger, with_robots=True).plan, 7) == (None, False)
    assert code(lambda: change_seating(begun(planned(8)), size=6)) is NightCode.HAS_BEGUN
