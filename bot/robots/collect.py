"""Chooses the cards that a robot collects: the best hand within its reach, and the next step towards it.

Knows nothing about signs, calls or time.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Final

from bot.game.actions import PutDown, Take
from bot.game.cards import HAND_SIZE, JOKER_GROUP, Card
from bot.game.decks import DECKS
from bot.game.rules.parts import ThreeAlike
from bot.game.views import SeatView
from bot.robots.memory import Memory

# The worth of none, one, two, three and four alike.
_WORTH: Final = (0.0, 1.0, 4.0, 11.0, 40.0)
# An exchange shows what a seat collects: it has to bring this much.
_MARGIN: Final = 0.4
_ALIKE_ENDS: Final = 3


class Collector:
    """Judges hands as one seat sees them at one moment, without the `overlooked` cards of the pool."""

    def __init__(self, view: SeatView, memory: Memory, overlooked: Collection[Card] = ()) -> None:
        self._view = view
        self._memory = memory
        self.hand = tuple(card for card in view.hand if card is not None)
        self.pool = tuple(card for card in view.table.pool if card is not None)
        noticed = tuple(card for card in self.pool if card not in overlooked)
        self._noticed = noticed if len(noticed) >= view.owes else self.pool
        self._pool_groups = Counter(card.group for card in self.pool)
        deck = DECKS[view.table.rules.deal.deck]
        self._odds = {group: self._chances(group) for group in {card.group for card in deck}}
        self._worths = {group: _worths(odds) for group, odds in self._odds.items()}

    def value(self, cards: Iterable[Card]) -> float:
        """Returns the worth of a hand: alike cards, less if the others are out of reach; jokers join the best."""
        groups: dict[int, int] = {}  # no Counter: this is asked for every hand within reach, at every move
        for card in cards:
            groups[card.group] = groups.get(card.group, 0) + 1
        jokers = groups.pop(JOKER_GROUP, 0)
        worth = sum(self._worths[group][count] for group, count in groups.items())
        if jokers:
            worth += max(
                (
                    self._worths[group][min(count + jokers, HAND_SIZE)] - self._worths[group][count]
                    for group, count in groups.items()
                ),
                default=_WORTH[min(jokers, HAND_SIZE)],
            )
        return worth

    def next_step(self, *, must: bool = False) -> PutDown | Take | None:
        """Returns the next put-down or take, None where the hand is best as it is. `must` asks for any real change."""
        if self._view.owes:
            return self._finish_exchange()
        goal = self._best_hand(self.hand, puts=self._view.table.rules.exchange.down, must=must)
        if goal is None or not (must or self.value(goal) > self.value(self.hand) + _MARGIN):
            return None
        return self._put_worst(goal)

    def stopper(self) -> PutDown | None:
        """Returns a put-down that makes three alike in the pool, where that ends the round."""
        if self._view.table.rules.exchange.three_alike is not ThreeAlike.ENDS:
            return None
        cards = [card for card in self.hand if not card.is_joker and self._pool_groups[card.group] == _ALIKE_ENDS - 1]
        return PutDown(self._view.seat, cards[0]) if cards else None

    def least_telling(self, choices: Sequence[tuple[Card, ...]]) -> tuple[Card, ...]:
        """Returns the choice of cards that tells least about what the robot collects."""
        groups = Counter(card.group for card in self.hand)
        return min(choices, key=lambda cards: (sum(groups[card.group] for card in cards), cards))

    def _finish_exchange(self) -> PutDown | Take:
        """Returns the best take, or another put-down where that is clearly better; the seat owes takes."""
        view = self._view
        goal = self._best_hand(self.hand, puts=0, must=False) or self.hand
        room = view.table.rules.exchange.down - view.owes
        bolder = self._best_hand(self.hand, puts=room, must=True)
        if bolder is not None and self.value(bolder) > self.value(goal) + _MARGIN:
            return self._put_worst(bolder)
        wanted = [card for card in goal if card in self._noticed] or list(self.pool)
        return Take(view.seat, max(wanted, key=lambda card: (self.value((*self.hand, card)), card)))

    def _best_hand(self, hand: tuple[Card, ...], *, puts: int, must: bool) -> tuple[Card, ...] | None:
        """Returns the best four of hand and pool that need at most `puts` put-downs and end no round."""
        held = set(hand)
        best: tuple[Card, ...] | None = None
        best_key: tuple[float, int] = (-1.0, 0)
        for cards in combinations((*hand, *self._noticed), HAND_SIZE):
            down = held.difference(cards)
            if len(down) > puts or (must and not down) or not self._is_safe(down):
                continue
            key = (self.value(cards), -len(down))
            if key > best_key:
                best, best_key = cards, key
        return best

    def _is_safe(self, down: Iterable[Card]) -> bool:
        if self._view.table.rules.exchange.three_alike is not ThreeAlike.ENDS:
            return True
        groups = [card.group for card in down if not card.is_joker]
        return all(groups.count(group) + self._pool_groups[group] < _ALIKE_ENDS for group in groups)

    def _put_worst(self, goal: tuple[Card, ...]) -> PutDown:
        down = [card for card in self.hand if card not in goal]
        keep = Counter(card.group for card in self.hand)
        return PutDown(self._view.seat, min(down, key=lambda card: (keep[card.group], self._odds[card.group], card)))

    def _chances(self, group: int) -> float:
        """Returns from 0 to 1 how well the group can still be completed."""
        gone = sum(card.group == group for card in self._memory.gone)
        held = sum(card.group == group for card in self._memory.held)
        patience = 0.92 ** self._memory.waited.get(group, 0)
        return max(0.05, 1.0 - 0.3 * gone - 0.2 * held) * patience


def _worths(odds: float) -> tuple[float, ...]:
    """Returns the worth of none to four alike, where the missing ones can be had with these odds (0 to 1)."""
    return (*(worth * odds for worth in _WORTH[:HAND_SIZE]), _WORTH[HAND_SIZE])
