"""Secret signs: emojis and words, cards that restrict them, plans of several; and when two signs are the same.

A sign of emojis is identified by its normal form: skin tones and variation selectors folded, white space dropped, a
custom server emoji reduced to its id. Words are identified by how they sound. Whether a text is an emoji at all is for
the user interface to judge.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from bot.game.value import Worded, value

_FOLDED: Final = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|\\s")
_UNSEEN: Final = {
    **dict.fromkeys([0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0xFE00, 0xFE10)]), 0xB4: "'",
}  # fmt: skip
"""Removes invisible characters (soft hyphens, marks of direction, variation selectors); keeps accents."""
_LIKE: Final = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u2010\u2012\u2013\u2014\u2015\u2212"), "-"),
    ord("œ"): "oe", ord("æ"): "ae", 0x200C: None, 0x200D: None,
}  # fmt: skip
"""What another keyboard writes for the same sound: apostrophes, hyphens and dashes, ligatures, joiners."""
_ACCENTS: Final = re.compile("(?<![^\\W\\d_a-z])[\u0300-\u036f]+")
"""Accents of Latin letters; those of other scripts make other letters."""
_WITHIN: Final = "'\u2019-\u200c\u200d"
"""What may occur within a word as it is shown."""
_CUSTOM: Final = re.compile(r"<a?:\w+:(\d+)>")
# What chance draws from when a team settles no sign in time, and what palettes offer.
HOUSE_SIGNS: Final = ("👀", "🍀", "🎲", "☕", "🎩", "🌶️", "🦊", "🎈", "🧦", "🍩", "🛶", "🪁", "🥁", "🐙", "🌵", "🔑")


class GestureKind(StrEnum):
    """How a gesture was made in the open."""

    REACT = "react"
    POST = "post"
    SAY = "say"


class Strategy(Worded):
    """What a secret, unanimous vote may allow beyond one sign per team (sheet 000, "Raffinements")."""

    DOUBLE = "double", "double sign"
    INTERMEDIATE = "intermediate", "3 to 6 signs"
    TOTAL = "total", "total multi-sign"
    PRESIGN = "presign", "pre-sign"
    SPOKEN = "spoken", "spoken signs"


@dataclass(frozen=True, slots=True, eq=False)
class Sign:
    """A team's secret sign: an emoji or a phrase of emojis in normal form, or spoken words (signe).

    A combined sign has both: `text` is its emojis, `words` what is said as well. Words that sound the same are the same
    sign, and are shown as they were written.
    """

    text: str
    is_spoken: bool = False
    words: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sign) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, str]:
        return ("" if self.is_spoken else self.text, self.sound)

    @property
    def sound(self) -> str:
        """The spoken words in normal form; "" for emojis alone."""
        return fold_words(self.text if self.is_spoken else self.words)

    @property
    def is_good(self) -> bool:
        """Whether a team may agree on the sign: "kem" is forbidden ("il est interdit de dire « j'ai Kem's »")."""
        return bool(self.text) and "kem" not in self.sound

    @property
    def needs_speech(self) -> bool:
        """Whether the sign has words to say."""
        return self.is_spoken or bool(self.words)

    @property
    def halves(self) -> tuple["Sign", ...]:
        """The signs that have to be made: the two of a combined sign, else the sign itself."""
        return (Sign(self.text), Sign(self.words, is_spoken=True)) if self.words else (self,)


@value
class SignReport:
    """What `seat` said aloud about `team`: the signs that it named, or the strategy that it accused the team of."""

    at: int
    seat: int
    team: int
    signs: tuple[Sign, ...]
    strategy: Strategy | None
    is_right: bool


@lru_cache(1024)  # a hand panel folds 16 emojis, each 0.8 µs without it: a sixth of the panel
def fold_emojis(text: str) -> str:
    """Return the normal form of an emoji or emoji phrase."""
    return _FOLDED.sub("", _CUSTOM.sub(r"<:\1>", text))


def fold_letters(text: str) -> str:
    """Return a text as it sounds: without capitals, accents, ligatures and kinds of apostrophes, dashes and spaces.

    Folding twice changes nothing.
    """
    letters = unicodedata.normalize("NFKD", text.translate(_UNSEEN)).casefold().translate(_LIKE)
    return " ".join(unicodedata.normalize("NFC", _ACCENTS.sub("", letters)).split())


@lru_cache(1024)  # a message is heard for each sign, and compared with each other one of the hand
def fold_words(text: str) -> str:
    """Return the normal form of words, equal for all that sound the same: `fold_letters` without punctuation."""
    return " ".join(_letters(fold_letters(text)).split()) if text else ""


def emoji_sign(text: str) -> Sign:
    """Return the sign of an emoji or an emoji phrase."""
    return Sign(fold_emojis(text))


def spoken_sign(text: str) -> Sign:
    """Return the sign of spoken words."""
    return Sign(_words(text), is_spoken=True)


def combined_sign(emojis: str, words: str) -> Sign:
    """Return the sign of emojis and words together."""
    return Sign(fold_emojis(emojis), words=_words(words))


def sign_of(kind: GestureKind, text: str) -> Sign:
    """Return the sign that a gesture would make: of words by their sound, of anything else by its emojis."""
    return spoken_sign(text) if kind is GestureKind.SAY else emoji_sign(text)


def gesture_makes(kind: GestureKind, text: str, sign: Sign) -> bool:
    """Return whether a gesture makes the sign, or half of a combined one; a message may have other words around it."""
    if sign.words:
        return any(gesture_makes(kind, text, half) for half in sign.halves)
    if sign.is_spoken:
        return kind is GestureKind.SAY and f" {sign.sound} " in f" {fold_words(text)} "
    return kind is not GestureKind.SAY and fold_emojis(text) == sign.text


def _words(text: str) -> str:
    """Return words as they are shown: without capitals, and without what makes no sound between them."""
    written = unicodedata.normalize("NFKC", text.translate(_UNSEEN)).lower()
    words = (word.strip(_WITHIN) for word in _letters(written, _WITHIN).split())
    return " ".join(word for word in words if fold_words(word))


def _letters(text: str, kept: str = "") -> str:
    """Return a text with a space for all but letters, their marks, numbers and the `kept` characters."""
    return "".join([char if char in kept or unicodedata.category(char)[0] in "LMN" else " " for char in text])


class SignCard(Worded):
    """What kind of sign a team may use (sheet 003, "Préparation")."""

    HAND = "hand", "the hand"
    WORD = "word", "the word"
    POSTURE = "posture", "the posture"
    MOUTH = "mouth", "the mouth"
    EYES = "eyes", "the eyes"
    IDEA = "idea", "the idea"


_EMOJIS: Final = {
    SignCard.HAND: (
        "👋 🤚 ✋ 🖖 👌 🤌 🤏 ✌ 🤞 🤟 🤘 🤙 👈 👉 👆 👇 ☝ 👍 👎 ✊ 👊 🤛 🤜 👏 🙌 🫶 👐 🤲 🤝 🙏 ✍ 💅 💪 🫰"
    ),
    SignCard.WORD: ("💬 🗨 🗯 💭 🗣 📢 📣 📞 📖 📝 🔤 🔠 🆗 🆒 🆕 🆓 🆙 🔝 🔜 🎤 📰 ✉ 💌 🏷"),
    SignCard.POSTURE: ("🧍 🧎 🚶 🏃 💃 🕺 🧘 🤸 🤷 🤦 🙋 🙅 🙆 🙇 💁 🛌 🛋 🪑 🧗 🏇 🏄 🤺 🪩 🦩"),
    SignCard.MOUTH: ("👄 👅 💋 🦷 😛 😜 😝 😗 😘 😮 😬 🤐 🤫 🥱 🤤 😋 😙 😚 🫢 🤭 🗿 🧛 😁 😯"),
    SignCard.EYES: ("👀 👁 😉 🙄 😳 🥺 😌 😑 🤩 😍 😎 🤓 🧐 😴 🥸 😵 🙈 🫣 👓 🕶 🥽 🔍 🔭 🦉"),
}
_CONTROLS: Final = frozenset(["✋", "📣", "🤫", "🤝", "🪑"])
"""Emojis of a hand's other buttons and lines: a team may choose them, chance and bluffs do not."""
_FAMILIES: Final = {
    card: tuple(text for text in texts.split() if text not in _CONTROLS) for card, texts in _EMOJIS.items()
}
_ONLY: Final = {
    card: re.compile("(?:" + "|".join(re.escape(fold_emojis(text)) for text in texts) + ")+")
    for card, texts in _FAMILIES.items()
}


