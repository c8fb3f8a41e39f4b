"""The moves that a seat may make now, as one mask; the sibling of `bot.game.legal`."""

from typing import Final

from bot.game.events import Outcome
from bot.game.phase import Phase
from bot.robots.playouts import moves as m
from bot.robots.playouts.masks import KEMS_HANDS
from bot.robots.playouts.position import Position

# Module constants: this is asked for at every move, and an enum's member costs more to look up.
_HUNT: Final = Phase.HUNT
_SWEEP: Final = Phase.SWEEP
_READY: Final = Phase.READY
_CHAIN: Final = Phase.CHAIN
_OVER: Final = Phase.OVER
_TAKE: Final = m.TAKE
_ASK_BIT: Final = 1 << m.ASK
_AGREE_BIT: Final = 1 << m.AGREE
_ANSWER_BITS: Final = 1 << m.AGREE | 1 << m.REFUSE
_OPEN_BIT: Final = 1 << m.OPEN
_NEXT_BIT: Final = 1 << m.NEXT
_SIGN_BIT: Final = 1 << m.SIGN
_KEMS_BIT: Final = 1 << m.KEMS
_DOUBLE_BIT: Final = 1 << m.DOUBLE


def legal(position: Position, seat: int) -> int:
    """Returns the mask of the seat's legal moves at `position.now`: bit `move` is set for each; 0 for none."""
    phase = position.phase
    if phase is _HUNT:
        moves = _in_hunt(position, seat)
    elif phase is _SWEEP:
        moves = _in_sweep(position, seat)
    elif phase is _OVER:
        return _NEXT_BIT
    elif phase is _READY:
        moves = _OPEN_BIT if seat == position.dealer else 0
    elif phase is _CHAIN:
        moves = _in_chain(position, seat)
    else:
        return 0
    return moves | _SIGN_BIT if position.rules.needs_sign else moves


def _in_hunt(position: Position, seat: int) -> int:
    rules = position.rules
    owes = position.owes[seat]
    moves = position.hands[seat] if owes < rules.down else 0
    if owes:
        moves |= position.pool << _TAKE
    elif (
        not position.owed
        and position.duty < 0
        and position.now >= position.last_exchange + rules.quiet
        and (not rules.dealer_sweeps or seat == position.dealer)
    ):
        moves |= _ASK_BIT
    if position.owed and rules.pool_four:
        return moves
    moves |= position.calls[seat]
    if rules.is_duel and position.now < _duel_from(position, seat):
        moves ^= _KEMS_BIT
    return moves


def _duel_from(position: Position, seat: int) -> int:
    """Returns the instant from which a player without partners may call. A bluff ends as a false Kem's."""
    signed_at = position.signed_at if position.hands[seat] in KEMS_HANDS else position.first_sign_at
    return signed_at[seat] + position.rules.duel_delay


def _in_sweep(position: Position, seat: int) -> int:
    has_agreed = position.agreed >> seat & 1
    if not position.rules.dealer_sweeps:
        return 0 if has_agreed else _ANSWER_BITS
    # A dealer's count is stopped by a put-down; nobody owes a take while it goes on.
    return position.hands[seat] | (0 if has_agreed else _AGREE_BIT)


def _in_chain(position: Position, seat: int) -> int:
    """Returns the words that the seat may add to a true call of its team; a Kem's takes a second voice."""
    chain = position.chain
    assert chain is not None
    if (chain.caller - seat) % position.rules.teams:
        return 0
    if chain.outcome is Outcome.DOUBLE:
        return position.calls[seat] & m.DOUBLE_COUNTERS
    return 0 if chain.outcome is Outcome.KEMS and seat == chain.caller else _DOUBLE_BIT
