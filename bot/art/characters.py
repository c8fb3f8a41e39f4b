"""The thirteen characters of each deck, and the joker: the parts that they are drawn from. Their names are elsewhere.

One entry each, in the order of `bot.game.cards.RANKS`; a deck of 32 has the last eight.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.art.canvas import Shape
from bot.records.card_theme import Theme

Part = tuple[Shape, ...]

_FILE: Final = Path(__file__).parent / "assets" / "drawings.toml"
_DRAWINGS: Final = tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _parts(table: Mapping[str, list[dict[str, Any]]]) -> dict[str, Part]:
    return {name: tuple(Shape(**shape) for shape in shapes) for name, shapes in table.items()}


PARTS: Final = _parts(_DRAWINGS["people"]) | _parts(_DRAWINGS["beings"])
"""The parts of characters, by name."""
BADGES: Final = {theme: tuple(_parts(_DRAWINGS["badges"][theme]).values()) for theme in Theme}
"""What tells the four members of a group apart, in the order of `bot.game.cards.SUITS`."""
JOKERS: Final = tuple(_parts(_DRAWINGS["jokers"]).values())
"""The badges of the great and the little joker."""


@dataclass(frozen=True, slots=True)
class Character:
    """`parts` are names of `bot.art.characters.PARTS`, from back to front; `back` colours the card."""

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
        return {"skin": self.skin, "hair": self.hair, "cloth": self.cloth, "trim": self.trim}


def _character(drawing: Mapping[str, Any]) -> Character:
    at = {"at": tuple(drawing["at"])} if "at" in drawing else {}
    return Character(**{**drawing, **at})


CHARACTERS: Final = {
    theme: tuple(map(_character, _DRAWINGS["characters"][theme])) for theme in (Theme.RUGBY, Theme.FAMILY, Theme.YOKAI)
}
JOKER: Final = _character(_DRAWINGS["characters"]["joker"])
