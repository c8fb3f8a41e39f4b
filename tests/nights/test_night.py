"""Sign-up, partners, waiting list, and the evening's own changes."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.nights.duties import Duty
from bot.nights.entrants import Presence
from bot.nights.host_steps import HostStep, StepKind
from bot.nights.night import Night, NightStatus
from bot.nights.pairings import pair
from bot.nights.plan import Format
from bot.nights.refusals import NightCode, NightRefusal
from bot.nights.rounds import How, Pairing, TableResult
from bot.nights.steps import do
from tests.nights.evenings import MINUTE, STARTS_AT, done, planned, with_pairs, with_results


def code(changed: Night | NightRefusal) -> NightCode:
    assert isinstance(changed, NightRefusal), changed
    return changed.code


def presences(night: Night) -> str:
    return "".join(entrant.presence.value[0] for entrant in night.entrants)  # in, waiting, absent, out


def test_people_sign_up_and_stand_down() -> None:
    night = planned(3)
    assert [entrant.number for entrant in night.present] == [0, 1, 2]
    assert code(night.join(101, "Again", 9)) is NightCode.ALREADY_IN
    left = done(night.leave(101))
    assert presences(left) == "ioi"
    assert code(left.leave(101)) is NightCode.NOT_IN
    assert code(left.leave(999)) is NightCode.NOT_IN
    back = done(left.join(101, "New name", 50))
    assert (presences(back), back.entrants[1].name, back.entrants[1].number) == ("iii", "New name", 1)


def test_nobody_new_joins_after_sign_up_is_over() -> None:
    night = planned(4)
    until = night.plan.sign_up_until
    assert isinstance(night.join(999, "Late", until - 1), Night)
    assert code(night.join(999, "Late", until)) is NightCode.SIGN_UP_OVER
    assert isinstance(done(night.leave(100)).join(100, "P0", until), Night)  # was there already


@pytest.mark.parametrize(
    ("format_", "takes_late"),
    [
        (Format.LOUNGE, True),
        (Format.ROTATION, True),
        (Format.SWISS, True),
        (Format.KNOCKOUT, False),
        (Format.ROUND_ROBIN, False),
    ],
)
def test_formats_with_a_fixed_course_take_nobody_late(format_: Format, takes_late: bool) -> None:
    night = planned(8, format=format_)
    night = done(night.begin_round(pair(night, Random(1)), STARTS_AT))
    late = night.join(999, "Late", STARTS_AT + 1)
    assert isinstance(late, Night) if takes_late else code(late) is NightCode.SIGN_UP_OVER


def test_a_full_night_has_a_waiting_list() -> None:
    night = planned(6, most=4)
    assert presences(night) == "iiiiww"
    assert [entrant.number for entrant in done(night.leave(101)).waiting] == [5]
    assert presences(done(night.leave(101))) == "ioiiiw"
    assert presences(done(night.leave(104))) == "iiiiow"
    rejoined = done(done(night.leave(104)).join(104, "P4", 50))
    assert [entrant.number for entrant in rejoined.waiting] == [5, 4]  # behind who has waited all along


def test_a_substitute_from_the_waiting_list_plays_for_who_is_absent() -> None:
    night = planned(5, most=4)
    absent = done(night.absent(2))
    assert presences(absent) == "iiaii"
    assert presences(done(absent.back(2))) == "iiwii"
    assert presences(done(done(absent.leave(100)).back(2))) == "oiiii"
    assert presences(done(absent.join(102, "P2", 9))) == "iiwii"
    assert code(absent.absent(2)) is NightCode.NOT_IN
    assert code(night.back(0)) is NightCode.ALREADY_IN
    assert code(night.back(77)) is NightCode.UNKNOWN_ENTRANT
    assert code(done(night.leave(100)).back(0)) is NightCode.NOT_IN


# ---------------------------------------------------------------------- partners


def test_partners_are_asked_and_accept() -> None:
    night = planned(4, format=Format.SWISS)
    asked = done(done(night.seek_partner(100)).ask_partner(100, 1))
    assert asked.entrants[0].asks == 1
    paired = done(asked.accept_partner(101, 0))
    assert [entrant.partner for entrant in paired.entrants] == [1, 0, None, None]
    assert paired.entrants[0].asks is None
    assert not paired.entrants[0].seeks_partner
    assert code(paired.ask_partner(102, 1)) is NightCode.HAS_PARTNER
    assert code(paired.ask_partner(100, 2)) is NightCode.HAS_PARTNER
    assert code(paired.seek_partner(100)) is NightCode.HAS_PARTNER


def test_who_asks_whom_they_were_asked_by_has_accepted() -> None:
    night = planned(4, format=Format.SWISS)
    paired = done(done(night.ask_partner(100, 1)).ask_partner(101, 0))
    assert paired.entrants[0].partner == 1


def test_questions_are_declined_taken_back_and_answered_by_another_partner() -> None:
    night = done(planned(4, format=Format.SWISS).ask_partner(100, 1))
    assert done(night.decline_partner(101, 0)).entrants[0].asks is None
    assert done(night.decline_partner(100, 0)).entrants[0].asks is None
    assert code(night.decline_partner(102, 0)) is NightCode.NOT_ASKED
    assert code(night.accept_partner(102, 0)) is NightCode.NOT_ASKED
    other = done(done(night.ask_partner(102, 1)).accept_partner(101, 2))
    assert (other.entrants[0].asks, other.entrants[1].partner) == (None, 2)


def test_nobody_is_asked_who_cannot_be_a_partner() -> None:
    night = planned(3, format=Format.SWISS)
    assert code(night.ask_partner(100, 0)) is NightCode.ITSELF
    assert code(night.ask_partner(100, 9)) is NightCode.UNKNOWN_ENTRANT
    assert code(done(night.leave(101)).ask_partner(100, 1)) is NightCode.UNKNOWN_ENTRANT
    assert code(night.ask_partner(999, 1)) is NightCode.NOT_IN
    assert code(planned(3).ask_partner(100, 1)) is NightCode.NO_PAIRS


def test_partners_part_before_the_night_begins() -> None:
    night = with_pairs(2, format=Format.SWISS)
    assert [entrant.partner for entrant in done(night.part(101)).entrants] == [None, None, 3, 2]
    assert [entrant.partner for entrant in done(night.leave(101)).entrants] == [None, None, 3, 2]
    assert code(done(night.part(101)).part(101)) is NightCode.NO_PARTNER
    begun = done(night.begin_round(pair(night, Random(1)), STARTS_AT))
    assert code(begun.part(101)) is NightCode.HAS_BEGUN


def test_an_absent_partner_stays_a_partner() -> None:
    night = done(with_pairs(2, format=Format.SWISS).absent(1))
    assert night.entrants[0].partner == 1


# ---------------------------------------------------------------------- the evening


def test_a_table_is_opened_begun_and_ended_and_the_break_begins() -> None:
    night = planned(8)
    night = done(night.begin_round(pair(night, Random(1)), STARTS_AT))
    assert night.status is NightStatus.RUNNING
    assert night.rounds[0].ends_at == STARTS_AT + 20 * MINUTE
    night = done(done(night.table_opened(1, 71)).table_begun(1, 72))
    table = night.table_at(72)
    assert table is not None
    assert (table.number, table.thread_id) == (1, 71)
    night = done(night.table_ended(1, TableResult((3, 2), How.PLAYED), STARTS_AT + 5))
    assert night.next_at is None
    assert code(night.table_ended(1, TableResult((3, 2)), STARTS_AT + 6)) is NightCode.TABLE_OVER
    assert code(night.table_ended(9, TableResult((3, 2)), STARTS_AT + 6)) is NightCode.UNKNOWN_TABLE
    assert code(night.table_ended(2, TableResult((3, 2, 1)), STARTS_AT + 6)) is NightCode.WRONG_SCORES
    assert code(night.begin_round(pair(night, Random(1)), STARTS_AT)) is NightCode.ROUND_RUNNING
    assert code(night.ended(STARTS_AT)) is NightCode.ROUND_RUNNING
    night = done(night.table_ended(2, TableResult((3, 2)), STARTS_AT + 7))
    assert night.next_at == STARTS_AT + 7 + 3 * MINUTE
    assert night.rounds[0].is_over


def test_time_is_called_once() -> None:
    night = planned(4)
    assert code(night.time_called(1)) is NightCode.NOT_BEGUN
    night = done(night.begin_round(pair(night, Random(1)), STARTS_AT))
    called = done(night.time_called(STARTS_AT + 9))
    assert called.rounds[0].called_at == STARTS_AT + 9
    assert code(called.time_called(STARTS_AT + 10)) is NightCode.TIME_CALLED


def test_the_first_round_needs_a_table() -> None:
    assert code(planned(2).begin_round(Pairing(()), STARTS_AT)) is NightCode.TOO_FEW


def test_a_round_that_seats_somebody_who_has_left_meanwhile_is_paired_again() -> None:
    night = planned(4, format=Format.SWISS)
    pairing = pair(night, Random(1))
    assert code(done(night.leave(100)).begin_round(pairing, STARTS_AT)) is NightCode.CHANGED_MEANWHILE
    assert code(done(night.absent(1)).begin_round(pairing, STARTS_AT)) is NightCode.CHANGED_MEANWHILE
    one, other = pairing.partners[0]
    third = next(number for number in range(4) if number not in (one, other))
    assert code(night.paired(one, third).begin_round(pairing, STARTS_AT)) is NightCode.CHANGED_MEANWHILE
    assert isinstance(done(night.join(999, "Late", 9)).begin_round(pairing, STARTS_AT), Night)
    lounge = planned(8, format=Format.LOUNGE)
    lounge = done(lounge.begin_round(Pairing(((0, 1, 2, 3),)), STARTS_AT))
    assert code(lounge.begin_round(Pairing(((3, 4, 5, 6),)), STARTS_AT)) is NightCode.CHANGED_MEANWHILE


def test_a_night_that_is_over_does_not_change() -> None:
    night = planned(4)
    night = with_results(done(night.begin_round(pair(night, Random(1)), STARTS_AT)), Random(1), STARTS_AT + 9)
    over = done(night.ended(STARTS_AT + 10))
    assert (over.status, over.ended_at, over.next_at) == (NightStatus.OVER, STARTS_AT + 10, None)
    for changed in (
        over.join(999, "x", 1),
        over.leave(100),
        over.begin_round(Pairing(((0, 1, 2, 3),)), 1),
        over.ended(1),
        over.cancelled(1),
        over.back(0),
    ):
        assert code(changed) is NightCode.NIGHT_OVER
    assert code(planned(4).ended(1)) is NightCode.NOT_BEGUN


def test_a_duty_is_remembered_once() -> None:
    night = planned(1).did(Duty.REMIND)
    assert night.did(Duty.REMIND) is night
    assert night.done == (Duty.REMIND,)


def test_a_forgotten_person_leaves_neither_id_nor_name() -> None:
    night = planned(4)
    night = done(night.begin_round(pair(night, Random(1)), STARTS_AT))
    night = done(do(night, HostStep(StepKind.PAUSE_ALL), by=101, now=STARTS_AT))
    forgotten = night.forgotten(101)
    assert (forgotten.entrants[1].user_id, forgotten.entrants[1].name) == (None, "")
    assert forgotten.steps[0].by is None
    assert forgotten.entrants[1].presence is Presence.OUT
    assert replace(forgotten, entrants=night.entrants, steps=night.steps) == night
    assert night.forgotten(4).host_id is None
    assert "101" not in repr(forgotten.entrants) + repr(forgotten.steps)
