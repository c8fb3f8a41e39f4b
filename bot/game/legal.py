"""The moves that a seat may make now, judged by the same check as in `decide`."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from bot.game import actions as a
from bot.game.check import duel_from, refusal, sweep_from
from bot.game.events import CallKind
from bot.game.phase import Phase
from bot.game.state import State
from bot.game.views import Offers

_OPEN, _SWEEP, _ANSWER = "open", "sweep", "answer"
_OFFERED: Final[dict[Phase, tuple[str, ...]]] = {
    Phase.READY: (_OPEN,),
    Phase.HUNT: (*CallKind, _SWEEP),
    Phase.SWEEP: (_ANSWER,),
    Phase.CHAIN: (CallKind.DOUBLE, CallKind.DOUBLE_COUNTER),
}
"""What to ask about in a phase; all else is closed in it."""


def legal_actions(state: State, seat: int, now: int) -> frozenset[a.Action]:
    """Returns all legal moves of a seat at `now` but gestures, guesses and proposals, which cannot be listed."""
    return frozenset(action for action in _candidates(state, seat) if refusal(state, action, now) is None)


def legal_until(state: State, seat: int, now: int) -> int | None:
    """Returns the first instant after `now` at which time alone may make a further move legal, None for never."""
    instants = (sweep_from(state), None if state.partners(seat) else duel_from(state, seat))
    return min((instant for instant in instants if instant is not None and instant > now), default=None)


def offers(state: State, seats: Iterable[int]) -> Offers:
    """Returns what at least one of the seats may do now, or in a moment; see `Offers`."""
    asked = tuple(seats)
    open_now = [name for name in _OFFERED.get(state.phase, ()) if any(_is_open(state, seat, name) for seat in asked)]
    return Offers(
        calls=frozenset(name for name in open_now if isinstance(name, CallKind)),
        may_open=_OPEN in open_now,
        may_sweep=_SWEEP in open_now,
        may_answer=_ANSWER in open_now,
    )


def _is_open(state: State, seat: int, name: str) -> bool:
    return any(refusal(state, action, None) is None for action in _samples(state, seat, name))


def _samples(state: State, seat: int, name: str) -> Iterator[a.Action]:
    """Yields a move of each way in which the seat could do what is named; calls name the opponent at the left."""
    rival = (seat + 1) % len(state.seats)
    match name:
        case CallKind.KEMS:
            yield a.CallKems(seat)
        case CallKind.DOUBLE:
            yield a.CallDouble(seat)
        case CallKind.COUNTER:
            yield a.CounterPlayer(seat, rival)
            yield a.CounterTeam(seat, state.team_of(rival))
        case CallKind.DOUBLE_COUNTER:
            yield a.CounterTeam(seat, state.team_of(rival), is_double=True)
        case "open":
            yield a.OpenHunt(seat)
        case "sweep":
            yield a.AskSweep(seat)
        case _:
            yield a.AnswerSweep(seat, agrees=True)


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
