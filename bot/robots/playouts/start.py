"""Where a playout starts: with a new match, at a state of the core, or at a view and a guess of what it hides."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

from bot.game.cards import HAND_SIZE, Card
from bot.game.decks import DECKS
from bot.game.phase import Phase
from bot.game.rules.house_rules import check_table, teams_for
from bot.game.rules.parts import Rules
from bot.game.state import CallChain, State
from bot.game.views import SeatView, TableView
from bot.robots.playouts.compiled_rules import NEVER, compile_rules
from bot.robots.playouts.dealing import deal_round
from bot.robots.playouts.masks import mask_of, number_of
from bot.robots.playouts.moves import COUNTERS
from bot.robots.playouts.position import Chain, Position

_check_table_once: Final = lru_cache(maxsize=64)(check_table)
"""A simulation starts thousands of matches at the same table."""
_NOBODY_HOLDS: Final[Mapping[int, Collection[Card]]] = {}


@dataclass(frozen=True, slots=True)
class Hidden:
    """A guess of the cards that a seat does not see.

    `hands` are by seat, the seat's own among them. `stock` has the next card first. `signed` are the seats that have
    made their sign with the Kem's that they hold.
    """

    hands: tuple[frozenset[Card], ...]
    stock: tuple[Card, ...]
    discard: tuple[Card, ...]
    signed: frozenset[int] = frozenset()


def new_match(
    rules: Rules, seats: int, rng: Random, *, dealer: int | None = None, order: Sequence[Card] | None = None
) -> Position:
    """Returns a match whose first round is dealt, at the instant 0; the last seat deals unless `dealer` is named.

    `order` is the shuffled deck, next card first; `rng` shuffles it where it is None, and draws all later chance.

    Raises:
        RulesError: the table cannot be played (`bot.game.rules.house_rules.check_table`).
        ValueError: `order` is not the whole deck.
    """
    _check_table_once(rules, seats)
    compiled = compile_rules(rules, seats, teams_for(rules, seats))
    position = Position(compiled, rng, dealer=dealer or 0)
    deck = None if order is None else [number_of(card) for card in reversed(order)]
    if deck is not None and sorted(deck) != sorted(compiled.deck):
        raise ValueError(f"a deal takes each of the {len(compiled.deck)} cards of the deck once")
    deal_round(position, seats - 1 if dealer is None else dealer, deck)
    return position


def from_state(state: State, rng: Random, now: int) -> Position:
    """Returns the position of a state at the instant `now` (milliseconds); a paused match goes on where it stopped.

    Raises:
        ValueError: the cards are not dealt yet.
    """
    _check_dealt(state.phase)
    compiled = compile_rules(state.rules, len(state.seats), len(state.teams))
    position = Position(compiled, rng, dealer=state.dealer, now=now if state.pause is None else state.pause.at)
    position.phase = state.phase
    position.phase_at = state.phase_at
    position.round = state.round
    position.pool = mask_of(state.pool_cards)
    position.stock = [number_of(card) for card in reversed(state.stock)]
    position.discard = [number_of(card) for card in state.discard]
    position.last_exchange = state.last_exchange
    position.sweeps = state.sweeps
    _set_standings(position, state)
    if state.vote is not None:
        position.agreed = sum(1 << seat for seat in state.vote.agreed)
        position.vote_ends_at = state.vote.ends_at
    if state.duty is not None:
        position.duty, position.duty_ends_at = state.duty.seat, state.duty.ends_at
    for seat, own in enumerate(state.seats):
        _give_hand(position, seat, own.cards)
        position.before[seat] = mask_of(own.before or ())
        position.owes_since[seat] = own.owes_since or 0
        position.signed_at[seat] = NEVER if own.signed_at is None else own.signed_at
        if not own.can_counter:
            position.calls[seat] &= ~COUNTERS
    for gesture in reversed(state.gestures):
        if gesture.sign is not None:
            position.first_sign_at[gesture.seat] = gesture.at
    return position


def from_view(view: SeatView, hidden: Hidden, rng: Random, now: int) -> Position:
    """Returns the position that a seat sees at the instant `now`, if its guess of what is `hidden` is right.

    What no view tells is assumed: an exchange under way will change the hand, and the pool was not swept before. In a
    pause no view tells what is left of a time: all of it.

    Raises:
        ValueError: the cards are not dealt yet, the guess does not have each card of the deck once, or a hand or pile
            does not have its size.
    """
    table = view.table
    _check_dealt(table.phase)
    _check_guess(view, hidden)
    compiled = compile_rules(table.rules, len(table.seats), table.teams)
    position = Position(compiled, rng, dealer=table.dealer, now=now if table.pause is None else table.pause.at)
    position.phase = table.phase
    position.phase_at = table.phase_at
    position.round = table.round
    position.pool = mask_of(card for card in table.pool if card is not None)
    position.stock = [number_of(card) for card in reversed(hidden.stock)]
    position.discard = [number_of(card) for card in hidden.discard]
    position.last_exchange = table.phase_at if table.sweep_from is None else table.sweep_from - compiled.quiet
    _set_standings(position, table)
    if table.phase is Phase.SWEEP:
        position.agreed = sum(1 << info.seat for info in table.seats if info.agreed_sweep)
        position.vote_ends_at = position.now + compiled.sweep_vote if table.ends_at is None else table.ends_at
    for info in table.seats:
        _give_hand(position, info.seat, hidden.hands[info.seat])
        ends_at = position.now + compiled.take_limit if info.take_ends_at is None else info.take_ends_at
        position.owes_since[info.seat] = ends_at - compiled.take_limit
        if info.must_exchange:
            ends_at = position.now + compiled.refusal_grace if table.duty_ends_at is None else table.duty_ends_at
            position.duty, position.duty_ends_at = info.seat, ends_at
        if not info.can_counter:
            position.calls[info.seat] &= ~COUNTERS
    for gesture in table.gestures:
        if gesture.seat in hidden.signed:
            at = table.dealt_at + gesture.at
            position.signed_at[gesture.seat] = at
            position.first_sign_at[gesture.seat] = min(at, position.first_sign_at[gesture.seat])
    return position


def guess_hidden(
    view: SeatView, rng: Random, *, held: Mapping[int, Collection[Card]] = _NOBODY_HOLDS, gone: Collection[Card] = ()
) -> Hidden:
    """Returns a guess in which chance places every card that the seat does not see.

    `held` are cards that the seats are known to hold. `gone` are cards known to be in no hand: they lie in the discard
    pile, and under the stock where that has no room for them.

    Raises:
        ValueError: what is known contradicts the view.
    """
    table = view.table
    own = {card for card in view.hand if card is not None}
    known = {info.seat: own if info.seat == view.seat else set(held.get(info.seat, ())) for info in table.seats}
    seen = {card for card in table.pool if card is not None}.union(gone, *known.values())
    unseen = [card for card in DECKS[table.rules.deal.deck] if card not in seen]
    rng.shuffle(unseen)
    hands = []
    for info in table.seats:
        missing = HAND_SIZE - info.owes - len(known[info.seat])
        if not 0 <= missing <= len(unseen):
            raise ValueError(f"seat {info.seat} cannot hold these cards: it has {HAND_SIZE - info.owes}")
        hands.append(frozenset(known[info.seat]).union(unseen.pop() for _ in range(missing)))
    piles = [*gone, *unseen]
    guess = Hidden(tuple(hands), stock=tuple(reversed(piles[table.discard :])), discard=tuple(piles[: table.discard]))
    _check_guess(view, guess)
    return guess


def _check_dealt(phase: Phase) -> None:
    if phase in (Phase.SIGNS, Phase.DEAL):
        raise ValueError("a playout starts with cards in hand: the teams have not settled their signs yet")


def _check_guess(view: SeatView, hidden: Hidden) -> None:
    table = view.table
    pool = [card for card in table.pool if card is not None]
    if frozenset(card for card in view.hand if card is not None) != hidden.hands[view.seat]:
        raise ValueError("a guess leaves the seat its own hand")
    cards = [*pool, *hidden.stock, *hidden.discard, *(card for hand in hidden.hands for card in hand)]
    if sorted(cards) != sorted(DECKS[table.rules.deal.deck]):
        raise ValueError("a guess places each card of the deck once: in a hand, in the stock or in the discard pile")
    sizes = [HAND_SIZE - info.owes for info in table.seats]
    if sizes != [len(hand) for hand in hidden.hands] or len(hidden.stock) != table.stock:
        raise ValueError(f"a guess leaves hands and piles their size: {sizes} in the hands, {table.stock} in the stock")


def _give_hand(position: Position, seat: int, cards: Iterable[Card]) -> None:
    hand = mask_of(cards)
    owes = HAND_SIZE - hand.bit_count()
    position.hands[seat] = hand
    position.owes[seat] = owes
    position.owed += owes


def _set_standings(position: Position, known: State | TableView) -> None:
    """Copy what everybody knows: the scores, the chain of calls, how the round ended."""
    position.scores = list(known.scores)
    position.games = list(known.games)
    position.game_won = known.game_won
    position.winner = known.winner
    position.is_time_called = known.is_time_called
    position.chain = _chain(known.chain)
    if known.result is not None:
        position.outcome = known.result.outcome
        position.points = list(known.result.points)


def _chain(chain: CallChain | None) -> Chain | None:
    return None if chain is None else Chain(chain.caller, chain.outcome, -1 if chain.team is None else chain.team)
