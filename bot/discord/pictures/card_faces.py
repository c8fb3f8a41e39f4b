"""Card faces and card names, by language and theme: as text always, and as a picture where Discord has one.

Suits are written in text presentation (U+FE0E): the emoji picture of a spade is hard to see on the dark theme.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.discord.api.components import Emoji
from bot.discord.text.text_width import centred, indented, space, width
from bot.discord.text.texts import LANGUAGES, Texts, mark
from bot.game.cards import JOKER_GROUP, RANKS, SUITS, Card
from bot.records.pictures import Theme

_SUIT_SIGNS: Final = ("♠\ufe0e", "♥\ufe0e", "♦\ufe0e", "♣\ufe0e")  # in the order of `bot.game.cards.SUITS`
_RANK_NAMES: Final = (
    *(mark("the two"), mark("the three"), mark("the four"), mark("the five"), mark("the six"), mark("the seven")),
    *(mark("the eight"), mark("the nine"), mark("the ten")),
    *(mark("the jack"), mark("the queen"), mark("the king"), mark("the ace")),
)
_SUIT_NAMES: Final = (mark("spades"), mark("hearts"), mark("diamonds"), mark("clubs"))
_JOKERS: Final = ("🃏★", "🃏☆")
EMPTY_PLACE: Final = "·"
WARNING: Final = "⚠\ufe0e"
CHOSEN: Final = "✓"
_PLACE_OF_MARK: Final = 0.75
_PLACE_OF_PICTURE: Final = 2.0
_OF_SPACES: Final = 0.87  # spaces stay wide in fonts with narrow letters
_MOST_IN_ROW: Final = 4
_JOKER_NAMES: Final = (mark("the great joker"), mark("the little joker"))

# The characters of `bot.art.cards`, in the same order. First names are the same in every language.
_SHORT_NAMES: Final = {
    Theme.RUGBY: ("Tim", "Lila", "Gus", "Nina", "Joss", "Malo", "Zora", "Igor", "Kiki", "Rick", "Paco", "Elsa", "Capi"),
    Theme.FAMILY: (
        *("Luca", "Gina", "Ugo", "Bice", "Enzo", "Micio", "Nino"),
        *("Zia", "Zio", "Papà", "Mamma", "Nonno", "Nonna"),
    ),
    Theme.YOKAI: (
        *("Kodama", "Baku", "Umi", "Hito", "Neko", "Tanuki", "Kasa"),
        *("Yuki", "Gasha", "Kitsune", "Oni", "Tengu", "Kappa"),
    ),
}
_YOKAI_NAMES: Final = (
    *(mark("the kodama"), mark("the baku"), mark("the umibōzu"), mark("the hitotsume"), mark("the nekomata")),
    *(mark("the tanuki"), mark("the kasa-obake"), mark("the yuki-onna"), mark("the gashadokuro")),
    *(mark("the kitsune"), mark("the oni"), mark("the tengu"), mark("the kappa")),
)
# What tells the four cards of a character apart, as in `bot.art.cards`
_MARKS: Final = {
    Theme.RUGBY: ("🏉", "👟", "🏆", "🚩"),
    Theme.FAMILY: ("🍕", "🍅", "🥄", "🍲"),
    Theme.YOKAI: ("🏮", "🍃", "🔥", "🌙"),
}
_WITH: Final = {
    Theme.RUGBY: (
        mark("{character} with the ball"),
        mark("{character} with the boot"),
        mark("{character} with the cup"),
        mark("{character} with the flag"),
    ),
    Theme.FAMILY: (
        mark("{character} with the pizza"),
        mark("{character} with the tomato"),
        mark("{character} with the spoon"),
        mark("{character} with the pot"),
    ),
    Theme.YOKAI: (
        mark("{character} with the lantern"),
        mark("{character} with the leaf"),
        mark("{character} with the flame"),
        mark("{character} with the moon"),
    ),
}


_WIDEST: Final = {Theme.FRENCH: width("10" + _SUIT_SIGNS[0])} | {
    theme: max(width(name + mark) for name in names for mark in _MARKS[theme]) for theme, names in _SHORT_NAMES.items()
}
"""The width of the widest label of each deck, in ems."""


def rank_of(card: Card, language: str) -> str:
    """Return the rank that is written on a French card: `8`, `D` (Q in English); "" for a joker."""
    if card.is_joker:
        return ""
    code = RANKS[card.group]
    return LANGUAGES[language].ranks.get(code, code)


def picture_name(card: Card, theme: Theme, language: str) -> str:
    """Return the name of a card's picture, such as `kems_french_7s`. Queens differ by language: `dh`, `qh`."""
    if theme is Theme.FRENCH and not card.is_joker:
        return f"kems_{theme}_{rank_of(card, language)}{SUITS[card.face.member]}".lower()
    return f"kems_{theme}_{card.face.code}".lower()


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """How cards look to readers of one language, as text or as pictures.

    - `pictures`: the ids of emojis by `picture_name`; a card without one is text.

    Two objects are never equal, so that a cache by `Faces` need not compare pictures.
    """

    texts: Texts
    theme: Theme = Theme.FRENCH
    pictures: Mapping[str, int] = field(default_factory=dict)

    def label(self, card: Card) -> str:
        """Return a short plain label, unique in a pack: `8♣`, `D♥` (Q♥ in English), `Kappa🏮`, `🃏★`."""
        if card.is_joker:
            return _JOKERS[card.member]
        if self.theme is Theme.FRENCH:
            return rank_of(card, self.texts.locale) + _SUIT_SIGNS[card.face.member]
        return _SHORT_NAMES[self.theme][card.group] + _MARKS[self.theme][card.face.member]

    def group(self, group: int) -> str:
        """Return the part of the labels that the cards of a group share: `8`, `D`, `Kappa`, `🃏`."""
        if group == JOKER_GROUP:
            return _JOKERS[0][0]
        if self.theme is Theme.FRENCH:
            return rank_of(Card(group, 0), self.texts.locale)
        return _SHORT_NAMES[self.theme][group]

    def named(self, card: Card) -> str:
        """Return the text beside or below a card's picture: its group's name, such as `Kappa`, or a joker's label."""
        return self.label(card) if card.is_joker else self.group(card.group)

    def slot(self, card: Card | None, mark: str = "") -> str:
        """Return the label of a hand's slot, padded so that all slots are about equally wide in every font.

        Args:
            card: The card in the slot; None if it is empty.
            mark: Precedes the card's label, whose padding leaves room for it.
        """
        if card is None:
            return centred(EMPTY_PLACE, self._width_of_empty_place())
        label = self._slot_label(card)
        return mark + label if mark else indented(label, width(label) + _PLACE_OF_MARK)

    def _width_of_empty_place(self) -> float:
        """Return about the width, in ems, of a slot with a card, and with its picture if there are pictures."""
        wide = _WIDEST[self.theme] + _PLACE_OF_MARK
        if self.theme is Theme.FRENCH:
            return _OF_SPACES * wide
        return wide + bool(self.pictures) * _PLACE_OF_PICTURE

    def _slot_label(self, card: Card) -> str:
        """Return the card's label, padded so that all are about as wide; beside a picture it has no mark."""
        widest = _WIDEST[self.theme]
        label = self.label(card) if self.slot_picture(card) is None else self.named(card)
        if card.is_joker and self.theme is Theme.FRENCH:
            return centred(label, widest)
        if self.theme is not Theme.FRENCH:
            return indented(label, widest)
        return rank_of(card, self.texts.locale) + space(widest - width(label)) + _SUIT_SIGNS[card.face.member]

    def slot_picture(self, card: Card | None) -> Emoji | None:
        """Return a slot's picture; None for French cards, since a row of four with pictures does not fit on a phone."""
        return None if card is None or self.in_row == _MOST_IN_ROW else self.picture(card)

    def labels(self, cards: Iterable[Card]) -> str:
        """Return the labels of cards, separated by spaces."""
        return " ".join(map(self.label, cards))

    @property
    def in_row(self) -> int:
        """How many labelled buttons fit in a row on a phone."""
        return _MOST_IN_ROW if self.theme is Theme.FRENCH else 2

    def picture(self, card: Card) -> Emoji | None:
        """Return the picture of a card; None if there is none."""
        found = self.pictures.get(picture_name(card, self.theme, self.texts.locale))
        return None if found is None else Emoji(card.face.code.lower(), found)

    def text(self, card: Card) -> str:
        """Return the card as message text: its picture, or its label if there is none."""
        return str(self.picture(card) or self.label(card))

    def line(self, cards: Iterable[Card]) -> str:
        """Return cards as message text, separated by spaces."""
        return " ".join(map(self.text, cards))

    def name(self, card: Card) -> str:
        """Return the card in words: "the queen of hearts", "the kappa with the lantern", "Nonna with the pot"."""
        t = self.texts.t
        if card.is_joker:
            return t(_JOKER_NAMES[card.member])
        if self.theme is Theme.FRENCH:
            return t("{rank} of {suit}", rank=t(_RANK_NAMES[card.group]), suit=t(_SUIT_NAMES[card.face.member]))
        is_yokai = self.theme is Theme.YOKAI
        character = t(_YOKAI_NAMES[card.group]) if is_yokai else _SHORT_NAMES[self.theme][card.group]
        return t(_WITH[self.theme][card.face.member], character=character)
