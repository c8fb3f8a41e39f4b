"""Judges whether an action may be done now, for `decide`, which acts on it, and for `legal`, which only asks."""

from typing import Final

from bot.game import actions as a
from bot.game import check_signs
from bot.game.cards import Card
from bot.game.events import Outcome
from bot.game.evolve import milliseconds
from bot.game.gestures import is_too_much
from bot.game.phase import Phase
from bot.game.refusals import Code, closed
from bot.game.rules import DoubleCall, Names, SweepBy
from bot.game.signs import GestureKind
from bot.game.state import State

_OPEN_TO_GESTURES: Final = (Phase.READY, Phase.HUNT, Phase.SWEEP, Phase.CHAIN, Phase.OVER)


def refusal(state: State, action: a.Action, now: int | None) -> Code | None:
    """Returns why the action is refused at `now` (milliseconds), None where it is not. Takes any action at any time.

    Without an instant it leaves out what passes by itself: that it is too early, or that cards are missing in the pool.
    """
    match action:
        case a.Tick():
            return None
        case a.NextRound():
            return closed(state.phase) if state.phase is not Phase.OVER else None
    if not 0 <= action.seat < len(state.seats):
        return Code.UNKNOWN_PLAYER
    if state.phase is Phase.MATCH_OVER:
        return Code.MATCH_OVER
    match action:
        case a.ProposeSign(seat=seat, plan=plan):
            return check_signs.proposal(state, seat, plan)
        case a.AcceptSign(seat=seat, plan=plan):
            return check_signs.acceptance(state, seat, plan)
        case a.KeepSign(seat=seat):
            return check_signs.keeping(state, seat)
        case a.OpenHunt(seat=seat):
            return _opening(state, seat)
        case a.PutDown(seat=seat, card=card):
            return _put_down_closed(state) or _put_down(state, seat, card)
        case a.Take(seat=seat, card=card):
            return _exchange_closed(state.phase) or _take(state, seat, card)
        case a.AskSweep(seat=seat):
            return _exchange_closed(state.phase) or _sweep(state, seat, now)
        case a.AnswerSweep(seat=seat, agrees=agrees):
            return _answer(state, seat, agrees=agrees)
        case a.MakeGesture():
            return _gesture(state, action)
        case a.CallKems(seat=seat):
            return _call_closed(state, now) or _duel(state, seat, now)
        case a.CallDouble(seat=seat):
            return _double(state, seat, now)
        case a.CounterPlayer(seat=seat, target=target):
            return _call_closed(state, now) or _counter_player(state, seat, target)
        case a.CounterTeam():
            return _counter_team(state, action, now)
        case a.ShowCards(seat=seat, cards=cards):
            return _show(state, seat, cards)
        case a.GuessSign():
            return check_signs.guess(state, action)
        case a.AccuseTeam():  # pragma: no branch  # mypy proves the match complete
            return check_signs.accusation(state, action)


def sweep_from(state: State) -> int:
    """Returns the instant from which a sweep may be asked for, unless an exchange comes between."""
    return state.last_exchange + milliseconds(state.rules.sweep.quiet)


def duel_from(state: State, seat: int) -> int | None:
    """Returns the instant from which a player without partners may call: after a sign, None while there is none."""
    own = state.seats[seat]
    if own.holds_kems:  # a sign from before the four were together left the opponent no time to counter*
        signed_at = own.signed_at
    else:  # a bluff, which ends as a false Kem's
        signed_at = min((g.at for g in state.gestures if g.seat == seat and g.sign is not None), default=None)
    return None if signed_at is None else signed_at + milliseconds(state.rules.calls.duel_delay)


def _exchange_closed(phase: Phase) -> Code | None:
    return None if phase is Phase.HUNT else closed(phase)


def _put_down_closed(state: State) -> Code | None:
    """A put-down is also the way to stop a dealer's count."""
    is_count = state.phase is Phase.SWEEP and state.rules.sweep.sweep_by is SweepBy.DEALER
    return None if is_count else _exchange_closed(state.phase)


def _call_closed(state: State, now: int | None) -> Code | None:
    if state.phase is Phase.SWEEP:
        return Code.CALL_CLOSED
    if state.phase is not Phase.HUNT:
        return closed(state.phase)
    if now is not None and state.rules.calls.pool_four and state.is_exchange_pending:
        return Code.POOL_NOT_FOUR
    return None


def _opening(state: State, seat: int) -> Code | None:
    if state.phase is not Phase.READY:
        return closed(state.phase)
    return None if seat == state.dealer else Code.NOT_DEALER


