"""Decks as data: the cards that a table plays with."""

from enum import StrEnum
from typing import Final

from bot.game.cards import JOKER_GROUP, RANKS, SUITS, Card


class DeckKind(StrEnum):
    """The decks of the sheets; 52 and 54 also carry the thirteen characters of four cards each."""

    D32 = "32"
    D52 = "52"
    D54 = "54"


def _ranks_from(first: str) -> tuple[Card, ...]:
    return tuple(Card(group, member) for group in range(RANKS.index(first), len(RANKS)) for member in range(len(SUITS)))


DECKS: Final[dict[DeckKind, tuple[Card, ...]]] = {
    DeckKind.D32: _ranks_from("7"),
    DeckKind.D52: _ranks_from("2"),
    DeckKind.D54: (*_ranks_from("2"), Card(JOKER_GROUP, 0), Card(JOKER_GROUP, 1)),
}
