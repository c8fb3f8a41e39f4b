"""Card faces as text."""

from bot.game.cards import Card
from bot.ui.texts import Texts


def face(card: Card, texts: Texts) -> str:
    """Short: `8♣`, `D♥` (Q♥ in English)."""
    raise NotImplementedError


def card_name(card: Card, texts: Texts) -> str:
    """In words, with its article: "la dame de cœur"."""
    raise NotImplementedError
