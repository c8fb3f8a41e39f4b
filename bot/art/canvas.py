"""Crisp small pictures from outlines: a canvas that paints filled paths, and the text form of those paths.

It does not know what the paths show. A canvas is drawn several times larger than the picture and then reduced, with
whole numbers throughout, so that the same shapes give the same pixels on every machine.
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFont

INK: Final = "#2a2233"
FELT: Final = "#17342b"
FELT_DARK: Final = "#0f241e"
FELT_LIGHT: Final = "#214a3d"
CREAM: Final = "#fdf6e3"
SAGE: Final = "#b7cdbf"
GOLD: Final = "#e8b84a"
OWED: Final = "#6f8cff"
"""The blue of Discord's buttons; the middle has it while a card is owed."""
WOOD: Final = "#7a5230"
EDGE: Final = "#8f9f8a"
PAPER: Final = "#fffdf7"
PAPER_EDGE: Final = "#a9a4b5"
TEAMS: Final = ("#6fb7ff", "#ff9d6f", "#c9a2ff", "#ffe066", "#7fe0b0", "#ff8fb8")
"""Colours of teams, always shown with a number."""
MEDALS: Final = {1: GOLD, 2: "#c9d1d9", 3: "#d08a4e"}
"""By place."""
MEDAL_INK: Final = "#241a05"


SIDE: Final = 128
"""Units and pixels of a picture's side; paths are written in these units, y downwards."""

_FINE: Final = 6  # pixels drawn for each pixel kept, in each direction
_STEPS: Final = 14  # straight pieces that a curve is made of
_ROUND: Final = 48  # and an ellipse

Point = tuple[float, float]
Polygon = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """One filled or drawn outline.

    - `path`: as in SVG, with blanks between all words: `M x y`, `L x y`, `Q x y x y`, `C x y x y x y`, and `E x y rx
      ry` for an ellipse; closed unless `is_line`.
    - `paint`: a colour (`#rrggbb`), the name of one in the palette, or "" for none; a `+` or `-` at its end makes it
      lighter or darker.
    - `line`: the outline's width.
    """

    path: str
    paint: str = ""
    line: float = 3.4
    is_mirrored: bool = False  # drawn a second time with left and right exchanged
    is_line: bool = False  # an open line in the colour of `paint`, without filling


@dataclass(frozen=True, slots=True)
class Placement:
    """Where shapes go: their origin on the canvas, and their scale."""

    x: float
    y: float
    scale: float = 1.0

    def of(self, point: Point) -> Point:
        """Convert a point of the shape to the canvas."""
        return self.x + point[0] * self.scale, self.y + point[1] * self.scale


class Canvas:
    """A transparent square to paint on."""

    def __init__(self) -> None:
        side = SIDE * _FINE
        self._image = Image.new("RGBA", (side, side), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self._image)

    def paint(self, shapes: Iterable[Shape], placement: Placement, palette: Mapping[str, str] | None = None) -> None:
        """Draw the shapes from back to front, each with its outline in ink."""
        for shape in shapes:
            colour = _colour(shape.paint, palette or {})
            for polygon in _placed(shape, placement):
                if shape.is_line:
                    self._line(polygon, colour or INK, shape.line * placement.scale)
                    continue
                if colour is not None:
                    self._draw.polygon(polygon, fill=colour)
                self._line((*polygon, polygon[0], polygon[1]), INK, shape.line * placement.scale)

    def halo(self, shapes: Iterable[Shape], placement: Placement, colour: str, width: float) -> None:
        """Paint a rim around the shapes, `width` wide, that sets them off from the background."""
        for shape in shapes:
            for polygon in _placed(shape, placement):
                if not shape.is_line:
                    self._draw.polygon(polygon, fill=colour)
                closed = polygon if shape.is_line else (*polygon, polygon[0], polygon[1])
                self._line(closed, colour, shape.line * placement.scale + 2 * width)

    def text(self, text: str, box: tuple[float, float, float, float], colour: str, weight: float) -> None:
        """Write the text as high as the box (left, top, right, bottom), and narrow it if it is too wide.

        `weight` makes it bolder than the font.
        """
        left, top, right, bottom = (edge * _FINE for edge in box)
        glyphs = _glyphs(text, round(weight * _FINE))
        width = min(right - left, glyphs.width * (bottom - top) / glyphs.height)
        size = round(width), round(bottom - top)
        mask = glyphs.resize(size, Image.Resampling.LANCZOS)
        place = round((left + right - width) / 2), round(top)
        self._image.paste(Image.new("RGBA", size, colour), place, mask)

    def frame(self, margin: float, radius: float, colour: str, width: float) -> None:
        """Clear what lies outside a rounded square, and draw the square's edge."""
        side = SIDE * _FINE
        edges = (margin * _FINE, margin * _FINE, side - margin * _FINE - 1, side - margin * _FINE - 1)
        self._draw.rounded_rectangle(edges, radius * _FINE, outline=_colour(colour, {}), width=round(width * _FINE))
        mask = Image.new("L", (side, side), 0)
        ImageDraw.Draw(mask).rounded_rectangle(edges, radius * _FINE, fill=255)
        self._image.putalpha(ImageChops.multiply(self._image.getchannel("A"), mask))

    def picture(self) -> Image.Image:
        """Return the picture, `SIDE` pixels wide."""
        return self._image.reduce(_FINE)

    def _line(self, points: Polygon, colour: str, width: float) -> None:
        if width <= 0:
            return
        thick = round(width * _FINE)
        self._draw.line(points, fill=colour, width=thick)
        last = len(points) - 1
        for place, (x, y) in enumerate(points):  # `joint="curve"` draws sectors instead, which takes four times as long
            half = thick / 2 if place in (0, last) else max(0.0, thick / 2 - 1)
            self._draw.ellipse((x - half, y - half, x + half, y + half), fill=colour)


