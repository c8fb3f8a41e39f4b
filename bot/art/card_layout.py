"""A card with a background of its own, on which words and plain shapes are laid out.

It does not know what the words say. Names may be in any script: letters that the font lacks become Latin ones, other
signs such as emojis are left out, and text from right to left is drawn so.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Final, Literal

from anyascii import anyascii
from arabic_reshaper import ArabicReshaper  # type: ignore[import-untyped]  # it ships no types
from bidi import get_display  # type: ignore[import-untyped]  # nor does this
from PIL import Image, ImageDraw, ImageFont

from bot.art.colours import CREAM, EDGE, FELT

SCALE: Final = 2
"""Pixels of the picture for a unit of its layout, so that it is crisp on the screens of phones."""
WIDTH: Final = 480
"""Units; small print stays readable on a phone, where a picture is some 350 points wide."""

_SMOOTH: Final = 2  # pixels drawn for each pixel kept, in each direction
_RADIUS: Final = 18.0
_EDGE_WIDTH: Final = 2.0
_ELLIPSIS: Final = "…"
_UNREADABLE: Final = "?"
_JOINED: Final = re.compile("( & |, )")  # names of several people
_LEFTWARDS: Final = frozenset({"R", "AL"})

Anchor = Literal["l", "m", "r"]
Box = tuple[float, float, float, float]


class CardLayout:
    """A card of a height in units. Shapes are drawn first and words last; `picture` reduces the drawing to pixels."""

    def __init__(self, height: float, width: float = WIDTH) -> None:
        self.width, self.height = width, height
        self._unit = SCALE * _SMOOTH
        size = round(width * self._unit), round(height * self._unit)
        self._image = Image.new("RGBA", size, (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self._image)
        inset = _EDGE_WIDTH / 2
        self.box((inset, inset, width - inset, height - inset), FELT, _RADIUS, EDGE, _EDGE_WIDTH)

    def box(self, box: Box, fill: str | None, radius: float = 0, line: str | None = None, width: float = 0) -> None:
        """Draws a rounded rectangle (left, top, right, bottom)."""
        edges = [edge * self._unit for edge in box]
        self._draw.rounded_rectangle(
            edges, radius * self._unit, fill=fill, outline=line, width=round(width * self._unit)
        )

    def disc(self, x: float, y: float, radius: float, fill: str, line: str | None = None, width: float = 0) -> None:
        """Draws a filled circle round a point."""
        edges = [edge * self._unit for edge in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.ellipse(edges, fill=fill, outline=line, width=round(width * self._unit))

    def line(self, points: Sequence[tuple[float, float]], colour: str, width: float) -> None:
        """Draws a line through points, with round joints."""
        fine = [(x * self._unit, y * self._unit) for x, y in points]
        self._draw.line(fine, fill=colour, width=round(width * self._unit), joint="curve")

    def text(
        self,
        words: str,
        at: tuple[float, float],
        size: float,
        colour: str = CREAM,
        *,
        anchor: Anchor = "l",
        bold: bool = False,
        room: float | None = None,
        least: float | None = None,
    ) -> float:
        """Writes words, centred on a height, cut with an ellipsis to fit into `room`. Returns their width.

        `least` is the size down to which words shrink before they are cut.
        """
        font = _font(round(size * self._unit), bold)
        if room is not None and least is not None:
            while size > least and font.getlength(fitted(words, font, None)) > room * self._unit:
                size -= 1
                font = _font(round(size * self._unit), bold)
        shown = fitted(words, font, None if room is None else room * self._unit)
        self._draw.text((at[0] * self._unit, at[1] * self._unit), shown, fill=colour, font=font, anchor=f"{anchor}m")
        return float(font.getlength(shown)) / self._unit

    def picture(self) -> Image.Image:
        """Returns what was drawn, `SCALE` pixels for a unit."""
        return self._image.reduce(_SMOOTH)


def readable(words: str) -> str:
    """Returns the words as the font can write them, in the order in which they are read.

    A letter that it lacks loses its accents first, and then becomes Latin ones. Emojis are left out, unless nothing
    else is left of a name.
    """
    parts = _JOINED.split(" ".join(unicodedata.normalize("NFC", words).split()))
    return "".join(part if _JOINED.fullmatch(part) else _readable(part) for part in parts)


def fitted(words: str, font: ImageFont.FreeTypeFont, room: float | None) -> str:
    """Returns the readable words, cut to so many pixels, in the order in which they are drawn from left to right."""
    shown = readable(words)
    drawn = _drawn(shown)
    if room is None or font.getlength(drawn) <= room:
        return drawn
    while shown and font.getlength(_drawn(shown.rstrip() + _ELLIPSIS)) > room:
        shown = shown[:-1]
    return _drawn(shown.rstrip() + _ELLIPSIS)


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


def _drawn(words: str) -> str:
    """Returns the words in the order of drawing, with Arabic letters joined; several names keep their order."""
    if not any(unicodedata.bidirectional(char) in _LEFTWARDS for char in words):
        return words
    return "".join(str(get_display(_shaper().reshape(part))) for part in _JOINED.split(words))


@cache
def _shaper() -> ArabicReshaper:
    return ArabicReshaper({"ARABIC LIGATURE ALLAH": False})  # the font has no such glyph


@cache
def _font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    file = resources.files("bot.art").joinpath("assets", name).read_bytes()
    # Shaping by another library differs from machine to machine: the basic one is always there.
    return ImageFont.truetype(BytesIO(file), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _has(char: str) -> bool:
    """Returns whether the font can write a character: all that it cannot come out as the same box."""
    if char.isspace():
        return True
    if unicodedata.category(char)[0] == "C" or unicodedata.combining(char):
        return False
    font = _font(40, False)
    return bytes(font.getmask(char)) != bytes(font.getmask("\uffff"))
