"""Deals, turns up and sweeps: moves cards between stock, hands, pool and discard pile. Part of `decide`."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final

from bot.game.cards import DECKS, HAND_SIZE, JOKER_GROUP, Card, dealt_hands, three_alike
from bot.game.effects.calls import end_round
from bot.game.events import CardsDealt, ExcessRedrawn, HuntOpened, Outcome, Phase, PoolSwept, PoolTurnedUp, StockRebuilt
from bot.game.evolve import Draft
from bot.game.rules.rules import Deal, OnExcess, Redrawn, StockOut, SweptTo, ThreeAlike

# Chance makes long runs of excess hands or triple pools vanishingly rare, but a table with no stock left could
# turn up the same four cards for ever: after so many tries the cards stay as they lie (our ruling).
_TRIES: Final = 50


def deal_round(draft: Draft, dealer: int, rng: Random) -> None:
    """Deal four cards a seat from the dealer's left, apply the rule on excess cards, and turn four up in the pool."""
    deal, seats = draft.state.rules.deal, len(draft.state.seats)
    order = _shuffled(DECKS[deal.deck], rng)
    for _ in range(_TRIES if deal.excess is OnExcess.REDEAL else 0):
        if not any(excess_cards(hand, deal) for hand in dealt_hands(order, seats, dealer)):
            break
        order = _shuffled(DECKS[deal.deck], rng)
    draft.add(CardsDealt(draft.now, draft.state.round + 1, dealer, order))
    if deal.excess is OnExcess.REDRAW or deal.excess is OnExcess.HAND:
        _redraw(draft, dealer, rng)
    _turn_up(draft, rng)
    _settle_pool(draft, rng)


def carry_out_sweep(draft: Draft, asker: int | None, rng: Random) -> None:
    """Clear the pool, turn four cards up and open the hunt. `asker` is None if there was no vote."""
    swept = set(draft.state.pool_cards)
    if _replace_pool(draft, asker, rng):
        draft.add(HuntOpened(draft.now))
        _settle_pool(draft, rng, swept)


def judge_pool(draft: Draft, rng: Random, *, is_complete: bool, laid_by: int | None = None) -> None:
    """End the round or sweep the pool if it holds three alike.

    `laid_by` is the seat whose card made them; `is_complete` says that the pool has all its cards.
    """
    rule = draft.state.rules.exchange.three_alike
    if rule is ThreeAlike.ENDS:
        if draft.state.third is not None:  # what was turned up was judged then
            end_round(draft, Outcome.THREE_ALIKE, laid_by=laid_by)
    elif rule is ThreeAlike.SWEEPS and is_complete and three_alike(draft.state.pool_cards):
        carry_out_sweep(draft, None, rng)


def excess_cards(hand: Sequence[Card], deal: Deal) -> tuple[Card, ...]:
    """Return the three or four alike of a hand just dealt, or its two jokers if the rules count them; else none."""
    alike = three_alike(hand)
    if alike or not deal.excess_jokers:
        return alike
    both = tuple(card for card in hand if card.group == JOKER_GROUP)
    return both if len(both) > 1 else ()


def _redraw(draft: Draft, dealer: int, rng: Random) -> None:
    deal = draft.state.rules.deal
    count = len(draft.state.seats)
    for step in range(1, count + 1):
        seat = (dealer + step) % count
        for _ in range(_TRIES):
            hand = draft.state.seats[seat].cards
            cards = excess_cards(hand, deal)
            if not cards:
                break
            if deal.excess is OnExcess.HAND:
                cards = hand
            stock = (*draft.state.stock, *cards)
            if deal.redrawn is Redrawn.SHUFFLED:
                stock = _shuffled(stock, rng)
            draft.add(ExcessRedrawn(draft.now, seat, cards, stock))


def _turn_up(draft: Draft, rng: Random) -> None:
    missing = HAND_SIZE
    while missing:
        if not draft.state.stock:
            draft.add(StockRebuilt(draft.now, _shuffled(draft.state.discard, rng)))
        cards = draft.state.stock[:missing]
        draft.add(PoolTurnedUp(draft.now, cards))
        missing -= len(cards)


def _replace_pool(draft: Draft, asker: int | None, rng: Random) -> bool:
    """Return whether the round goes on with the new pool: the stock may be out, or the sweeps too many."""
    rules = draft.state.rules.sweep
    is_out = rules.swept is SweptTo.DISCARD and len(draft.state.stock) < HAND_SIZE
    if is_out and rules.stock_out is StockOut.ENDS:
        end_round(draft, Outcome.STOCK_OUT)
        return False
    draft.add(PoolSwept(draft.now, asker))
    _turn_up(draft, rng)
    if 0 < rules.max_sweeps <= draft.state.sweeps:
        end_round(draft, Outcome.TOO_MANY_SWEEPS)
        return False
    return True


def _settle_pool(draft: Draft, rng: Random, swept: Collection[Card] = ()) -> None:
    """Judge a pool that was turned up, and replace it until it may stay.

    Cards that were just `swept` may come back at once: a table without other cards would sweep them for ever.
    """
    for _ in range(_TRIES):
        pool = set(draft.state.pool_cards)
        if pool == swept or not three_alike(pool):
            return
        match draft.state.rules.exchange.three_alike:
            case ThreeAlike.ENDS:
                end_round(draft, Outcome.THREE_ALIKE)
                return
            case ThreeAlike.SWEEPS:
                swept = pool
                if not _replace_pool(draft, None, rng):
                    return
                if draft.state.phase is Phase.HUNT:
                    draft.add(HuntOpened(draft.now))
            case ThreeAlike.ALLOWED:  # pragma: no branch  # mypy proves the match complete
                return


def _shuffled(cards: Sequence[Card], rng: Random) -> tuple[Card, ...]:
    order = list(cards)
    rng.shuffle(order)
    return tuple(order)
