"""Whom a night takes: a role, a number of matches and of days, asked for where people sign up and nowhere else."""

from dataclasses import replace

import pytest

from bot.conditions import CONDITIONS, EVERYBODY, Candidate, EntryRules
from bot.nights.changes import NightCode
from bot.nights.formats import SWISS
from bot.nights.night import Night
from bot.nights.people import pairs, sign_up
from bot.nights.planning.series import next_of_series
from bot.nights.rounds import Presence
from tests.nights.evenings import STARTS_AT, begun, code, planned

REGULARS = 70
BOTH = EntryRules(REGULARS, 10)
WELCOME = Candidate((5, REGULARS), 10)


def asking(night: Night, entry: EntryRules = BOTH) -> Night:
    return replace(night, plan=replace(night.plan, entry=entry))


def join(night: Night, user_id: int, candidate: Candidate, *, by_host: bool = False) -> Night:
    return sign_up.join(night, user_id, "Zoé", 50, candidate=candidate, by_host=by_host)


@pytest.mark.parametrize(
    ("entry", "candidate", "lacked"),
    [
        (EVERYBODY, Candidate(), {}),
        (BOTH, WELCOME, {}),
        (BOTH, Candidate((5,), 12), {"role_id": 1}),
        (BOTH, Candidate((REGULARS,), 7), {"matches": 3}),
        (BOTH, Candidate(), {"role_id": 1, "matches": 10}),
        (EntryRules(None, 10), Candidate((), 10), {}),
        (EntryRules(REGULARS), Candidate((REGULARS,)), {}),
        (EntryRules(days=7), Candidate(days=6), {"days": 1}),
        (EntryRules(days=7), Candidate(days=7), {}),
    ],
)
def test_shortfalls_of_a_person_are_listed(entry: EntryRules, candidate: Candidate, lacked: dict[str, int]) -> None:
    assert {one.name: count for one, count in entry.shortfalls(candidate).items()} == lacked


def test_each_condition_admits_everybody_who_is_known_to_meet_it() -> None:
    for one in CONDITIONS:
        asked = EntryRules(**{one.name: one.choices[-1] if one.choices else REGULARS})
        assert [each.name for each in asked.requirements] == [one.name]
        assert asked.shortfalls(Candidate())
        lacked = asked.shortfalls(Candidate((REGULARS,), 1000, 1000))
        assert not lacked, f"let this candidate have what {one.name} asks for"


@pytest.mark.parametrize("candidate", [Candidate((REGULARS,), 9), Candidate((5,), 10)])
def test_a_person_who_lacks_something_cannot_sign_up(candidate: Candidate) -> None:
    night = asking(planned(4))
    assert code(lambda: join(night, 999, candidate)) is NightCode.NOT_TAKEN
    assert join(night, 999, WELCOME).is_in(999)
    assert code(lambda: join(begun(night), 999, candidate)) is NightCode.NOT_TAKEN, "late entry asks, too"
    assert code(lambda: join(sign_up.leave(night, 100), 100, candidate)) is NightCode.NOT_TAKEN, "nor comes back"


def test_a_person_keeps_their_place_when_conditions_change() -> None:
    """A condition that comes later, and a role that is lost, take nobody's place."""
    night = planned(4).replan(replace(planned(0).plan, entry=BOTH))
    assert len(night.present) == 4
    there = sign_up.ready(night.open_check_in(), 100, Candidate())
    assert (there.entrants[0].presence, there.entrants[0].is_silent) == (Presence.IN, False)
    assert there.entrants[0].lacks_role
    assert not sign_up.ready(there, 100, WELCOME).entrants[0].lacks_role, "the role is back"
    assert not sign_up.ready(night, 101, Candidate((REGULARS,))).entrants[1].lacks_role, "matches do not go away"
    away = begun(night).mark_absent(2)
    assert join(away, 102, Candidate()).entrants[2].presence is Presence.IN, "I am here"


def test_the_host_may_let_in_a_person_who_lacks_something() -> None:
    night = join(asking(planned(4)), 999, Candidate(), by_host=True)
    assert night.is_in(999)
    assert not sign_up.ready(night, 999, Candidate()).entrants[4].lacks_role, "the host knows"
    assert join(sign_up.leave(night, 999), 999, Candidate()).is_in(999), "and they may come back"


def test_only_two_people_who_are_both_signed_up_may_be_partners() -> None:
    night = asking(planned(4, format=SWISS))
    assert code(lambda: join(night, 999, Candidate())) is NightCode.NOT_TAKEN
    assert code(lambda: pairs.ask(night, 100, 4)) is NightCode.UNKNOWN_ENTRANT
    taken = join(night, 999, WELCOME)
    assert pairs.accept(pairs.ask(taken, 100, 4), 999, 0).entrants[4].partner == 0


def test_a_series_and_a_move_keep_the_conditions_and_the_admitted_people() -> None:
    night = asking(planned(3, is_weekly=True))
    night = sign_up.comes_weekly(join(night, 999, Candidate(), by_host=True), 999, comes=True)
    assert night.plan.moved_to(STARTS_AT + 9).entry == BOTH
    later = next_of_series(night, STARTS_AT, seed=3)
    assert later.plan.entry == BOTH
    assert [(one.user_id, one.is_let_in) for one in later.present] == [(999, True)]


def test_a_deleted_role_is_not_required_until_the_host_plans_again() -> None:
    night = sign_up.ready(asking(planned(4)), 100, Candidate())
    open_now = sign_up.without_role(night)
    assert open_now.plan.entry == EntryRules(None, 10)
    assert (open_now.has_lost_role, open_now.entrants[0].lacks_role) == (True, False)
    assert join(open_now, 999, Candidate((), 10)).is_in(999)
    assert not open_now.replan(open_now.plan).has_lost_role, "saved as it is"
    assert not open_now.replan(replace(open_now.plan, entry=EVERYBODY)).has_lost_role
    assert next_of_series(open_now, STARTS_AT, seed=3).has_lost_role, "nobody has looked"
    assert code(lambda: sign_up.without_role(night.cancel(9))) is NightCode.NIGHT_OVER
