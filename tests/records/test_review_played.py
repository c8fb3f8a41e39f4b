"""The review of matches as beginners play them: each false call, missed double and unsigned four is in it.

What there is to find is read from the replay, in which all hands lie open; the review sees one seat's views.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import pytest

from bot.game import events as e
from bot.game.cards import Card, is_kems
from bot.game.replay_steps import ReplayStep, replay_rounds
from bot.game.rules.house_rules import read_rules
from bot.game.rules.rules import DoubleCall, Rules
from bot.records.review import REACTION_MS, Lapse, review
from bot.robots import LEVELS, RobotLevel
from tests.records.test_review import planted
from tests.robots.driver import play_match

SHEETS: Final = ("classic", "classic excess=keep", "linternaute", "american")
CALLS: Final = {
    e.Outcome.FALSE_KEMS: Lapse.FALSE_KEMS,
    e.Outcome.FALSE_DOUBLE: Lapse.FALSE_DOUBLE,
    e.Outcome.FALSE_COUNTER: Lapse.FALSE_COUNTER,
    e.Outcome.FALSE_DOUBLE_COUNTER: Lapse.FALSE_COUNTER,
}


def mistakes(steps: tuple[ReplayStep, ...], rules: Rules) -> Iterator[tuple[Lapse, int]]:
    """What a round laid open, with the seat that did it."""
    ended, last = steps[-1].event, steps[-1]
    for step in steps:
        if isinstance(step.event, e.CounterFailed):
            yield Lapse.FALSE_COUNTER, step.event.seat
    if not isinstance(ended, e.RoundEnded):
        return
    if ended.outcome in CALLS and ended.caller is not None:
        yield CALLS[ended.outcome], ended.caller
    teams = len(ended.points)
    held = {seat: at for seat, hand in enumerate(last.hands) if (at := _held_since(steps, seat, hand)) is not None}
    signed = {seat for seat, since in held.items() if _signs(steps, seat, since)}
    for seat, since in held.items():
        partners = [other for other in held if other % teams == seat % teams and other != seat]
        is_at_once = rules.calls.double is DoubleCall.AT_ONCE and rules.scoring.double_kems > rules.scoring.kems
        is_single = ended.outcome is e.Outcome.KEMS and is_at_once
        if is_single and ended.caller == seat and signed.intersection(partners):
            yield Lapse.DOUBLE, seat
        is_long = (_called_at(steps) or last.at) - since >= REACTION_MS
        if is_long and seat not in signed and ended.points[seat % teams] <= 0 and ended.caller != seat:
            yield Lapse.UNSIGNED, seat


def _held_since(steps: tuple[ReplayStep, ...], seat: int, hand: tuple[Card | None, ...]) -> int | None:
    """Since when the seat has held the four alike that it holds at the end, while the hunt was open."""
    if not is_kems([card for card in hand if card is not None]):
        return None
    since = None
    for step in steps:
        if isinstance(step.event, e.HuntOpened) or step.hands[seat] != hand:
            since = None
        if since is None and step.hands[seat] == hand and not isinstance(step.event, e.CardsDealt):
            since = step.at
    return since


def _signs(steps: tuple[ReplayStep, ...], seat: int, since: int) -> bool:
    return any(
        isinstance(step.event, e.GestureMade)
        and step.event.seat == seat
        and step.at >= since
        and step.table.gestures[-1].is_sign
        for step in steps
    )


def _called_at(steps: tuple[ReplayStep, ...]) -> int | None:
    return next((step.at for step in steps if isinstance(step.event, e.ChainOpened)), None)


@pytest.mark.parametrize(
    "matches",
    [range(45, 46), pytest.param(range(100), marks=[pytest.mark.long, pytest.mark.timeout(0)])],
    ids=len,
)
def test_every_mistake_of_played_matches_is_in_the_review(matches: range) -> None:
    found = Counter[Lapse]()
    for number in matches:
        rules = read_rules(SHEETS[number % len(SHEETS)])
        log = tuple(play_match(rules, seed=1000 + number, level=LEVELS[RobotLevel.BEGINNER]).events)
        match = replace(planted(), events=log)
        listed = {
            (one.lapse, round_number, seat)
            for seat in range(4)
            for one in review(match, seat)
            for round_number in (one.round, *one.also)
        }
        for replay in replay_rounds(log):
            for lapse, seat in mistakes(replay.steps, rules):
                found[lapse] += 1
                known = {(lapse, replay.number, seat)}
                if lapse in CALLS.values():
                    known.add((Lapse.MISLED, replay.number, seat))
                assert known & listed, f"match {number}, round {replay.number}, seat {seat}: {lapse.name}"
    print(dict(found))
    assert found[Lapse.FALSE_COUNTER]
