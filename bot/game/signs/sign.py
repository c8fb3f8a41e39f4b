"""Signs and gestures: when two of them are the same one.

A sign is known by its normal form: skin tones and variation selectors folded, white space dropped, a custom server
emoji reduced to its id (RULES.md, "Signs"). Whether a text is an emoji at all is for the user interface to judge.
"""

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache
from typing import Final

from bot.game.value import value

_FOLDED: Final = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff]|\\s")
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CUSTOM: Final = re.compile(r"<a?:\w+:(\d+)>")
# What chance draws from when a team settles no sign in time, and what palettes offer.
HOUSE_SIGNS: Final = ("👀", "🍀", "🎲", "☕", "🎩", "🌶️", "🦊", "🎈", "🧦", "🍩", "🛶", "🪁", "🥁", "🐙", "🌵", "🔑")


class GestureKind(StrEnum):
    """How a gesture was made in the open."""

    REACT = "react"
    POST = "post"
    SAY = "say"


class Strategy(StrEnum):
    """What a secret, unanimous vote may allow beyond one sign per team (sheet 000, "Raffinements")."""

    DOUBLE = "double"
    INTERMEDIATE = "intermediate"
    TOTAL = "total"
    PRESIGN = "presign"
    SPOKEN = "spoken"


@value
class Sign:
    """A team's secret sign in normal form: an emoji or a phrase of emojis, or spoken words (signe).

    A combined sign has both: `text` is its emojis, `words` what is said besides.
    """

    text: str
    is_spoken: bool = False
    words: str = ""

    @property
    def is_good(self) -> bool:
        """Returns whether a team may agree on the sign; "kem" is none ("il est interdit de dire « j'ai Kem's »")."""
        return bool(self.text) and "kem" not in (self.text if self.is_spoken else self.words)

    @property
    def needs_speech(self) -> bool:
        return self.is_spoken or bool(self.words)

    @property
    def halves(self) -> tuple["Sign", ...]:
        """Returns the signs that have to be made: the two of a combined sign, else the sign itself."""
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


@lru_cache(1024)
def fold_emojis(text: str) -> str:
    """Returns the normal form of an emoji or emoji phrase."""
    return _FOLDED.sub("", _CUSTOM.sub(r"<:\1>", text))


def fold_words(text: str) -> str:
    """Returns the normal form of words: case, composition of accents and runs of white space do not matter."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def emoji_sign(text: str) -> Sign:
    return Sign(fold_emojis(text))


def spoken_sign(text: str) -> Sign:
    return Sign(_words(text), is_spoken=True)


def combined_sign(emojis: str, words: str) -> Sign:
    return Sign(fold_emojis(emojis), words=_words(words))


def gesture_makes(kind: GestureKind, text: str, sign: Sign) -> bool:
    """Returns whether a gesture makes the sign, or a half of a combined one.

    A spoken sign is heard as whole words inside a message.
    """
    if sign.words:
        return any(gesture_makes(kind, text, half) for half in sign.halves)
    if sign.is_spoken:
        return kind is GestureKind.SAY and f" {sign.text} " in f" {_words(text)} "
    return kind is not GestureKind.SAY and fold_emojis(text) == sign.text


def _words(text: str) -> str:
    return " ".join(_WORD.findall(fold_words(text)))
