"""Deals, turns up and sweeps: cards move between stock, hands, pool and discard; sibling of `bot.game.effects.dealing`.

A mask has no order: cards that leave a hand or the pool together lie in the stock or discard pile by their numbers.
"""

from typing import Final

from bot.game.cards import HAND_SIZE
from bot.game.events import Outcome
from bot.game.phase import Phase
from bot.game.rules.parts import Excess, Redrawn, StockOut, SweptTo
from bot.robots.playouts.compiled_rules import NEVER
from bot.robots.playouts.masks import JOKERS, bits, has_three_alike, three_alike
from bot.robots.playouts.position import Position
from bot.robots.playouts.scoring import end_round

_HUNT: Final = Phase.HUNT
_READY: Final = Phase.READY
_REDEAL: Final = Excess.REDEAL
_REDRAW: Final = Excess.REDRAW
_HAND: Final = Excess.HAND
# As in the core: after so many excess hands or triple pools the cards stay as they lie.
_TRIES: Final = 50


def deal_round(position: Position, dealer: int, deck: list[int] | None = None) -> None:
    """Deals the next round: four each from the dealer's left, the excess, four cards turned up.

    `deck` is the shuffled deck as card numbers, the next card last; without it the deck is shuffled here,
    and again where the rules redeal an excess.
    """
    if position.game_won:
        position.game_won = False
        position.scores = [0] * position.rules.teams
    position.clear()
    position.dealer = dealer
    position.round += 1
    excess = position.rules.rules.deal.excess
    _give_hands(position, _shuffled_deck(position) if deck is None else deck)
    if excess is _REDEAL and deck is None:
        _redeal(position)
    elif excess in (_REDRAW, _HAND):
        _redraw(position)
    position.phase = _READY
    position.wake = position.now + position.rules.auto_open
    _turn_up(position)
    if has_three_alike(position.pool):
        _settle_pool(position, is_open=False)


def carry_out_sweep(position: Position) -> None:
    """Clears the pool, turns up four cards and opens the hunt."""
    if _replace_pool(position):
        open_hunt(position)
        if has_three_alike(position.pool):
            _settle_pool(position, is_open=True)


def open_hunt(position: Position) -> None:
    position.phase = _HUNT
    position.phase_at = position.last_exchange = position.now
    position.agreed = 0
    position.wake = NEVER  # nobody owes a take now, or has to exchange


def _shuffled_deck(position: Position) -> list[int]:
    deck = list(position.rules.deck)
    position.rng.shuffle(deck)
    return deck


def _give_hands(position: Position, deck: list[int]) -> None:
    """Deals one card at a time, clockwise from the dealer's left; what is left of the deck is the stock."""
    seats = position.rules.seats
    dealt = deck[: -HAND_SIZE * seats - 1 : -1]
    del deck[-HAND_SIZE * seats :]
    hands = [0] * seats
    for place in range(seats):
        first, second, third, fourth = dealt[place::seats]
        hands[(position.dealer + 1 + place) % seats] = 1 << first | 1 << second | 1 << third | 1 << fourth
    position.hands = hands
    position.stock = deck


def _redeal(position: Position) -> None:
    jokers = position.rules.rules.deal.excess_jokers
    for _ in range(_TRIES):
        if not any(_excess(hand, jokers=jokers) for hand in position.hands):
            return
        _give_hands(position, _shuffled_deck(position))


def _redraw(position: Position) -> None:
    seats = position.rules.seats
    jokers = position.rules.rules.deal.excess_jokers
    for step in range(1, seats + 1):
        seat = (position.dealer + step) % seats
        for _ in range(_TRIES):
            excess = _excess(position.hands[seat], jokers=jokers)
            if not excess:
                break
            _redraw_hand(position, seat, excess)


def _redraw_hand(position: Position, seat: int, excess: int) -> None:
    deal = position.rules.rules.deal
    hand = position.hands[seat]
    given_back = hand if deal.excess is _HAND else excess
    _put_under_stock(position, given_back)
    if deal.redrawn is Redrawn.SHUFFLED:
        position.rng.shuffle(position.stock)
    hand ^= given_back
    for _ in range(given_back.bit_count()):
        hand |= 1 << position.stock.pop()
    position.hands[seat] = hand


def _excess(hand: int, *, jokers: bool) -> int:
    """Returns three or four alike of a hand, or two jokers where they count; 0 for no excess."""
    if has_three_alike(hand):
        return three_alike(hand)
    return JOKERS if jokers and hand & JOKERS == JOKERS else 0


def _put_under_stock(position: Position, cards: int) -> None:
    position.stock[:0] = bits(cards)


def _turn_up(position: Position) -> None:
    """Lays four cards of the stock into the empty pool. An empty stock is renewed from the discard pile."""
    pool = 0
    for _ in range(HAND_SIZE):
        if not position.stock:
            position.stock, position.discard = position.discard, []
            position.rng.shuffle(position.stock)
        pool |= 1 << position.stock.pop()
    position.pool = pool
    position.last_exchange = position.now


def _replace_pool(position: Position) -> bool:
    """Returns whether the round goes on with the new pool: the stock may be out, or the sweeps too many."""
    rules = position.rules.rules.sweep
    is_discarded = rules.swept is SweptTo.DISCARD
    if is_discarded and rules.stock_out is StockOut.ENDS and len(position.stock) < HAND_SIZE:
        end_round(position, Outcome.STOCK_OUT)
        return False
    if is_discarded:
        position.discard += bits(position.pool)
    else:
        _put_under_stock(position, position.pool)
    position.agreed = 0
    position.duty = -1
    position.sweeps += position.phase is not _READY
    _turn_up(position)
    if 0 < rules.max_sweeps <= position.sweeps:
        end_round(position, Outcome.TOO_MANY_SWEEPS)
        return False
    return True


def _settle_pool(position: Position, *, is_open: bool) -> None:
    """Judges a pool that was turned up with three alike, and replaces it until it may stay."""
    if position.rules.ends_at_three:
        end_round(position, Outcome.THREE_ALIKE)
    elif position.rules.sweeps_at_three:
        for _ in range(_TRIES):
            if not has_three_alike(position.pool) or not _replace_pool(position):
                return
            if is_open:
                open_hunt(position)
