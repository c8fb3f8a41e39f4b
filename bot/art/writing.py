"""Words as pictures write them: which characters they have, how wide they are, how they are truncated and wrapped.

Names may be in any script: emojis are drawn, letters that the font lacks become Latin ones, text from right to left is
written so.
"""

import re
import unicodedata
from functools import cache
from io import BytesIO
from itertools import accumulate, groupby
from pathlib import Path
from typing import Final, Literal

import emoji
from anyascii import anyascii
from arabic_reshaper import ArabicReshaper  # type: ignore[import-untyped]  # it ships no types
from bidi import get_display  # type: ignore[import-untyped]  # nor does this
from PIL import ImageDraw, ImageFont
from wcwidth import iter_graphemes

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
    """Return the words with each emoji replaced by one private character.

    An emoji that the font lacks is replaced by its name, between spaces. A character such as ♥, which is shown as text
    by default, stays a letter.
    """
    if all(ord(char) < _PLAIN for char in words):
        return words.replace(_PICTURE, "")
    return "".join(_shown(token.chars) for token in emoji.analyze(words, non_emoji=True)).replace(_PICTURE, "")


def is_emoji(char: str) -> bool:
    """Return whether this is a private character that `with_emojis` put in place of an emoji."""
    return FIRST <= ord(char) < FIRST + len(_numbers())


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
    return {character: number for number, character in enumerate(LIST.read_text(encoding="utf-8").splitlines())}


ELLIPSIS: Final = "…"
Anchor = Literal["l", "m", "r"]

_UNREADABLE: Final = "?"
_JOINED: Final = re.compile("( & |, )")  # names of several people
_LEFTWARDS: Final = frozenset({"R", "AL"})
_APART: Final = re.compile("\u2068([^\u2069]*)(?:\u2069|$)")  # what Unicode's isolates hold together in a sentence
_WORD: Final = re.compile("(?:\u2068[^\u2069]*\u2069?|\\S)+")
_EMOJI_SIZE: Final = 1.12  # of the letters'


class Lettering:
    """A size in pixels and a weight to write words in; an emoji is as high as a line."""

    def __init__(self, size: int, *, bold: bool = False) -> None:
        self._letters = _font("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf", size)
        self._emojis = _font(FONT.name, round(size * _EMOJI_SIZE))

    def width(self, drawn: str) -> float:
        """Return the width in pixels of words that are in the order of drawing."""
        return sum(font.getlength(run) for run, font in self._runs(drawn))

    def write(self, on: ImageDraw.ImageDraw, at: tuple[float, float], drawn: str, colour: str, anchor: Anchor) -> float:
        """Write words in the order of drawing, centred on a height. Return their width."""
        width = self.width(drawn)
        x = at[0] - {"l": 0.0, "m": width / 2, "r": width}[anchor]
        for run, font in self._runs(drawn):
            on.text((x, at[1]), run, fill=colour, font=font, anchor="lm", embedded_color=font is self._emojis)
            x += font.getlength(run)
        return width

    def fitted(self, words: str, room: float | None) -> str:
        """Return words truncated to `room` pixels, from left to right as they are drawn."""
        legible = readable(words)
        drawn = in_drawing_order(legible)
        if room is None or self.width(drawn) <= room:
            return drawn
        ends = [0, *accumulate(map(len, iter_graphemes(legible)))]
        low, high = 0, len(ends) - 1  # characters as people see them: so many fit, and so many do not
        while high - low > 1:
            middle = (low + high) // 2
            fits = self.width(in_drawing_order(legible[: ends[middle]].rstrip() + ELLIPSIS)) <= room
            low, high = (middle, high) if fits else (low, middle)
        return in_drawing_order(legible[: ends[low]].rstrip() + ELLIPSIS)

    def lines(self, words: str, room: float, most: int) -> list[str]:
        """Return the words on at most `most` lines of `room` pixels, each from left to right as it is drawn."""
        parts, lines = _WORD.findall(readable(words)), list[str]()
        while parts and len(lines) < most - 1:
            count = 1
            while count < len(parts) and self.width(in_drawing_order(" ".join(parts[: count + 1]))) <= room:
                count += 1
            lines.append(self.fitted(" ".join(parts[:count]), room))
            parts = parts[count:]
        return [*lines, self.fitted(" ".join(parts), room)] if parts else lines

    def _runs(self, drawn: str) -> list[tuple[str, ImageFont.FreeTypeFont]]:
        if drawn.isascii():
            return [(drawn, self._letters)]
        return [
            ("".join(run), self._emojis if are_emojis else self._letters)
            for are_emojis, run in groupby(drawn, is_emoji)
        ]


