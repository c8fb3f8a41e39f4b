"""Card faces as small pictures: a suit card, or the portrait of a character with a badge of its member.

They are made to be read at 22 pixels: one large shape, one large mark, thick outlines, no small print. Drawing takes
some ten milliseconds of CPU time, so call it off the event loop.

Each deck has thirteen characters, in the order of `bot.game.cards.RANKS`; a deck of 32 has the last eight. Their names
are elsewhere.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PIL import Image

from bot.art.canvas import PAPER, PAPER_EDGE, SIDE, Canvas, Placement, Shape, png
from bot.game.cards import Card
from bot.records.pictures import Theme

Part = tuple[Shape, ...]

_FILE: Final = Path(__file__).parent / "assets" / "drawings.toml"
_DRAWINGS: Final = tomllib.loads(_FILE.read_text(encoding="utf-8"))

_MARGIN: Final = 1.0
_RADIUS: Final = 24.0
_EDGE: Final = 5.0
_RANK_BOX: Final = (11.0, 13.0, 69.0, 81.0)
_TEN_BOX: Final = (9.0, 12.0, 92.0, 65.0)
_SUIT_SPOT: Final = Placement(89, 88, 1.08)
_TEN_SUIT_SPOT: Final = Placement(91, 92, 1.0)
_BADGE_SPOT: Final = Placement(93, 93, 0.98)
_RIM: Final = 5.0
_WHOLE: Final = f"M 0 0 L {SIDE} 0 L {SIDE} {SIDE} L 0 {SIDE} L 0 0"


def _parts(table: Mapping[str, list[dict[str, Any]]]) -> dict[str, Part]:
    return {name: tuple(Shape(**shape) for shape in shapes) for name, shapes in table.items()}


PARTS: Final = _parts(_DRAWINGS["people"]) | _parts(_DRAWINGS["beings"])
"""The parts of characters, by name."""
BADGES: Final = {theme: tuple(_parts(_DRAWINGS["badges"][theme]).values()) for theme in Theme}
"""The badges of the four members of a group, in the order of `bot.game.cards.SUITS`."""
JOKERS: Final = tuple(_parts(_DRAWINGS["jokers"]).values())
"""The badges of the great and the little joker."""


@dataclass(frozen=True, slots=True)
class Character:
    """A character. `parts` are names of `bot.art.cards.PARTS`, from back to front; `back` colours the card."""

    parts: str
    back: str
    skin: str = "#f6c9a0"
    hair: str = "#7a4a2b"
    cloth: str = "#3f6fb5"
    trim: str = "#ffffff"
    at: tuple[float, float] = (52.0, 58.0)
    scale: float = 1.0

    @property
    def palette(self) -> dict[str, str]:
        """The colours by name."""
        return {"skin": self.skin, "hair": self.hair, "cloth": self.cloth, "trim": self.trim}


def _character(drawing: Mapping[str, Any]) -> Character:
    at = {"at": tuple(drawing["at"])} if "at" in drawing else {}
    return Character(**{**drawing, **at})


CHARACTERS: Final = {
    theme: tuple(map(_character, _DRAWINGS["characters"][theme])) for theme in (Theme.RUGBY, Theme.FAMILY, Theme.YOKAI)
}
JOKER: Final = _character(_DRAWINGS["characters"]["joker"])


def draw_card(theme: Theme, card: Card, rank: str) -> Image.Image:
    """Return a card of a theme, `SIDE` pixels square with transparent corners.

    `rank` is what is written on a French card, such as `10` or `D`; characters carry no writing.
    """
    canvas = Canvas()
    if card.is_joker:
        _portrait(canvas, JOKER, JOKERS[card.member])
    elif theme is Theme.FRENCH:
        _suit_card(canvas, card, rank)
    else:
        _portrait(canvas, CHARACTERS[theme][card.group], BADGES[theme][card.face.member])
    return canvas.picture()


def card_file(theme: Theme, card: Card, rank: str) -> bytes:
    """Return a card of a theme as a PNG file."""
    return png(draw_card(theme, card, rank))


def _suit_card(canvas: Canvas, card: Card, rank: str) -> None:
    suit = BADGES[Theme.FRENCH][card.face.member]
    canvas.paint([Shape(_WHOLE, PAPER, line=0)], Placement(0, 0))
    box, placement = (_RANK_BOX, _SUIT_SPOT) if len(rank) == 1 else (_TEN_BOX, _TEN_SUIT_SPOT)
    canvas.text(rank, box, suit[0].paint, 3.5)
    canvas.halo(suit, placement, PAPER, _RIM)
    canvas.paint(suit, placement)
    canvas.frame(_MARGIN, _RADIUS, PAPER_EDGE, _EDGE)


def _portrait(canvas: Canvas, character: Character, badge: tuple[Shape, ...]) -> None:
    canvas.paint([Shape(_WHOLE, character.back, line=0)], Placement(0, 0))
    placement = Placement(*character.at, character.scale)
    for part in character.parts.split():
        canvas.paint(PARTS[part], placement, character.palette)
    canvas.halo(badge, _BADGE_SPOT, PAPER, _RIM)
    canvas.paint(badge, _BADGE_SPOT)
    canvas.frame(_MARGIN, _RADIUS, character.back + "-", _EDGE)
