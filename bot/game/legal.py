"""The moves that a seat may make now: candidates by enumeration, judged by the same check as `decide`."""

from collections.abc import Iterator
from itertools import combinations

from bot.game import actions as a
from bot.game.check import refusal
from bot.game.state import State


def legal_actions(state: State, seat: int, now: int) -> frozenset[a.Action]:
    """All legal moves of a seat but gestures, guesses and new signs, whose texts are without number."""
    return frozenset(action for action in _candidates(state, seat) if refusal(state, action, now) is None)


def _candidates(state: State, seat: int) -> Iterator[a.Action]:
    own = state.seats[seat]
    team = state.teams[state.team_of(seat)]
    if team.proposal is not None:
        yield a.AcceptSign(seat, team.proposal.plan)
    yield a.KeepSign(seat)
    yield a.OpenHunt(seat)
    yield from (a.PutDown(seat, card) for card in own.cards)
    yield from (a.Take(seat, card) for card in state.pool_cards)
    yield a.AskSweep(seat)
    yield a.AnswerSweep(seat, agrees=True)
    yield a.AnswerSweep(seat, agrees=False)
    yield a.CallKems(seat)
    yield a.CallDouble(seat)
    yield from (a.CounterPlayer(seat, target) for target in range(len(state.seats)))
    for other in range(len(state.teams)):
        yield a.CounterTeam(seat, other)
        yield a.CounterTeam(seat, other, is_double=True)
        yield from (a.AccuseTeam(seat, other, strategy) for strategy in sorted(state.strategies))
    if any(pending.seat == seat for pending in state.pending_shows):
        count = state.rules.penalty.show_count
        yield from (a.ShowCards(seat, cards) for cards in combinations(own.cards, count))
    yield a.NextRound(seat)