@cache
def lettering(size: int, bold: bool) -> Lettering:
    """Return the lettering of a size and weight."""
    return Lettering(size, bold=bold)


def readable(words: str) -> str:
    """Return the words with only characters that the font has, in the order of reading; an emoji becomes one character.

    A letter that the font lacks loses its accents, or is transliterated to Latin. Other characters that it lacks are
    removed, unless nothing would be left of a name.
    """
    parts = _JOINED.split(" ".join(with_emojis(unicodedata.normalize("NFC", words)).split()))
    return "".join(part if _JOINED.fullmatch(part) else _readable(part) for part in parts)


def in_drawing_order(legible: str) -> str:
    """Return readable words in the order in which they are drawn, from left to right, with Arabic letters joined.

    Names in a list keep their order, and an isolated name does not reorder the sentence around it.
    """
    if "\u2068" in legible:
        parts = _APART.split(legible)  # every second one is held apart
        return "".join(_turned(part) if number % 2 else part for number, part in enumerate(parts))
    return "".join(_turned(part) for part in _JOINED.split(legible))


def _turned(part: str) -> str:
    if not any(unicodedata.bidirectional(char) in _LEFTWARDS for char in part):
        return part
    return str(get_display(_shaper().reshape(part)))


def initials(name: str) -> str:
    """Return one or two characters that stand for a name in a small disc.

    They are the first characters of its first two words, or the emoji with which it begins.
    """
    legible = readable(name)
    words = [word for word in ("".join(filter(_stands_alone, word)) for word in legible.split()) if word]
    first = "".join(word[0] for word in words[:2]).upper() or _UNREADABLE
    return first[:1] if is_emoji(first[0]) else "".join(char for char in first if not is_emoji(char))


def _stands_alone(char: str) -> bool:
    return char.isalnum() or is_emoji(char)


def _readable(name: str) -> str:
    kept = " ".join("".join(map(_letter, name)).split())
    if kept or not name.strip():
        return kept
    visible = "".join(char for char in name if unicodedata.category(char)[0] != "C")
    return " ".join(anyascii(visible).replace(":", " ").replace("_", " ").split()) or _UNREADABLE


def _letter(char: str) -> str:
    if _has(char):
        return char
    base = "".join(filter(_has, unicodedata.normalize("NFKD", char)))
    return base or (anyascii(char) if unicodedata.category(char)[0] == "L" else "")


@cache
def _shaper() -> ArabicReshaper:
    return ArabicReshaper({"ARABIC LIGATURE ALLAH": False})  # the font has no such glyph


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    # Shaping by another library differs from machine to machine: the basic one is always there.
    return ImageFont.truetype(BytesIO(_file(name)), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _file(name: str) -> bytes:
    return (ASSETS / name).read_bytes()


@cache
def _has(char: str) -> bool:
    """Return whether a character can be written: an emoji, or one that the font has a glyph for."""
    if char.isspace() or is_emoji(char) or char in "\u2068\u2069":
        return True
    if unicodedata.category(char)[0] == "C" or unicodedata.combining(char):
        return False
    font = _font("DejaVuSans.ttf", 40)
    return bytes(font.getmask(char)) != bytes(font.getmask("\uffff"))
