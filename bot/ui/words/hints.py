"""Which rule an unknown name stands for: by the words in it, in any language, then by its spelling."""

import re
import unicodedata
from difflib import SequenceMatcher
from functools import cache
from typing import Final

from bot.discord.text.texts import LANGUAGES, texts_for
from bot.game.rules.rules import AXES
from bot.ui.words.rule_names import label

MOST: Final = 5  # names in a hint
_SPELLED: Final = 0.75  # how alike two names are at least, from 0 to 1
_SURELY: Final = 0.85  # so alike that it is a slip of the pen
_NOTHING: Final = (0, 0.0)
_SHORT: Final = 3  # letters of a word that has no plural
_WORD: Final = re.compile(r"[a-z0-9]+")
_EMPTY: Final = frozenset({"max", "at", "of", "by", "in"})  # words of names that say nothing by themselves


def likely_axes(name: str) -> list[str]:
    """Up to `MOST` axes that a name may stand for, the likeliest first; none where it is like none."""
    by_spelling = sorted(AXES, key=lambda axis: -_alike(name, axis))
    near = [axis for axis in by_spelling if _alike(name, axis) >= _SPELLED]
    if near and _alike(name, near[0]) >= _SURELY:
        return near[:1]
    asked = _words(name)
    best = max(_shared(asked, axis) for axis in AXES)
    by_meaning = [axis for axis in by_spelling if best > _NOTHING and _shared(asked, axis) == best]
    return by_meaning[:MOST] or near[:MOST]


def _alike(name: str, axis: str) -> float:
    return SequenceMatcher(None, name.lower(), axis).ratio()


def _shared(asked: frozenset[str], axis: str) -> tuple[int, float]:
    """How many of the words an axis shares, those of its name doubly, and how much of its name or label they are."""
    own, labels = _words(axis), _labels(axis)
    meant = _words(AXES[axis].hints).union(*labels) - own
    count = 2 * len(asked & own) + len(asked & meant)
    return count, max(len(asked & words) / len(words) for words in ((own,) if asked & own else labels))


@cache
def _labels(axis: str) -> tuple[frozenset[str], ...]:
    """The words of an axis' label in each language."""
    return tuple(_words(label(axis, texts_for(language))) for language in LANGUAGES)


def _words(text: str) -> frozenset[str]:
    """The words of a text without accents, in the singular."""
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    words = (word.removesuffix("s") if len(word) > _SHORT else word for word in _WORD.findall(plain))
    return frozenset(words) - _EMPTY
