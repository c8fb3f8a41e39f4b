"""The emojis that pictures can show: the private character that each of them has in a font of their own.

The font has coloured outlines, sharp at any size. How it is made stands in `tests/art/pack_emojis.py`.
"""

from functools import cache
from pathlib import Path
from typing import Final

import emoji

ASSETS: Final = Path(__file__).parent / "assets"
FONT: Final = ASSETS / "emojis.ttf"
LIST: Final = ASSETS / "emojis.txt"
"""One emoji a line, in the order of their private characters."""
FIRST: Final = 0xF0000
"""The private character of the first emoji."""

_PICTURE: Final = "\ufe0f"  # asks for a picture of the character before it
_TONES: Final = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_QUALIFIED: Final = emoji.STATUS["fully_qualified"]
_PLAIN: Final = 0x203C  # below it all emojis but ©, ® and keys are letters, and these are shown as letters


def with_emojis(words: str) -> str:
    """Returns the words with a private character for each emoji.

    One that the font lacks becomes its name, between blanks. What is an emoji at wish, such as ♥, stays a letter.
    """
    if all(ord(char) < _PLAIN for char in words):
        return words.replace(_PICTURE, "")
    return "".join(_shown(token.chars) for token in emoji.analyze(words, non_emoji=True)).replace(_PICTURE, "")


def is_emoji(char: str) -> bool:
    """Returns whether the character is a private one."""
    return FIRST <= ord(char) < FIRST + len(_numbers())


@cache
def _shown(chars: str) -> str:
    about = emoji.EMOJI_DATA.get(chars)
    if about is None or about["status"] != _QUALIFIED:
        return chars
    bare = chars.replace(_PICTURE, "")
    toneless = "".join(char for char in bare if char not in _TONES)
    number = _numbers().get(bare, _numbers().get(toneless))
    return f" {about['en'].replace('_', ' ')} " if number is None else chr(FIRST + number)


@cache
def _numbers() -> dict[str, int]:
    return {one: number for number, one in enumerate(LIST.read_text(encoding="utf-8").splitlines())}
