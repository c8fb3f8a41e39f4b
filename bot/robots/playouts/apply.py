"""Carries out moves and deadlines on a position, in place; the sibling of `bot.game.decide`."""

from typing import Final

from bot.game.events import Outcome
from bot.game.phase import Phase
from bot.robots.playouts import moves as m
from bot.robots.playouts.calls import call, close_chain
from bot.robots.playouts.compiled_rules import NEVER
from bot.robots.playouts.dealing import carry_out_sweep, deal_round, open_hunt
from bot.robots.playouts.masks import IS_THREE_ALIKE, KEMS_HANDS, bits, has_three_alike
from bot.robots.playouts.position import Position
from bot.robots.playouts.scoring import end_round

_HUNT: Final = Phase.HUNT
_SWEEP: Final = Phase.SWEEP
_OVER: Final = Phase.OVER
_MATCH_OVER: Final = Phase.MATCH_OVER
_TAKE: Final = m.TAKE
_ASK: Final = m.ASK
_KEMS: Final = m.KEMS
_GROUP: Final = 0b111100
"""What is left of a card's number is where the bits of its group begin."""


def apply(position: Position, seat: int, move: int) -> None:
    """Carries out a move at `position.now`. The move is one of `legal(position, seat)`: it is not judged again."""
    if move < _TAKE:
        _put_down(position, seat, move)
    elif move < _ASK:
        _take(position, seat, move - _TAKE)
    elif move >= _KEMS:
        call(position, seat, move)
    elif move == m.AGREE:
        position.agreed |= 1 << seat
        if position.agreed == position.rules.all_seats:
            carry_out_sweep(position)
    elif move == m.REFUSE:
        _refuse_sweep(position, seat)
    elif move == m.ASK:
        position.phase = _SWEEP
        position.phase_at = position.now
        position.agreed = 1 << seat
        position.vote_ends_at = position.wake = position.now + position.rules.sweep_vote
    elif move == m.OPEN:
        open_hunt(position)
    elif move == m.SIGN:
        _sign(position, seat)
    else:
        _deal_next(position)


def advance(position: Position, now: int) -> None:
    """Lets time pass until `now`, or to the end of the round where a deadline ends it.

    Each deadline on the way takes effect at its own instant.
    """
    while position.wake <= now:
        due = next_deadline(position)
        if due > now:
            position.wake = due
            break
        if due > position.now:
            position.now = due
        tick(position)
        if position.phase is _OVER or position.phase is _MATCH_OVER:
            return
    position.now = now


def next_deadline(position: Position) -> int:
    """Returns the instant at which the next deadline falls due, NEVER for none. It may lie in the past."""
    rules = position.rules
    match position.phase:
        case Phase.HUNT if position.owed:
            return min(_owing_since(position)) + rules.take_limit
        case Phase.HUNT if position.duty >= 0:
            return position.duty_ends_at
        case Phase.SWEEP:
            return position.vote_ends_at
        case Phase.CHAIN:
            return position.phase_at + rules.chain
        case Phase.READY:
            return position.phase_at + rules.auto_open
        case Phase.OVER:
            return position.phase_at + rules.auto_next
        case _:
            return NEVER


def tick(position: Position) -> None:
    """Lets the next deadline take effect at `position.now`, by which it has fallen due."""
    match position.phase:
        case Phase.HUNT if position.owed:
            _take_by_chance(position)
        case Phase.HUNT | Phase.SWEEP:
            carry_out_sweep(position)
        case Phase.CHAIN:
            close_chain(position)
        case Phase.READY:
            open_hunt(position)
        case _:
            _deal_next(position)


def _put_down(position: Position, seat: int, card: int) -> None:
    if position.phase is _SWEEP:  # it stops the dealer's count
        _refuse_sweep(position, seat)
    hand = position.hands[seat]
    if not position.owes[seat]:
        position.before[seat] = hand
        position.owes_since[seat] = position.now
        ends_at = position.now + position.rules.take_limit
        if ends_at < position.wake:
            position.wake = ends_at
    position.hands[seat] = hand ^ 1 << card
    position.pool = pool = position.pool | 1 << card
    position.owes[seat] += 1
    position.owed += 1
    if position.rules.ends_at_three and IS_THREE_ALIKE[pool >> (card & _GROUP) & 0b1111]:
        end_round(position, Outcome.THREE_ALIKE)


def _take(position: Position, seat: int, card: int) -> None:
    position.pool ^= 1 << card
    position.hands[seat] = hand = position.hands[seat] | 1 << card
    position.owes[seat] = owes = position.owes[seat] - 1
    position.owed -= 1
    if not owes and hand != position.before[seat]:
        position.last_exchange = position.now
        position.sweeps = 0
        position.signed_at[seat] = NEVER
        if position.duty == seat:
            position.duty = -1
    if not position.owed:
        if position.duty >= 0 and position.duty_ends_at < position.wake:  # it waited for the end of the exchanges
            position.wake = position.duty_ends_at
        if position.rules.sweeps_at_three and has_three_alike(position.pool):
            carry_out_sweep(position)


def _owing_since(position: Position) -> list[int]:
    """Returns by seat since when it owes a take, NEVER for a seat that owes none."""
    return [since if owes else NEVER for since, owes in zip(position.owes_since, position.owes, strict=True)]


def _take_by_chance(position: Position) -> None:
    """Lets chance take what the seat owes that has owed longest; of several the first."""
    since = _owing_since(position)
    seat = since.index(min(since))
    for _ in range(position.owes[seat]):
        _take(position, seat, position.rng.choice(bits(position.pool)))


def _refuse_sweep(position: Position, seat: int) -> None:
    position.phase = _HUNT
    position.phase_at = position.now
    position.agreed = 0
    position.wake = NEVER
    if position.rules.rules.sweep.must_exchange:
        position.duty = seat
        position.duty_ends_at = position.wake = position.now + position.rules.refusal_grace


def _sign(position: Position, seat: int) -> None:
    """Makes the team's sign: it tells of a Kem's that the seat holds now, and of nothing else."""
    if position.first_sign_at[seat] == NEVER:
        position.first_sign_at[seat] = position.now
    if position.hands[seat] in KEMS_HANDS and position.signed_at[seat] == NEVER:
        position.signed_at[seat] = position.now


def _deal_next(position: Position) -> None:
    deal_round(position, (position.dealer + 1) % position.rules.seats)
