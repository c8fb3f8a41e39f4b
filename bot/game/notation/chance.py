"""A seeded generator of random numbers whose next outcomes may be written down beforehand."""

from collections import deque
from collections.abc import MutableSequence, Sequence
from random import Random
from typing import Any

from bot.game.cards import Card
from bot.game.signs.sign import Sign


class ChanceError(ValueError):
    """A written outcome that the shuffle or the draw cannot have."""


def tokens_of(item: object) -> tuple[str, ...]:
    """Returns how an outcome is written: cards by their codes, a sign in its normal form."""
    if isinstance(item, Card):
        return (item.code,)
    if isinstance(item, tuple):
        return tuple(token for part in item for token in tokens_of(part))
    assert isinstance(item, Sign), "the core draws cards and signs only"
    return (item.text,)


class WrittenChance(Random):
    """Shuffles and draws as `written`, in order, then by the seed. `shuffles` are written for shuffles alone."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.shuffles: deque[tuple[str, ...]] = deque()
        self.written: deque[tuple[str, ...]] = deque()

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Puts `x` into the next written order.

        Raises:
            ChanceError: the written cards are not those that are shuffled.
        """
        written = self.shuffles or self.written
        if not written:
            super().shuffle(x)
            return
        order = written.popleft()
        by_token = {token: item for item in x for token in tokens_of(item)}
        if sorted(order) != sorted(by_token):
            raise ChanceError(f"the {len(x)} cards that are shuffled, each once")
        x[:] = [by_token[token] for token in order]

    def choice(self, seq: Sequence[Any]) -> Any:  # type: ignore[override]  # the stub's type variable has no name here
        """Returns the next written choice of `seq`.

        Raises:
            ChanceError: the written choice is none of them.
        """
        if not self.written:
            return super().choice(seq)
        wanted = self.written.popleft()
        for item in seq:
            if sorted(tokens_of(item)) == sorted(wanted):
                return item
        raise ChanceError("one of the outcomes that are possible here")
