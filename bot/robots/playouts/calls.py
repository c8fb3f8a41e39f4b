"""Judges calls and counters; the sibling of `bot.game.effects.calls`."""

from typing import Final

from bot.game.events import Outcome
from bot.game.phase import Phase
from bot.game.rules.needs import plays_four_kems
from bot.game.rules.parts import CounterTwo, DoubleCall, Holder
from bot.robots.playouts import moves as m
from bot.robots.playouts.compiled_rules import NEVER
from bot.robots.playouts.masks import KEMS_HANDS
from bot.robots.playouts.position import Chain, Position
from bot.robots.playouts.scoring import award, end_round

# Module constants: calls end most random rounds, and an enum's member costs more to look up.
_KEMS: Final = Outcome.KEMS
_DOUBLE: Final = Outcome.DOUBLE
_DOUBLE_COUNTER: Final = Outcome.DOUBLE_COUNTER
_FALSE_KEMS: Final = Outcome.FALSE_KEMS
_FALSE_COUNTER: Final = Outcome.FALSE_COUNTER
_TEAM: Final = Holder.TEAM
_AT_ONCE: Final = DoubleCall.AT_ONCE
_TWO_VOICES: Final = DoubleCall.TWO_VOICES
_NO_TEAM: Final = -1


def call(position: Position, seat: int, move: int) -> None:
    """Judges a call, which is a legal move of the seat."""
    if move == m.KEMS:
        _call_kems(position, seat)
    elif move == m.DOUBLE:
        _call_double(position, seat)
    elif move >= m.DOUBLE_COUNTER:
        _double_counter(position, seat, move - m.DOUBLE_COUNTER)
    elif move >= m.COUNTER_TEAM:
        team = move - m.COUNTER_TEAM
        _counter(position, seat, team, is_true=bool(_holders(position, team)))
    else:
        accused = move - m.COUNTER_PLAYER
        _counter(position, seat, accused % position.rules.teams, is_true=position.hands[accused] in KEMS_HANDS)


def close_chain(position: Position, cost: list[int] | None = None) -> None:
    """Ends the round by the first call alone. `cost`, by team, is what a false word costs besides."""
    chain = position.chain
    assert chain is not None
    scoring = position.rules.rules.scoring
    if chain.outcome is _DOUBLE:
        worth = scoring.double_kems
    elif chain.outcome is _DOUBLE_COUNTER:
        worth = scoring.double_counter
    else:
        worth = scoring.kems
    points = [0] * position.rules.teams if cost is None else cost
    points[chain.caller % position.rules.teams] += worth
    end_round(position, chain.outcome, points)


def _call_kems(position: Position, seat: int) -> None:
    rules = position.rules
    if rules.is_duel:  # a duellist calls for their own hand
        is_true = position.hands[seat] in KEMS_HANDS
    elif rules.rules.calls.holder is _TEAM:
        is_true = _one_counts(position, rules.members[seat % rules.teams])
    else:
        is_true = _one_counts(position, rules.partners[seat])
    if is_true:
        may_grow = not rules.is_duel and rules.rules.calls.double is _TWO_VOICES
        _stand(position, Chain(seat, _KEMS, _NO_TEAM), may_grow=may_grow)
    else:
        scoring = rules.rules.scoring
        end_round(position, _FALSE_KEMS, _false_call(position, seat, scoring.false_kems, scoring.false_kems_own))


def _call_double(position: Position, seat: int) -> None:
    """Judges a double called at once, the second voice of one, or the word that is added to a double counter."""
    scoring = position.rules.rules.scoring
    is_true = _is_double(position, seat)
    chain = position.chain
    if chain is not None and chain.outcome is _DOUBLE_COUNTER:
        _add(position, seat, is_true=is_true)
    elif is_true:
        may_grow = plays_four_kems(position.rules.rules)
        _stand(position, Chain(seat, _DOUBLE, _NO_TEAM), may_grow=may_grow)
    else:
        cost = _false_call(position, seat, scoring.false_double, scoring.false_double_own)
        if chain is not None:
            close_chain(position, cost)
        else:
            end_round(position, Outcome.FALSE_DOUBLE, cost)


