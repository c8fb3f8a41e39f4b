"""The rounds of the first match: which lessons each teaches, how the cards lie, and what each robot does.

A scene lets its lessons come up by themselves. What the learner does instead is played by the rules all the same.
"""

from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, Final

from bot.game.cards import DECKS, HAND_SIZE, Card, DeckKind, parse_card
from bot.lessons.lesson import SEATS, Lesson


class Role(StrEnum):
    """What a robot does in a scene; every robot settles a sign, agrees to sweeps and shows the cards it has to."""

    WAITS = "waits"
    CALLS = "calls"
    """It calls Kem's when its partner has made the sign."""
    COLLECTS = "collects"
    """It exchanges, and makes its sign with four alike."""
    LURKS = "lurks"
    """It calls Kem's once an opponent has lost the right to counter: a round that cannot be saved ends."""
    BLUFFS = "bluffs"
    """It makes one gesture, which means nothing."""


@dataclass(frozen=True, slots=True)
class LessonScene:
    """A round with a prepared deal; it is played again while its `goal` is not learnt.

    `hands` and `roles` are clockwise from the learner, whose role is the learner's own choice. `stock` comes first of
    the stock, which chance completes.
    """

    goal: Lesson
    lessons: tuple[Lesson, ...]
    hands: tuple[str, str, str, str]
    pool: str
    roles: tuple[Role, Role, Role]
    stock: str = ""

    def role(self, seat: int, learner: int) -> Role:
        return self.roles[(seat - learner) % SEATS - 1]

    def order(self, learner: int, dealer: int, rng: Random) -> tuple[Card, ...]:
        """Returns the whole deck in the order in which it is dealt, the first card to the dealer's left."""
        hands = [_cards(self.hands[(seat - learner) % SEATS]) for seat in range(SEATS)]
        clockwise = [hands[(dealer + 1 + step) % SEATS] for step in range(SEATS)]
        known = [hand[card] for card in range(HAND_SIZE) for hand in clockwise]
        known += [*_cards(self.pool), *_cards(self.stock)]
        rest = [card for card in DECKS[DeckKind.D32] if card not in known]
        rng.shuffle(rest)
        return (*known, *rest)


def _cards(codes: str) -> list[Card]:
    return [parse_card(code) for code in codes.split()]


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


SCENES: Final = (
    LessonScene(
        goal=Lesson.SIGN,
        lessons=(Lesson.AGREE, Lesson.DEAL, Lesson.PUT, Lesson.TAKE, Lesson.SWEEP, Lesson.SIGN),
        hands=("7S 9D 7H KC", "8S TS QH KH", "9S JS AD QD", "8C TC KD AH"),
        pool="7D JC 8H AS",
        stock="TD 7C QS JH",
        roles=(Role.WAITS, Role.CALLS, Role.WAITS),
    ),
    LessonScene(
        goal=Lesson.KEMS,
        lessons=(Lesson.KEMS, Lesson.BLUFF),
        hands=("KS 9H 7D KH", "AS TD AH 8C", "QS JC QH 8D", "JS TC JH 7C"),
        pool="QD 9S QC TH",
        roles=(Role.WAITS, Role.COLLECTS, Role.BLUFFS),
    ),
    LessonScene(
        goal=Lesson.COUNTER,
        lessons=(Lesson.COUNTER, Lesson.THREE_ALIKE),
        hands=("8D TS JC TH", "KS 7S KH 9D", "9S JD QH AS", "AD QC TC 7H"),
        pool="8S KD 8H KC",
        roles=(Role.COLLECTS, Role.CALLS, Role.LURKS),
    ),
)
"""In the order in which they are played."""