def family(card: SignCard | None) -> tuple[str, ...]:
    """Return the emojis that a team with this sign card is offered; `HOUSE_SIGNS` without a card or with `IDEA`."""
    return HOUSE_SIGNS if card is None else _FAMILIES.get(card, HOUSE_SIGNS)


def unused_signs(card: SignCard | None, known: Collection[Sign]) -> list[Sign]:
    """Return the emojis offered to a team with this card, except `known` ones; pairs of emojis once all are known."""
    texts = family(card)
    for offered in (texts, [first + second for first in texts for second in texts]):
        if unused := [sign for sign in map(emoji_sign, offered) if sign not in known]:
            return unused
    return []


def fits_card(sign: Sign, card: SignCard | None) -> bool:
    """Return whether the sign is of the card's kind: emojis of its family, or words for the word card."""
    if card is None or card is SignCard.IDEA:
        return True
    if sign.needs_speech:
        return card is SignCard.WORD and not sign.words
    return _ONLY[card].fullmatch(sign.text) is not None


FEWEST_SIGNS: Final = 3
MOST_SIGNS: Final = 6
"""An intermediate multi-sign has "3,4,5 ou 6 signes"."""


class PlanKind(StrEnum):
    """How many signs a team plays with (multisigne)."""

    SINGLE = "single"
    DOUBLE = "double"
    INTERMEDIATE = "intermediate"
    TOTAL = "total"


