"""A felt on which words and plain shapes are laid out. It does not know what the words say.

Shapes are painted through small masks that are made once, several times larger than the picture and then reduced: the
picture itself is painted in its own size.
"""

from collections.abc import Sequence
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.art.canvas import CREAM, FELT, FELT_DARK, GOLD, SAGE
from bot.art.writing import Anchor, initials, is_emoji, lettering, readable

SCALE: Final = 2.0
"""Pixels per unit of the layout, so that the picture is crisp on the screens of phones."""
WIDTH: Final = 480
"""Units; small print stays readable on a phone, where a picture is some 350 points wide."""
MARGIN: Final = 22.0
ROOM: Final = WIDTH - 2 * MARGIN
HEAD: Final = 88.0
SUBTITLE: Final = 15.0

_SMOOTH: Final = 4  # pixels drawn for each pixel kept of a mask, in each direction
_LINE_SMOOTH: Final = 2

Box = tuple[float, float, float, float]
Point = tuple[float, float]


class CardLayout:
    """A picture of a height in units, painted from back to front."""

    def __init__(self, height: float, width: float = WIDTH, scale: float = SCALE) -> None:
        self.width, self.height, self.scale = width, height, scale
        self.image = Image.new("RGB", (round(width * scale), round(height * scale)), FELT)
        self._draw = ImageDraw.Draw(self.image)

    def copy(self) -> "CardLayout":
        """Return a copy; what is painted on it later does not change this layout."""
        made = CardLayout.__new__(CardLayout)
        made.width, made.height, made.scale = self.width, self.height, self.scale
        made.image = self.image.copy()
        made._draw = ImageDraw.Draw(made.image)
        return made

    def heading(self, title: str, subtitle: str) -> None:
        """Write the title and the subtitle, which may take two lines; `head` is the height of both."""
        self.text(title, (MARGIN, 32), 25, GOLD, bold=True, room=ROOM, least=19)
        self.paragraph(wrapped(subtitle, SUBTITLE, ROOM, 2), (MARGIN, 62), SUBTITLE, SAGE)

    def box(self, box: Box, fill: str, radius: float = 0, line: str | None = None, width: float = 0) -> None:
        """Paint a rounded rectangle (left, top, right, bottom), with a rim inside."""
        left, top, right, bottom = (round(edge * self.scale) for edge in box)
        edge = round(width * self.scale) if line is not None else 0
        if line is not None and edge:
            self._rounded(left, top, right, bottom, round(radius * self.scale), line)
        inner = max(round(radius * self.scale) - edge, 0)
        self._rounded(left + edge, top + edge, right - edge, bottom - edge, inner, fill)

    def disc(self, x: float, y: float, radius: float, fill: str) -> None:
        """Paint a disc around a point."""
        mask = _disc(2 * round(radius * self.scale))
        self.image.paste(fill, self._corner(x, y, mask.size), mask)

    def line(self, points: Sequence[Point], colour: str, width: float) -> None:
        """Paint a line through points."""
        thick = max(round(width * self.scale), 1)
        fine = [(x * self.scale, y * self.scale) for x, y in points]
        left, top = (int(min(point[axis] for point in fine)) - thick for axis in (0, 1))
        right, bottom = (int(max(point[axis] for point in fine)) + thick for axis in (0, 1))
        mask = Image.new("L", ((right - left) * _LINE_SMOOTH, (bottom - top) * _LINE_SMOOTH), 0)
        ImageDraw.Draw(mask).line(
            [((x - left) * _LINE_SMOOTH, (y - top) * _LINE_SMOOTH) for x, y in fine],
            fill=255,
            width=thick * _LINE_SMOOTH,
            joint="curve",
        )
        self.image.paste(colour, (left, top), mask.reduce(_LINE_SMOOTH))

    def text(
        self,
        words: str,
        at: Point,
        size: float,
        colour: str = CREAM,
        *,
        anchor: Anchor = "l",
        bold: bool = False,
        room: float | None = None,
        least: float | None = None,
    ) -> float:
        """Write words, centred on a height, and return their width.

        Args:
            words: What to write.
            at: The point at the left, the middle or the right, as `anchor` says.
            size: Of the letters.
            colour: Of the letters.
            anchor: Which point `at` is.
            bold: Bold or not.
            room: The width into which words are truncated, with an ellipsis.
            least: The size down to which words shrink before they are truncated.
        """
        letters = lettering(round(size * self.scale), bold)
        pixels = None if room is None else room * self.scale
        whole = letters.fitted(words, None)
        while pixels is not None and least is not None and size > least and letters.width(whole) > pixels:
            size -= 1
            letters = lettering(round(size * self.scale), bold)
        drawn = letters.fitted(words, pixels)
        place = at[0] * self.scale, at[1] * self.scale
        return letters.write(self._draw, place, drawn, colour, anchor) / self.scale

    def paragraph(self, lines: Sequence[str], at: Point, size: float, colour: str, *, bold: bool = False) -> None:
        """Write lines from `wrapped`; the first one is centred on a height."""
        letters = lettering(round(size * self.scale), bold)
        for number, line in enumerate(lines):
            place = at[0] * self.scale, (at[1] + number * line_height(size)) * self.scale
            letters.write(self._draw, place, line, colour, "l")

    def portrait(self, name: str, avatar: bytes | None, at: Point, radius: float, colour: str) -> None:
        """Paint a person in a ring of a colour: their avatar, or their initials on a disc of that colour."""
        self.disc(*at, radius, colour)
        face = _face(avatar, 2 * round((radius - radius / 9) * self.scale)) if avatar is not None else None
        if face is not None:
            self.image.paste(face, self._corner(*at, face.size), _disc(face.width))
            return
        first = initials(name)
        self.text(first, at, radius * (0.95 if len(first) == 1 else 0.8), FELT_DARK, anchor="m", bold=True)

    def paste(self, picture: Image.Image, x: float, y: float) -> None:
        """Paste a picture with its top left corner at a point."""
        self.image.paste(picture, (round(x * self.scale), round(y * self.scale)), picture)

    def _rounded(self, left: int, top: int, right: int, bottom: int, radius: int, fill: str) -> None:
        radius = min(radius, (right - left) // 2, (bottom - top) // 2)
        if radius <= 0:
            self.image.paste(fill, (left, top, right, bottom))
            return
        self.image.paste(fill, (left, top + radius, right, bottom - radius))
        disc = _disc(2 * radius)
        for y, rows in ((top, (0, radius)), (bottom - radius, (radius, 2 * radius))):
            self.image.paste(fill, (left + radius, y, right - radius, y + radius))
            self.image.paste(fill, (left, y), disc.crop((0, rows[0], radius, rows[1])))
            self.image.paste(fill, (right - radius, y), disc.crop((radius, rows[0], 2 * radius, rows[1])))

    def _corner(self, x: float, y: float, size: tuple[int, int]) -> tuple[int, int]:
        """Return the top left corner, in pixels, of something centred at a point."""
        return round(x * self.scale - size[0] / 2), round(y * self.scale - size[1] / 2)


def wrapped(words: str, size: float, room: float, most: int, *, bold: bool = False, scale: float = SCALE) -> list[str]:
    """Return the words, wrapped to at most `most` lines for `paragraph`."""
    return lettering(round(size * scale), bold).lines(words, room * scale, most)


def beside_portrait(name: str, avatar: bytes | None) -> str:
    """Return the name to write next to a portrait: without a robot's emoji, as the portrait shows it already."""
    first, _, rest = name.partition(" ")
    initial = readable(first)
    return rest if avatar is None and rest and len(initial) == 1 and is_emoji(initial) else name


def line_height(size: float) -> float:
    """Return the height of a line."""
    return size * 1.3


def head(subtitle: str) -> float:
    """Return the height at which the content below a heading begins."""
    return HEAD + (line_height(SUBTITLE) if len(wrapped(subtitle, SUBTITLE, ROOM, 2)) > 1 else 0)


def _disc(side: int) -> Image.Image:
    fine = Image.new("L", (side * _SMOOTH, side * _SMOOTH), 0)
    ImageDraw.Draw(fine).ellipse((0, 0, side * _SMOOTH - 1, side * _SMOOTH - 1), fill=255)
    return fine.reduce(_SMOOTH)


def _face(avatar: bytes, side: int) -> Image.Image | None:
    """Return an avatar as a square of `side` pixels; None if it is no readable picture."""
    try:
        with Image.open(BytesIO(avatar), formats=("PNG", "JPEG", "WEBP")) as file:
            return file.convert("RGB").resize((side, side), Image.Resampling.LANCZOS)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
