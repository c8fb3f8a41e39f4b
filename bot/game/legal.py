"""The moves that a seat may make now: by phase, each kind judged once by the same check as in `decide`."""

from collections.abc import Callable, Collection
from functools import cache
from itertools import combinations
from typing import Final

from bot.game import actions as a
from bot.game.checks import check, check_signs
from bot.game.checks.refusals import Code
from bot.game.decks import DECKS, DeckKind
from bot.game.events import CallKind
from bot.game.phase import CHAIN, HUNT, MATCH_OVER, OVER, READY, SWEEP
from bot.game.rules.parts import Names
from bot.game.state import State
from bot.game.views import Offers

_PLAYER: Final = Names.PLAYER  # read with each move
_Judge = Callable[[State, int, int | None], Code | None]


def legal_actions(state: State, seat: int, now: int) -> frozenset[a.Action]:
    """Returns all legal moves of a seat at `now` but gestures, guesses and proposals, which cannot be listed."""
    return frozenset(legal_moves(state, seat, now))


def legal_moves(state: State, seat: int, now: int) -> tuple[a.Action, ...]:
    """Returns the moves of `legal_actions` in a fixed order, each once."""
    phase = state.phase
    if phase is MATCH_OVER:
        return ()
    own = _moves_of(seat)
    moves: list[a.Action] = []
    if phase is HUNT:
        _exchanges(state, own, moves)
        _sweep(state, own, now, moves)
        _calls(state, own, now, moves)
    elif phase is READY:
        if check.opening(state, seat) is None:
            moves.append(own.open_hunt)
    elif phase is OVER:
        if check.next_round(state) is None:
            moves.append(own.next_round)
    elif phase is SWEEP:
        _exchanges(state, own, moves)
        _answers(state, own, moves)
    elif phase is CHAIN:
        _calls(state, own, now, moves)
    return (*moves, *special_moves(state, seat))


def special_moves(state: State, seat: int) -> tuple[a.Action, ...]:
    """Returns the moves of `legal_moves` that no phase brings by itself: about signs, strategies and cards to show."""
    own, team = _moves_of(seat), state.teams[seat % len(state.teams)]
    moves: list[a.Action] = []
    if team.proposal is not None and check_signs.acceptance(state, seat, team.proposal.plan) is None:
        moves.append(a.AcceptSign(seat, team.proposal.plan))
    if (team.may_change or team.spent) and check_signs.keeping(state, seat) is None:
        moves.append(own.keep_sign)
    if state.strategies:
        _accusations(state, own, moves)
    if state.pending_shows:
        _shows(state, own, moves)
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
    phase = state.phase
    if phase is HUNT or phase is CHAIN:
        return _in_hunt(
            _is_open(check.kems, state, seats),
            _is_open(check.double, state, seats),
            _is_open(_counter, state, seats),
            _is_open(check.double_counter, state, seats),
            phase is HUNT and _is_open(check.sweep, state, seats),
        )
    if phase is SWEEP:
        return _IN_VOTE if any(check.answer(state, seat, agrees=True) is None for seat in seats) else NO_OFFERS
    if phase is READY and any(check.opening(state, seat) is None for seat in seats):
        return _BEFORE_HUNT
    return NO_OFFERS


def _is_open(judge: _Judge, state: State, seats: Collection[int]) -> bool:
    """Returns whether one of the seats may do at once, or in a moment, what `judge` judges."""
    for seat in seats:
        code = judge(state, seat, None)
        if code is None:
            return True
        if code in _FOR_ALL:
            return False
    return False


def _counter(state: State, seat: int, now: int | None) -> Code | None:
    """Judges a single counter, of a player or of a team."""
    code = check.counter_player(state, seat, now)
    return check.counter_team(state, seat, now) if code is Code.NOT_ALLOWED else code


@cache
def _in_hunt(kems: bool, double: bool, counter: bool, double_counter: bool, sweep: bool) -> Offers:
    calls = zip(_CALLS, (kems, double, counter, double_counter), strict=True)
    return Offers(frozenset([kind for kind, is_open in calls if is_open]), may_sweep=sweep)


