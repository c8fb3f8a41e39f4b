"""The agenda keeps each candidate's moment; a robot thinks when it has to; names are given once."""

import sys
from dataclasses import replace
from random import Random

from bot.game import actions as a
from bot.game.build_view import player_view, table_view
from bot.game.cards import parse_card
from bot.game.rules.presets import CLASSIC
from bot.game.state import Phase, State, SweepVote
from bot.robots import LEVELS, RobotLevel
from bot.robots.level import NAMES, Agenda, CandidateAction, Intent, Timing, unused_name
from tests.robots.quick import quick_timing
from tests.robots.scenes import NOW, gesture, robot, scene, thought
from tests.rules.table import cards

SOON = (100, 100)
LATE = (900, 900)
CALL, OPEN = a.CallKems(0), a.OpenHunt(0)


def _always(_: CandidateAction) -> bool:
    return True


def _never(_: CandidateAction) -> bool:
    return False


def test_the_earliest_plan_comes_first_and_keeps_its_time() -> None:
    agenda = Agenda(Random(1))
    assert agenda.next([CandidateAction(OPEN, LATE), CandidateAction(CALL, SOON)], _always, 0) == Intent(CALL, 100)
    assert agenda.next([CandidateAction(OPEN, LATE), CandidateAction(CALL, SOON)], _always, 60) == Intent(CALL, 40)


def test_a_dropped_plan_starts_its_delay_again() -> None:
    agenda = Agenda(Random(1))
    agenda.next([CandidateAction(CALL, SOON)], _always, 0)
    assert agenda.next([], _always, 50) is None
    assert agenda.next([CandidateAction(CALL, SOON)], _always, 60) == Intent(CALL, 100)


def test_an_exchange_keeps_its_time_when_its_card_changes() -> None:
    agenda = Agenda(Random(1))
    agenda.next([CandidateAction(a.PutDown(0, parse_card("7S")), SOON)], _always, 0)
    other = a.PutDown(0, parse_card("8S"))
    assert agenda.next([CandidateAction(other, SOON)], _always, 30) == Intent(other, 70)


def test_a_due_plan_is_carried_out_once() -> None:
    agenda = Agenda(Random(1))
    agenda.next([CandidateAction(CALL, SOON)], _always, 0)
    assert agenda.done(50) is None
    assert agenda.done(100) == CALL
    assert agenda.done(100) is None
    assert agenda.next([CandidateAction(CALL, SOON)], _always, 100) == Intent(CALL, 100)


def test_a_plan_waits_for_its_time_and_its_chance() -> None:
    agenda = Agenda(Random(1))
    assert agenda.next([CandidateAction(CALL, SOON, not_before=500)], _always, 0) == Intent(CALL, 600)
    assert agenda.next([CandidateAction(CALL, SOON)], _never, 400) is None
    overdue = agenda.next([CandidateAction(CALL, SOON)], _always, 5000)
    assert overdue.action == CALL
    assert 300 <= overdue.delay_ms <= 700


def test_the_quick_tempo_is_faster_in_everything() -> None:
    assert quick_timing(10) == Timing(
        **{name: (low // 10, high // 10) for name in Timing.__slots__ for low, high in [getattr(Timing(), name)]}
    )


def test_all_robots_at_a_table_have_different_names() -> None:
    taken: list[str] = []
    for _ in range(len(NAMES) + 3):
        taken.append(unused_name(taken, Random(4)))
    assert len(set(taken)) == len(taken)
    assert set(NAMES) < set(taken)


HANDS = "7S 7H 8S 9S / 8H 9H JD QD / 8D 9D JC QC / TH TD KH KD"


def _after(before: State, after: State) -> tuple[bool, bool]:
    """Returns whether a robot in seat 0 has to think at once when the table changes so, and before it acts."""
    mind = robot()
    thought(before, 0, mind)
    return mind.notice(table_view(after), NOW + 100), mind.is_stale


def test_a_robot_thinks_when_a_change_concerns_it() -> None:
    fitting = scene(CLASSIC, HANDS, "7D JS QS KS")
    idle = scene(CLASSIC, HANDS, "AD JS QS KS")
    less = replace(fitting, pool=cards("7D JS QS KS 8H"), seats=scene(CLASSIC, HANDS.replace("8H", "_"), "7D").seats)
    vote = replace(fitting, phase=Phase.SWEEP, vote=SweepVote(asker=1, agreed=(1,), ends_at=NOW + 9000))
    assert _after(fitting, less) == (False, True), "it chooses its card when its moment comes"
    assert _after(idle, replace(less, pool=cards("AD JS QS KS 8H"))) == (True, True), "another eight came"
    assert _after(idle, replace(less, pool=cards("AD JS QS KS TC"))) == (False, True)
    assert _after(fitting, vote)[0]
    assert _after(fitting, gesture(fitting, 2, "👀", is_sign=True))[0]
    assert _after(fitting, gesture(fitting, 2, "🍩")) == (False, False)


def test_many_gestures_do_not_slow_a_robots_decisions() -> None:
    def calls(gestures: int) -> int:
        mind, count = robot(LEVELS[RobotLevel.MASTER].skill), 0
        state = scene(CLASSIC, HANDS, "AD JS QS KS")
        for number in range(gestures):
            state = gesture(state, number % 4, "🍩", at=NOW - 40_000 + 100 * number)
        mind.think(player_view(state, 0, NOW), NOW)
        fitting = player_view(replace(state, pool=cards("7D JS QS KS")), 0, NOW)

        def tick(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(tick)
        mind.think(fitting, NOW + 100)
        sys.setprofile(None)
        return count

    assert calls(300) == calls(40)
