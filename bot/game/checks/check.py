"""Judges whether an action is allowed: one action for `decide`, all of a kind at once for `legal`.

The functions return why the seat is refused, None if it is not. Without the card, player or team that an action names,
they leave out what depends on it. Without an instant they leave out what passes by itself: that it is too early, or
that cards are missing in the pool.
"""

from typing import Final, assert_never

from bot.game import actions as a
from bot.game.cards import Card, third_alikes
from bot.game.checks import check_signs
from bot.game.checks.check_signs import is_too_much
from bot.game.checks.refusals import Code, phase_refusal
from bot.game.events import HUNT, Outcome, Phase
from bot.game.evolve import milliseconds
from bot.game.rules.rules import DoubleCall, Names, SweepBy, ThreeAlike, plays_double_counters
from bot.game.signs import GestureKind
from bot.game.state import State

_OPEN_TO_GESTURES: Final = (Phase.READY, Phase.HUNT, Phase.SWEEP, Phase.CHAIN, Phase.OVER)


def refusal(state: State, action: a.Action, now: int | None) -> Code | None:
    """Return why an action is refused at `now` (milliseconds), or None. Any action may be given at any time."""
    match action:
        case a.Tick():
            return None
        case a.CallTime():
            return Code.MATCH_OVER if state.phase is Phase.MATCH_OVER else None
        case a.NextRound():
            return next_round(state)
        case _ if not 0 <= action.seat < len(state.seats):
            return Code.UNKNOWN_PLAYER
        case _:
            return _move(state, action, now) if state.phase is not Phase.MATCH_OVER else Code.MATCH_OVER


def _move(state: State, move: a.Move, now: int | None) -> Code | None:
    seat = move.seat
    match move:  # the frequent ones first: the cases are tried in turn
        case a.PutDown():
            return put_down(state, seat, move.card)
        case a.Take():
            return take(state, seat, move.card)
        case a.Swap():
            return swap(state, seat, (move.put, move.taken))
        case a.OpenHunt():
            return opening(state, seat)
        case a.CallKems():
            return kems(state, seat, now)
        case a.CallDouble():
            return double(state, seat, now)
        case a.CounterPlayer():
            return counter_player(state, seat, now, move.target)
        case a.CounterTeam():
            judge = double_counter if move.is_double else counter_team
            return judge(state, seat, now, move.team)
        case a.AskSweep():
            return sweep(state, seat, now)
        case a.AnswerSweep():
            return answer(state, seat, agrees=move.agrees)
        case a.MakeGesture():
            return _gesture(state, move)
        case a.ShowCards():
            return show(state, seat, move.cards)
        case a.ProposeSign():
            return check_signs.proposal(state, seat, move.plan)
        case a.AcceptSign():
            return check_signs.acceptance(state, seat, move.plan)
        case a.KeepSign():
            return check_signs.keeping(state, seat)
        case a.GuessSign():
            return check_signs.guess(state, move)
        case a.AccuseTeam():
            return check_signs.accusation(state, move)
    assert_never(move)


def sweep_from(state: State) -> int:
    """Return the instant from which a sweep may be asked for if no exchange happens before."""
    return state.last_exchange + milliseconds(state.rules.sweep.quiet)


def duel_from(state: State, seat: int) -> int | None:
    """Return the instant from which a player without partners may call, which is after a sign; None before any sign."""
    own = state.seats[seat]
    if own.holds_kems:  # a sign from before the four were together left the opponent no time to counter*
        signed_at = own.signed_at
    else:  # a bluff, which ends as a false Kem's
        signed_at = min((g.at for g in state.gestures if g.seat == seat and g.sign is not None), default=None)
    return None if signed_at is None else signed_at + milliseconds(state.rules.calls.duel_delay)


def next_round(state: State) -> Code | None:
    """Return why the next round cannot be dealt, or None."""
    return phase_refusal(state.phase) if state.phase is not Phase.OVER else None


def opening(state: State, seat: int) -> Code | None:
    """Return why a seat may not open the hunt, or None."""
    if state.phase is not Phase.READY:
        return phase_refusal(state.phase)
    return None if seat == state.dealer else Code.NOT_DEALER


def put_down(state: State, seat: int, card: Card | None = None) -> Code | None:
    """Return why a seat may not put a card down, or None. Putting a card down also stops a dealer's count."""
    if state.phase is not HUNT:
        is_count = state.phase is Phase.SWEEP and state.rules.sweep.sweep_by is SweepBy.DEALER
        if not is_count:
            return phase_refusal(state.phase)
    hand = state.seats[seat].hand
    if card is not None and card not in hand:
        return Code.NOT_IN_HAND
    return Code.TAKE_FIRST if hand.count(None) >= state.rules.exchange.down else None


def take(state: State, seat: int, card: Card | None = None) -> Code | None:
    """Return why a seat may not take a card, or None."""
    if state.phase is not HUNT:
        return phase_refusal(state.phase)
    if state.seats[seat].owes_since is None:
        return Code.HAND_FULL
    return Code.NOT_IN_POOL if card is not None and card not in state.pool else None


def swap(state: State, seat: int, cards: tuple[Card, Card] | None = None) -> Code | None:
    """Return why a seat may not put a card down and take another at the same instant, or None."""
    exchange = state.rules.exchange
    if not exchange.swap:
        return Code.NOT_ALLOWED
    if cards is None:
        return put_down(state, seat)
    put, taken = cards
    if (code := put_down(state, seat, put)) is not None:
        return code
    if taken != put and taken not in state.pool:
        return Code.NOT_IN_POOL
    is_end = exchange.three_alike is ThreeAlike.ENDS and bool(third_alikes(state.pool, [put]))
    return Code.THREE_ALIKE_PUT if is_end else None