NO_OFFERS: Final = Offers()
_FOR_ALL: Final = (Code.NOT_ALLOWED, Code.EXCHANGE_PENDING, Code.MUST_EXCHANGE)
"""Why a call or a sweep is refused to every seat alike."""
_BEFORE_HUNT: Final = Offers(may_open=True)
_IN_VOTE: Final = Offers(may_answer=True)
_CALLS: Final = (CallKind.KEMS, CallKind.DOUBLE, CallKind.COUNTER, CallKind.DOUBLE_COUNTER)


class _SeatMoves:
    """The moves of one seat, made once and used by every match. Those of cards are returned by card."""

    def __init__(self, seat: int) -> None:
        cards = DECKS[DeckKind.D54]
        self.seat: Final = seat
        self.open_hunt: Final = a.OpenHunt(seat)
        self.put_down: Final = {card: a.PutDown(seat, card) for card in cards}.__getitem__
        self.take: Final = {card: a.Take(seat, card) for card in cards}.__getitem__
        self.ask_sweep: Final = a.AskSweep(seat)
        self.agree: Final = a.AnswerSweep(seat, agrees=True)
        self.refuse: Final = a.AnswerSweep(seat, agrees=False)
        self.call_kems: Final = a.CallKems(seat)
        self.call_double: Final = a.CallDouble(seat)
        self.keep_sign: Final = a.KeepSign(seat)
        self.next_round: Final = a.NextRound(seat)


_moves_of: Final = cache(_SeatMoves)


@cache
def _player_counters(seat: int, seats: int, teams: int) -> tuple[a.CounterPlayer, ...]:
    return tuple(a.CounterPlayer(seat, other) for other in range(seats) if (other - seat) % teams)


@cache
def _team_counters(seat: int, teams: int) -> tuple[a.CounterTeam, ...]:
    return tuple(a.CounterTeam(seat, other) for other in range(teams) if other != seat % teams)


@cache
def _double_counters(seat: int, teams: int) -> tuple[a.CounterTeam, ...]:
    return tuple(a.CounterTeam(seat, other, is_double=True) for other in range(teams) if other != seat % teams)


def _exchanges(state: State, own: _SeatMoves, moves: list[a.Action]) -> None:
    if check.put_down(state, own.seat) is None:
        moves += map(own.put_down, state.seats[own.seat].cards)
    if check.take(state, own.seat) is None:
        moves += map(own.take, state.pool_cards)


def _sweep(state: State, own: _SeatMoves, now: int, moves: list[a.Action]) -> None:
    if check.sweep(state, own.seat, now) is None:
        moves.append(own.ask_sweep)


def _answers(state: State, own: _SeatMoves, moves: list[a.Action]) -> None:
    if check.answer(state, own.seat, agrees=True) is None:
        moves.append(own.agree)
    if check.answer(state, own.seat, agrees=False) is None:
        moves.append(own.refuse)


def _calls(state: State, own: _SeatMoves, now: int, moves: list[a.Action]) -> None:
    seat, teams = own.seat, len(state.teams)
    if check.kems(state, seat, now) is None:
        moves.append(own.call_kems)
    if check.double(state, seat, now) is None:
        moves.append(own.call_double)
    if state.rules.calls.counter_names is _PLAYER:
        if check.counter_player(state, seat, now) is None:
            moves += _player_counters(seat, len(state.seats), teams)
    elif check.counter_team(state, seat, now) is None:
        moves += _team_counters(seat, teams)
    if check.double_counter(state, seat, now) is None:
        moves += _double_counters(seat, teams)


def _accusations(state: State, own: _SeatMoves, moves: list[a.Action]) -> None:
    allowed = [strategy for strategy in check_signs.ACCUSABLE if strategy in state.strategies]
    for team in range(len(state.teams)):
        accusations = [a.AccuseTeam(own.seat, team, strategy) for strategy in allowed]
        moves += [action for action in accusations if check_signs.accusation(state, action) is None]


def _shows(state: State, own: _SeatMoves, moves: list[a.Action]) -> None:
    if check.has_to_show(state, own.seat):
        hand = state.seats[own.seat].cards
        choices = combinations(hand, state.rules.penalty.show_count)
        moves += [a.ShowCards(own.seat, cards) for cards in choices if check.is_good_show(state, hand, cards)]