def _counter(position: Position, seat: int, accused: int, *, is_true: bool) -> None:
    """Judges a single counter of a player, or of the whole team `accused`."""
    rules = position.rules.rules
    scoring = rules.scoring
    own = seat % position.rules.teams
    if is_true:
        is_of_two = len(_holders(position, accused)) > 1
        if is_of_two and rules.calls.counter_two is CounterTwo.NO_EFFECT:
            return
        points = [0] * position.rules.teams
        points[own] = scoring.counter_of_two if is_of_two else scoring.counter
        points[accused] = scoring.counter_accused
        end_round(position, Outcome.COUNTER, points)
    else:
        points = [scoring.false_counter_all] * position.rules.teams
        points[own] = scoring.false_counter_own
        points[accused] += scoring.false_counter
        _fail_counter(position, seat, _FALSE_COUNTER, points)


def _double_counter(position: Position, seat: int, accused: int) -> None:
    """Judges a double counter, true where the team holds two Kem's. After a double it is the word that is added."""
    is_true = len(_holders(position, accused)) > 1
    if position.chain is not None:
        _add(position, seat, is_true=is_true)
    elif is_true:
        may_grow = plays_four_kems(position.rules.rules)
        _stand(position, Chain(seat, _DOUBLE_COUNTER, accused), may_grow=may_grow)
    else:
        scoring = position.rules.rules.scoring
        points = [0] * position.rules.teams
        points[seat % position.rules.teams] = scoring.false_double_counter_own
        points[accused] = scoring.false_double_counter
        _fail_counter(position, seat, Outcome.FALSE_DOUBLE_COUNTER, points)


def _fail_counter(position: Position, seat: int, outcome: Outcome, points: list[int]) -> None:
    rules = position.rules.rules
    if rules.calls.false_counter_ends:
        end_round(position, outcome, points)
        return
    if rules.penalty.counter_lost:
        position.calls[seat] &= ~m.COUNTERS
    award(position, points)


def _stand(position: Position, chain: Chain, *, may_grow: bool) -> None:
    """Ends the round by a true call; where its team may add a word, after a while."""
    position.chain = chain
    if may_grow:
        position.phase = Phase.CHAIN
        position.phase_at = position.now
        position.wake = position.now + position.rules.chain
    else:
        close_chain(position)


def _add(position: Position, seat: int, *, is_true: bool) -> None:
    """Adds the other word of "double Kem's" and "double counter". A false one leaves the first call alone."""
    if is_true:
        points = [0] * position.rules.teams
        points[seat % position.rules.teams] = position.rules.rules.scoring.four_kems
        end_round(position, Outcome.FOUR_KEMS, points)
    else:
        close_chain(position)


def _is_double(position: Position, seat: int) -> bool:
    """Returns whether the team holds two Kem's of which one counts; called at once, the caller holds the other."""
    rules = position.rules
    if rules.rules.calls.double is _AT_ONCE:
        return position.hands[seat] in KEMS_HANDS and _one_counts(position, rules.partners[seat])
    holders = _holders(position, seat % rules.teams)
    return len(holders) > 1 and _one_counts(position, holders)


def _holders(position: Position, team: int) -> list[int]:
    """Returns the seats of a team that hold a Kem's."""
    return [seat for seat in position.rules.members[team] if position.hands[seat] in KEMS_HANDS]


def _one_counts(position: Position, seats: tuple[int, ...] | list[int]) -> bool:
    """Returns whether one of the seats holds a Kem's and has made its sign, where the rules ask for it."""
    sign_required = position.rules.rules.signs.sign_required
    for seat in seats:
        if position.hands[seat] in KEMS_HANDS and not (sign_required and position.signed_at[seat] == NEVER):
            return True
    return False


def _false_call(position: Position, seat: int, to_others: int, to_own: int) -> list[int]:
    points = [to_others] * position.rules.teams
    points[seat % position.rules.teams] = to_own
    return points
