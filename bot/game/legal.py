"""The moves that a seat may make now: by phase, each kind judged once by the same check as in `decide`."""

from collections.abc import Callable, Collection
from itertools import combinations

from bot.game import actions as a
from bot.game.checks import check, check_signs
from bot.game.checks.refusals import Code
from bot.game.events import CallKind, Phase
from bot.game.state import State
from bot.game.views import Offers


def legal_moves(state: State, seat: int, now: int) -> tuple[a.Action, ...]:
    """Returns all legal moves of a seat at `now` but gestures, guesses and proposals, which cannot be listed."""
    moves: list[a.Action] = []
    match state.phase:
        case Phase.HUNT:
            moves += _exchanges(state, seat)
            if check.sweep(state, seat, now) is None:
                moves.append(a.AskSweep(seat))
            moves += _calls(state, seat, now)
        case Phase.READY if check.opening(state, seat) is None:
            moves.append(a.OpenHunt(seat))
        case Phase.OVER:
            moves.append(a.NextRound(seat))
        case Phase.SWEEP:
            moves += _exchanges(state, seat)
            moves += [
                a.AnswerSweep(seat, agrees)
                for agrees in (True, False)
                if check.answer(state, seat, agrees=agrees) is None
            ]
        case Phase.CHAIN:
            moves += _calls(state, seat, now)
    return (*moves, *special_moves(state, seat))


def special_moves(state: State, seat: int) -> tuple[a.Action, ...]:
    """Returns the moves of `legal_moves` that no phase brings by itself: about signs, strategies and cards to show."""
    team = state.teams[seat % len(state.teams)]
    moves: list[a.Action] = []
    if team.proposal is not None and check_signs.acceptance(state, seat, team.proposal.plan) is None:
        moves.append(a.AcceptSign(seat, team.proposal.plan))
    if (team.may_change or team.spent) and check_signs.keeping(state, seat) is None:
        moves.append(a.KeepSign(seat))
    if state.strategies:
        accusations = (
            a.AccuseTeam(seat, other, strategy)
            for other in range(len(state.teams))
            for strategy in check_signs.ACCUSABLE
        )
        moves += [action for action in accusations if check_signs.accusation(state, action) is None]
    if state.pending_shows and check.has_to_show(state, seat):
        hand = state.seats[seat].cards
        choices = combinations(hand, state.rules.penalty.show_count)
        moves += [a.ShowCards(seat, cards) for cards in choices if check.is_good_show(state, hand, cards)]
    return tuple(moves)


def legal_until(state: State, seat: int, now: int) -> int | None:
    """Returns the first instant after `now` at which time alone may make a further move legal, None for never."""
    sweep = check.sweep_from(state)
    duel = None if len(state.seats) > len(state.teams) else check.duel_from(state, seat)
    if duel is not None and duel > now:
        return min(sweep, duel) if sweep > now else duel
    return sweep if sweep > now else None


def offers(state: State, seats: Collection[int]) -> Offers:
    """Returns what at least one of the seats may do now, or in a moment; see `Offers`."""
    match state.phase:
        case Phase.HUNT | Phase.CHAIN:
            judges = {
                CallKind.KEMS: check.kems,
                CallKind.DOUBLE: check.double,
                CallKind.COUNTER: _counter,
                CallKind.DOUBLE_COUNTER: check.double_counter,
            }
            return Offers(
                frozenset(kind for kind, judge in judges.items() if _is_open(judge, state, seats)),
                may_sweep=state.phase is Phase.HUNT and _is_open(check.sweep, state, seats),
            )
        case Phase.SWEEP:
            return Offers(may_answer=any(check.answer(state, seat, agrees=True) is None for seat in seats))
        case Phase.READY:
            return Offers(may_open=any(check.opening(state, seat) is None for seat in seats))
        case _:
            return Offers()


def _is_open(judge: Callable[[State, int, int | None], Code | None], state: State, seats: Collection[int]) -> bool:
    """Returns whether one of the seats may do at once, or in a moment, what `judge` judges."""
    return any(judge(state, seat, None) is None for seat in seats)


def _counter(state: State, seat: int, now: int | None) -> Code | None:
    code = check.counter_player(state, seat, now)
    return check.counter_team(state, seat, now) if code is Code.NOT_ALLOWED else code


def _exchanges(state: State, seat: int) -> list[a.Action]:
    moves: list[a.Action] = []
    if check.put_down(state, seat) is None:
        moves += [a.PutDown(seat, card) for card in state.seats[seat].cards]
    if check.take(state, seat) is None:
        moves += [a.Take(seat, card) for card in state.pool_cards]
    return moves


def _calls(state: State, seat: int, now: int) -> list[a.Action]:
    teams = len(state.teams)
    own = seat % teams
    moves: list[a.Action] = []
    if check.kems(state, seat, now) is None:
        moves.append(a.CallKems(seat))
    if check.double(state, seat, now) is None:
        moves.append(a.CallDouble(seat))
    if check.counter_player(state, seat, now) is None:
        moves += [a.CounterPlayer(seat, other) for other in range(len(state.seats)) if other % teams != own]
    elif check.counter_team(state, seat, now) is None:
        moves += [a.CounterTeam(seat, team) for team in range(teams) if team != own]
    if check.double_counter(state, seat, now) is None:
        moves += [a.CounterTeam(seat, team, is_double=True) for team in range(teams) if team != own]
    return moves
