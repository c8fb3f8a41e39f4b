"""The outlines that cards are drawn from, read from `assets/drawings.toml`."""

import tomllib
from collections.abc import Mapping
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