def sweep(state: State, seat: int, now: int | None) -> Code | None:
    """Return why a seat may not ask for a sweep, or None."""
    if state.phase is not HUNT:
        return phase_refusal(state.phase)
    if state.rules.sweep.sweep_by is SweepBy.DEALER and seat != state.dealer:
        return Code.NOT_DEALER
    if state.is_exchange_pending:
        return Code.EXCHANGE_PENDING
    if state.duty is not None:
        return Code.MUST_EXCHANGE
    return Code.TOO_EARLY if now is not None and now < sweep_from(state) else None


def answer(state: State, seat: int, *, agrees: bool) -> Code | None:
    """Return why a seat may not answer a sweep, or None."""
    if state.phase is not Phase.SWEEP or state.vote is None:
        return Code.NO_SWEEP
    if not agrees and state.rules.sweep.sweep_by is SweepBy.DEALER:
        return Code.NOT_ALLOWED
    return Code.ALREADY_ANSWERED if seat in state.vote.agreed else None


def kems(state: State, seat: int, now: int | None) -> Code | None:
    """Return why a seat may not call Kem's, or None."""
    code = _call_closed(state)
    if code is not None or now is None or len(state.seats) > len(state.teams):
        return code
    starts_at = duel_from(state, seat)
    return Code.TOO_EARLY if starts_at is None or now < starts_at else None


def double(state: State, seat: int, now: int | None) -> Code | None:
    """Return why a seat may not call a double, or None."""
    if len(state.seats) == len(state.teams):
        return Code.NOT_ALLOWED
    if state.chain is not None:
        is_added = _adds_to(Outcome.KEMS, state, seat) or _adds_to(Outcome.DOUBLE_COUNTER, state, seat)
        return None if is_added else phase_refusal(state.phase)
    is_first_word = state.rules.calls.double is DoubleCall.AT_ONCE
    return _call_closed(state) or (None if is_first_word else Code.NOT_ALLOWED)


def counter_player(state: State, seat: int, now: int | None, target: int | None = None) -> Code | None:
    """Return why a seat may not counter a player, or None."""
    code = _call_closed(state)
    if code is not None:
        return code
    if not _names(state, Names.PLAYER):
        return Code.NOT_ALLOWED
    if target is not None:
        if not 0 <= target < len(state.seats):
            return Code.UNKNOWN_PLAYER
        if state.team_of(target) == state.team_of(seat):
            return Code.OWN_TEAM
    return None if state.seats[seat].can_counter else Code.COUNTER_LOST


def counter_team(state: State, seat: int, now: int | None, team: int | None = None) -> Code | None:
    """Return why a seat may not counter a team, or None."""
    code = _call_closed(state)
    if code is not None:
        return code
    return _opposing(state, seat, team) if _names(state, Names.TEAM) else Code.NOT_ALLOWED


def double_counter(state: State, seat: int, now: int | None, team: int | None = None) -> Code | None:
    """Return why a seat may not counter two Kem's of a team, or None."""
    code = _call_closed(state)
    if code is not None and not _adds_to(Outcome.DOUBLE, state, seat):
        return code
    is_played = plays_double_counters(state.rules) and len(state.seats) > len(state.teams)
    return _opposing(state, seat, team) if is_played else Code.NOT_ALLOWED


def show(state: State, seat: int, cards: tuple[Card, ...]) -> Code | None:
    """Return why a seat may not show these cards, or None."""
    if not has_to_show(state, seat):
        return Code.NOT_PENDING
    hand = state.seats[seat].cards
    if any(card not in hand for card in cards):
        return Code.NOT_IN_HAND
    if len(cards) != state.rules.penalty.show_count:
        return Code.NOT_ALLOWED
    return None if is_good_show(state, hand, cards) else Code.CARDS_NOT_DIFFERENT


def has_to_show(state: State, seat: int) -> bool:
    """Return whether a seat has to show cards."""
    return any(pending.seat == seat for pending in state.pending_shows)


def is_good_show(state: State, hand: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Return whether these cards may be shown: all different, with as many ranks as the rules and the hand require."""
    if len(set(cards)) < len(cards):
        return False
    if not state.rules.penalty.show_different:
        return True
    ranks = min(len(cards), len({card.group for card in hand}))
    return len({card.group for card in cards}) >= ranks


def _call_closed(state: State) -> Code | None:
    if state.phase is not HUNT:
        return Code.CALL_CLOSED if state.phase is Phase.SWEEP else phase_refusal(state.phase)
    return None


def _names(state: State, named: Names) -> bool:
    """Return whether counters are played here, and name a player or a team."""
    return state.rules.calls.counters and state.rules.calls.counter_names is named


def _gesture(state: State, action: a.MakeGesture) -> Code | None:
    if state.phase not in _OPEN_TO_GESTURES:
        return phase_refusal(state.phase)
    if action.kind is GestureKind.SAY and not check_signs.may_speak(state, action.seat):
        return Code.NOT_ALLOWED
    return Code.ALREADY_ANSWERED if is_too_much(state, action) else None


def _adds_to(first: Outcome, state: State, seat: int) -> bool:
    """Return whether the seat may add a word to the call `first` of its team; a Kem's takes a second voice."""
    chain = state.chain
    if chain is None or chain.outcome is not first or state.team_of(chain.caller) != state.team_of(seat):
        return False
    return first is not Outcome.KEMS or seat != chain.caller


def _opposing(state: State, seat: int, team: int | None) -> Code | None:
    """Return why the seat may not counter this team, or None; without a team, why it may counter none."""
    if team is not None:
        if not 0 <= team < len(state.teams):
            return Code.UNKNOWN_TEAM
        if team == state.team_of(seat):
            return Code.OWN_TEAM
    return None if state.seats[seat].can_counter else Code.COUNTER_LOST