def png(image: Image.Image) -> bytes:
    """Return a picture as a PNG file."""
    written = io.BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def _placed(shape: Shape, placement: Placement) -> Iterator[Polygon]:
    """Yield the shape's polygons in fine pixels."""
    for polygon in _polygons(shape.path):
        for side in (1, -1) if shape.is_mirrored else (1,):
            yield tuple((x * _FINE, y * _FINE) for x, y in (placement.of((px * side, py)) for px, py in polygon))


@cache
def _polygons(path: str) -> tuple[Polygon, ...]:
    """Return the path as polygons; curves become short straight pieces.

    Raises:
        ValueError: The path has an unknown command.
    """
    found: list[list[Point]] = []
    words = iter(path.split())

    def points(count: int) -> list[Point]:
        return [(float(next(words)), float(next(words))) for _ in range(count)]

    for command in words:
        match command:
            case "M":
                found.append(points(1))
            case "L":
                found[-1] += points(1)
            case "Q":
                found[-1] += _curve((found[-1][-1], *points(2)))
            case "C":
                found[-1] += _curve((found[-1][-1], *points(3)))
            case "E":
                (x, y), (rx, ry) = points(2)
                angles = (2 * pi * step / _ROUND for step in range(_ROUND))
                found.append([(x + rx * cos(angle), y + ry * sin(angle)) for angle in angles])
            case _:
                raise ValueError(f"no path command {command!r} in {path!r}")
    return tuple(map(tuple, found))


def _curve(corners: tuple[Point, ...]) -> Iterator[Point]:
    """Yield the points of a Bezier curve except its first, by de Casteljau's construction."""
    for step in range(1, _STEPS + 1):
        part = step / _STEPS
        level = list(corners)
        while len(level) > 1:
            level = [(x + (to_x - x) * part, y + (to_y - y) * part) for (x, y), (to_x, to_y) in pairwise(level)]
        yield level[0]


def _colour(paint: str, palette: Mapping[str, str]) -> str | None:
    if not paint:
        return None
    name, shade = (paint[:-1], paint[-1]) if paint[-1] in "+-" else (paint, "")
    base = palette.get(name, name)
    if not shade:
        return base
    toward, part = (255, 0.35) if shade == "+" else (0, 0.22)
    red, green, blue = (round(value + (toward - value) * part) for value in ImageColor.getrgb(base)[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"


@cache
def _glyphs(text: str, stroke: int) -> Image.Image:
    """Return the text in the font that Pillow ships, as a mask cropped to its edges."""
    font = ImageFont.load_default(size=96 * _FINE)
    left, top, right, bottom = font.getbbox(text, stroke_width=stroke)
    mask = Image.new("L", (round(right - left), round(bottom - top)), 0)
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font, stroke_width=stroke)
    box = mask.getbbox()
    assert box is not None, "an empty text has no glyphs"
    return mask.crop(box)
