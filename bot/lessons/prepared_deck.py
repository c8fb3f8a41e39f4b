"""A deck in a prepared order, in the place of chance."""

from collections.abc import MutableSequence, Sequence
from random import Random
from typing import Any

from bot.game.cards import Card


class PreparedDeck(Random):
    """Shuffles the whole deck into `order`; all else is drawn by `rng`."""

    def __init__(self, order: Sequence[Card], rng: Random) -> None:
        super().__init__()
        self._order = order
        self._rng = rng

    def shuffle(self, x: MutableSequence[Any]) -> None:
        if len(x) == len(self._order):
            x[:] = self._order
        else:
            self._rng.shuffle(x)

    def random(self) -> float:
        return self._rng.random()

    def getrandbits(self, k: int, /) -> int:
        return self._rng.getrandbits(k)
