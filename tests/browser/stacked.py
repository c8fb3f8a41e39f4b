"""Chance that deals chosen cards, so that a round on a page takes as many presses as a test wants."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from random import Random
from typing import Any

from bot.game.cards import DECKS, HAND_SIZE, Card, parse_card
from bot.robots import Timing

NEVER = (10**8, 10**8)
"""A delay of a robot that no test waits for."""
QUIET = replace(Timing(*[NEVER] * len(astuple(Timing()))), propose=(100, 200), accept=(100, 200), show=(300, 400))
"""Robots that settle their sign and show their cards, and leave the hunt to the people."""


class StackedDeck(Random):
    """Partners are the players who sat down first and second, third and fourth; the last seat deals first.

    `deals`: for each round that is arranged the four hands, in seating order, and the middle, as codes of cards.
    The rest of the deck, and the rounds after these, are as the seed has them.
    """

    def __new__(cls, deals: Sequence[Sequence[str]], seed: int = 1) -> "StackedDeck":
        return super().__new__(cls, seed)

    def __init__(self, deals: Sequence[Sequence[str]], seed: int = 1) -> None:
        super().__init__(seed)
        self._deals = [[[parse_card(code) for code in part.split()] for part in deal] for deal in deals]
        self._dealt = 0

    def sample(self, population: Sequence[Any], k: int, **_: Any) -> list[Any]:
        """Seats the first and the second player across from each other."""
        return [*population[: k // 2], *population[k // 2 :]] if k != 4 else [population[seat] for seat in (0, 2, 1, 3)]

    def randrange(self, start: int, *_: Any) -> int:
        """Lets the last seat deal."""
        return start - 1

    def shuffle(self, x: Any) -> None:
        super().shuffle(x)
        if len(x) not in map(len, DECKS.values()) or not isinstance(x[0], Card):
            return
        number, self._dealt = self._dealt, self._dealt + 1
        if number < len(self._deals):
            *hands, pool = self._deals[number]
            players = len(hands)
            # The first card goes to the dealer's left; the deal passes on with each round.
            turn = [hands[(number + step) % players] for step in range(players)]
            top = [hand[card] for card in range(HAND_SIZE) for hand in turn] + pool
            x[:] = [*top, *(card for card in x if card not in top)]
