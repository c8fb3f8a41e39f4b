"""What `decide` takes from a seat: asked move by move, and so without a word about rules."""

from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Final

from bot.game import actions as a
from bot.game.checks.refusals import Code, Refusal
from bot.game.decide import decide
from bot.game.events import CallKind
from bot.game.rules.presets import PRESETS
from bot.game.signs import Strategy
from bot.game.state import State
from tests.game.matches import steps_at_random

PASSING: Final = frozenset({Code.TOO_EARLY})
"""Refusals that pass by themselves: such a move stays on offer."""
_MOST: Final = 6  # players, for whom every deck is large enough
OPEN, SWEEP, ANSWER = "open", "sweep", "answer"


def taken(state: State, seat: int, now: int) -> frozenset[str]:
    """What `decide` takes from a seat now, or in a moment: kinds of calls, and OPEN, SWEEP and ANSWER."""
    return frozenset(name for name, actions in _by_name(state, seat) if _takes_any(state, actions, now))


@cache
def random_moments() -> tuple[tuple[State, int], ...]:
    """Thousands of states of all presets, with and without strategies, with their instants."""
    return tuple(_moments())


def _moments() -> Iterator[tuple[State, int]]:
    tables = [(rules, players) for rules in PRESETS.values() for players in rules.seating.players if players <= _MOST]
    for seed, (rules, players) in enumerate(tables):
        strategies = tuple(Strategy) if seed % 2 else ()
        for state, now, _, _ in steps_at_random(rules, players, seed, moves=600, strategies=strategies):
            yield state, now


def _by_name(state: State, seat: int) -> Iterator[tuple[str, tuple[a.Action, ...]]]:
    seats, teams = range(len(state.seats)), range(len(state.teams))
    players = tuple(a.CounterPlayer(seat, target) for target in seats)
    yield CallKind.KEMS, (a.CallKems(seat),)
    yield CallKind.DOUBLE, (a.CallDouble(seat),)
    yield CallKind.COUNTER, (*players, *(a.CounterTeam(seat, team) for team in teams))
    yield CallKind.DOUBLE_COUNTER, tuple(a.CounterTeam(seat, team, is_double=True) for team in teams)
    yield OPEN, (a.OpenHunt(seat),)
    yield SWEEP, (a.AskSweep(seat),)
    yield ANSWER, (a.AnswerSweep(seat, agrees=True), a.AnswerSweep(seat, agrees=False))


def _takes_any(state: State, actions: Iterable[a.Action], now: int) -> bool:
    outcomes = (decide(state, action, now, Random(1)) for action in actions)
    return any(not isinstance(outcome, Refusal) or outcome.code in PASSING for outcome in outcomes)