def _put_down(state: State, seat: int, card: Card) -> Code | None:
    holder = state.seats[seat]
    if card not in holder.hand:
        return Code.NOT_IN_HAND
    return Code.TAKE_FIRST if holder.owes >= state.rules.exchange.down else None


def _take(state: State, seat: int, card: Card) -> Code | None:
    if not state.seats[seat].owes:
        return Code.HAND_FULL
    return None if card in state.pool else Code.NOT_IN_POOL


def _sweep(state: State, seat: int, now: int | None) -> Code | None:
    if state.rules.sweep.sweep_by is SweepBy.DEALER and seat != state.dealer:
        return Code.NOT_DEALER
    if state.is_exchange_pending:
        return Code.EXCHANGE_PENDING
    if state.duty is not None:
        return Code.MUST_EXCHANGE
    return Code.TOO_EARLY if now is not None and now < sweep_from(state) else None


def _answer(state: State, seat: int, *, agrees: bool) -> Code | None:
    if state.phase is not Phase.SWEEP or state.vote is None:
        return Code.NO_SWEEP
    if not agrees and state.rules.sweep.sweep_by is SweepBy.DEALER:
        return Code.NOT_ALLOWED
    return Code.ALREADY_ANSWERED if seat in state.vote.agreed else None


def _gesture(state: State, action: a.MakeGesture) -> Code | None:
    if state.phase not in _OPEN_TO_GESTURES:
        return closed(state.phase)
    if action.kind is GestureKind.SAY and not check_signs.says(state, action.seat):
        return Code.NOT_ALLOWED
    return Code.ALREADY_ANSWERED if is_too_much(state, action) else None


def _duel(state: State, seat: int, now: int | None) -> Code | None:
    if now is None or state.partners(seat):
        return None
    starts_at = duel_from(state, seat)
    return Code.TOO_EARLY if starts_at is None or now < starts_at else None


def _double(state: State, seat: int, now: int | None) -> Code | None:
    if not state.partners(seat):
        return Code.NOT_ALLOWED
    if _adds_to(Outcome.KEMS, state, seat) or _adds_to(Outcome.DOUBLE_COUNTER, state, seat):
        return None
    is_first_word = state.rules.calls.double is DoubleCall.AT_ONCE
    return _call_closed(state, now) or (None if is_first_word else Code.NOT_ALLOWED)


def _adds_to(first: Outcome, state: State, seat: int) -> bool:
    """Returns whether the seat may add a word to the call `first` of its team; a Kem's takes a second voice."""
    chain = state.chain
    if chain is None or chain.outcome is not first or state.team_of(chain.caller) != state.team_of(seat):
        return False
    return first is not Outcome.KEMS or seat != chain.caller


def _counter_player(state: State, seat: int, target: int) -> Code | None:
    if state.rules.calls.counter_names is not Names.PLAYER:
        return Code.NOT_ALLOWED
    if not 0 <= target < len(state.seats):
        return Code.UNKNOWN_PLAYER
    if state.team_of(target) == state.team_of(seat):
        return Code.OWN_TEAM
    return None if state.seats[seat].can_counter else Code.COUNTER_LOST


def _counter_team(state: State, action: a.CounterTeam, now: int | None) -> Code | None:
    calls = state.rules.calls
    is_added = action.is_double and _adds_to(Outcome.DOUBLE, state, action.seat)
    if not is_added and (code := _call_closed(state, now)):
        return code
    if action.is_double:
        is_played = calls.double_counters and len(state.members(0)) > 1
    else:
        is_played = calls.counter_names is Names.TEAM
    if not is_played:
        return Code.NOT_ALLOWED
    if not 0 <= action.team < len(state.teams):
        return Code.UNKNOWN_TEAM
    if action.team == state.team_of(action.seat):
        return Code.OWN_TEAM
    return None if state.seats[action.seat].can_counter else Code.COUNTER_LOST


def _show(state: State, seat: int, cards: tuple[Card, ...]) -> Code | None:
    if all(pending.seat != seat for pending in state.pending_shows):
        return Code.NOT_PENDING
    hand = state.seats[seat].cards
    if any(card not in hand for card in cards):
        return Code.NOT_IN_HAND
    if len(cards) != state.rules.penalty.show_count:
        return Code.NOT_ALLOWED
    return None if is_good_show(state, hand, cards) else Code.CARDS_NOT_DIFFERENT


def is_good_show(state: State, hand: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Returns whether these cards may be shown: none twice, and of different rank where rules and hand allow it."""
    if len(set(cards)) < len(cards):
        return False
    if not state.rules.penalty.show_different:
        return True
    ranks = min(len(cards), len({card.group for card in hand}))
    return len({card.group for card in cards}) >= ranks