SEVERAL: Final = frozenset({Strategy.DOUBLE, Strategy.INTERMEDIATE, Strategy.TOTAL})
"""The strategies that a team may not play again once found out ("signe unique pour le reste de la partie")."""


@value
class SignPlan:
    """A team's agreement: `signs` are one, one for each member in seating order, three to six, or none ("total").

    With `presign` the sign may be made at three alike already (pré-signe).
    """

    kind: PlanKind
    signs: tuple[Sign, ...] = ()
    presign: bool = False

    @property
    def strategies(self) -> frozenset[Strategy]:
        """The strategies that a vote must have allowed for this plan."""
        needed = set() if self.kind is PlanKind.SINGLE else {Strategy(self.kind.value)}
        if self.presign:
            needed.add(Strategy.PRESIGN)
        if any(sign.needs_speech for sign in self.signs):
            needed.add(Strategy.SPOKEN)
        return frozenset(needed)

    def has_shape(self, members: int) -> bool:
        """Return whether the plan has as many signs as its kind requires for a team of `members`."""
        count = len(self.signs)
        match self.kind:
            case PlanKind.SINGLE:
                return count == 1
            case PlanKind.DOUBLE:
                return count == members > 1
            case PlanKind.INTERMEDIATE:
                return FEWEST_SIGNS <= count <= MOST_SIGNS
            case PlanKind.TOTAL:  # pragma: no branch  # mypy proves the match complete
                return count == 0

    def with_successors(self, found: Collection[Sign], successors: Iterable[Sign]) -> "SignPlan":
        """Return the plan with its `found` signs replaced by the successors, in order.

        Raises:
            ValueError: There are fewer or more successors than found signs.
        """
        fresh = list(successors)
        old = [sign for sign in self.signs if sign in found]
        by_old = dict(zip(old, fresh, strict=True))
        return replace(self, signs=tuple(by_old.get(sign, sign) for sign in self.signs))

    def signs_of(self, member: int, found: Collection[Sign] = ()) -> tuple[Sign, ...]:
        """Return the signs that `member` (in seating order) makes; none once their sign of a double was `found`."""
        if self.kind is PlanKind.DOUBLE:
            return () if self.signs[member] in found else (self.signs[member],)
        return self.signs

    def sign_made(self, member: int, kind: GestureKind, text: str, found: Collection[Sign] = ()) -> Sign | None:
        """Return the sign that a gesture of `member` makes, whole or half; None for a bluff.

        In a plan for "total", words are no sign.
        """
        if self.kind is PlanKind.TOTAL:
            return None if kind is GestureKind.SAY else emoji_sign(text)
        signs = self.signs_of(member, found)
        return next((sign for sign in signs if gesture_makes(kind, text, sign)), None)


@value
class PlanOptions:
    """What a team may propose now: plans of these kinds, with pre-sign or not, with spoken or combined signs or not."""

    kinds: tuple[PlanKind, ...]
    presign: bool
    spoken: bool
    combined: bool = False


def one_sign(sign: Sign, *, presign: bool = False) -> SignPlan:
    """Return the usual agreement: a single sign for the whole team."""
    return SignPlan(PlanKind.SINGLE, (sign,), presign)
