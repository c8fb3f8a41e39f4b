"""Card faces and card names as text, by language. It knows codes and words, not who holds what.

Suits are written in text presentation (U+FE0E): the black ones then take the text's colour and stay legible on the
dark theme, where the emoji picture of a spade would drown.
"""

from collections.abc import Iterable
from typing import Final

from bot.game.cards import RANKS, Card
from bot.ui.texts import Texts, mark

_SUITS: Final = ("♠\ufe0e", "♥\ufe0e", "♦\ufe0e", "♣\ufe0e")  # in the order of `bot.game.cards.SUITS`
_FRENCH_RANKS: Final = {"T": "10", "J": "V", "Q": "D", "K": "R"}
_ENGLISH_RANKS: Final = {"T": "10"}
_RANK_NAMES: Final = (
    mark("the two"),
    mark("the three"),
    mark("the four"),
    mark("the five"),
    mark("the six"),
    mark("the seven"),
    mark("the eight"),
    mark("the nine"),
    mark("the ten"),
    mark("the jack"),
    mark("the queen"),
    mark("the king"),
    mark("the ace"),
)
_SUIT_NAMES: Final = (mark("spades"), mark("hearts"), mark("diamonds"), mark("clubs"))


def face(card: Card, texts: Texts) -> str:
    """Short: `8♣`, `D♥` (Q♥ in English), `🃏`."""
    if card.is_joker:
        return "🃏"
    code = RANKS[card.group]
    ranks = _FRENCH_RANKS if texts.locale == "fr" else _ENGLISH_RANKS
    return ranks.get(code, code) + _SUITS[card.member]


def faces(cards: Iterable[Card], texts: Texts) -> str:
    """Several cards, one space between them."""
    return " ".join(face(card, texts) for card in cards)


def card_name(card: Card, texts: Texts) -> str:
    """In words, with its article: "the queen of hearts"."""
    if card.is_joker:
        return texts.t("the joker")
    rank, suit = texts.t(_RANK_NAMES[card.group]), texts.t(_SUIT_NAMES[card.member])
    return texts.t("{rank} of {suit}", rank=rank, suit=suit)
