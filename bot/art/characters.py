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


_PALE, _LIGHT, _TAN, _BROWN, _DARK = "#fbe3d0", "#f6c9a0", "#e0a470", "#a86b3f", "#6f4429"
_BLACK_HAIR, _CHESTNUT, _BLOND, _GINGER, _WHITE_HAIR = "#2d2733", "#7a4a2b", "#f2c14e", "#d9622b", "#eef0f2"


@dataclass(frozen=True, slots=True)
class Character:
    """`parts` are names of `bot.art.characters.PARTS`, from back to front; `back` colours the card."""

    parts: str
    back: str
    skin: str = _LIGHT
    hair: str = _CHESTNUT
    cloth: str = "#3f6fb5"
    trim: str = "#ffffff"
    at: tuple[float, float] = (52.0, 58.0)
    scale: float = 1.0

    @property
    def palette(self) -> dict[str, str]:
        return {"skin": self.skin, "hair": self.hair, "cloth": self.cloth, "trim": self.trim}


_C = Character
_RUGBY: Final = (
    _C("jersey face fringe dots nose freckles smile", "#a9dcb8", _PALE, _GINGER, "#2e7d4f", "#ffffff"),
    _C("bob-back jersey face fringe headband lashes nose lips", "#f6b9c6", _TAN, _BLACK_HAIR, "#2e7d4f", "#f2c14e"),
    _C("jersey broad stern bignose handlebar", "#d7d2c4", _LIGHT, _CHESTNUT, "#2e7d4f", "#ffffff"),
    _C("tails-back jersey face parted paint happy grin", "#c3b5f2", _LIGHT, _CHESTNUT, "#2e7d4f", "#e5402f"),
    _C("jersey face quiff wink nose smirk", "#9fd3f5", _LIGHT, _BLOND, "#2e7d4f", "#ffffff"),
    _C("jersey face scrumcap dots nose grin", "#ffe08a", _BROWN, _BLACK_HAIR, "#2e7d4f", "#2d7dd2"),
    _C("afro-back jersey face headband lashes nose grin", "#ffb37a", _DARK, _BLACK_HAIR, "#2e7d4f", "#f04e5e"),
    _C("jersey broad beard stern bignose", "#8fc7c0", _PALE, _GINGER, "#2e7d4f", "#ffffff"),
    _C("buns-back jersey face fringe happy cheeks laugh", "#f2a0d0", _TAN, _BLACK_HAIR, "#2e7d4f", "#ffffff"),
    _C("jersey face mohawk stern nose gap", "#5f6f86", _LIGHT, "#41c96b", "#2e7d4f", "#ffffff"),
    _C("jersey broad bandage blackeye nose smirk", "#c9a27e", _TAN, _BLACK_HAIR, "#2e7d4f", "#ffffff"),
    _C("plait-back jersey face parted wide nose smile", "#7fb2ff", _PALE, _BLOND, "#2e7d4f", "#e5402f"),
    _C("jersey broad cap dots moustache", "#e8736a", _BROWN, _WHITE_HAIR, "#2e7d4f", "#f4f1e8"),
)
_FAMILY: Final = (
    _C("shirt face backcap dots freckles smile", "#a8d8f0", _LIGHT, _CHESTNUT, "#e3a02c", "#d8453b"),
    _C("tails-back dress face fringe happy cheeks gap", "#f9c6d4", _LIGHT, _CHESTNUT, "#c6427a", "#ffffff"),
    _C("shirt face spikes headphones shades smirk", "#b9b6c9", _TAN, _BLACK_HAIR, "#3d4a6b", "#41c9a6"),
    _C("bob-back dress face fringe bow glasses nose smile", "#bfe3a8", _TAN, "#3a2a2a", "#2f8f5b", "#f04e5e"),
    _C("shirt face quiff shades goatee smirk", "#f0b27a", _TAN, _BLACK_HAIR, "#ffffff", "#3c3c4a"),
    _C("cat", "#f7d08a", "#f08b34", cloth="#ffffff", trim="#b9e86a", scale=1.06),
    _C("bib baby tuft wide cheeks dummy", "#bfe6ff", _PALE, _CHESTNUT, "#7fc4ee", "#ffffff"),
    _C("curly-back dress face sunhat lashes nose earrings lips", "#9be0cf", _LIGHT, _GINGER, "#7a3fa0", "#ffe9a8"),
    _C("shirt broad coppola stern bignose moustache", "#d3c3a3", _TAN, _BLACK_HAIR, "#5b6b4a", "#7d8a6a"),
    _C("shirt broad toque dots bignose handlebar", "#ff9d8a", _LIGHT, _BLACK_HAIR, "#ffffff", "#d8453b", (52.0, 64.0)),
    _C("long-back dress face parted lashes nose earrings lips", "#ffd76b", _TAN, _BLACK_HAIR, "#d8323f", "#ffffff"),
    _C("sides-back shirt broad glasses bignose moustache", "#8fb6d9", _LIGHT, _WHITE_HAIR, "#8a5a3c", "#f4e8d0"),
    _C("bun-back shawl face parted glasses nose cheeks smile", "#c9a6e0", _PALE, "#c9ccd4", "#5d4a8a", "#ffffff"),
)
_YOKAI: Final = (
    _C("stump", "#cfeaa8", "#a9764a", cloth="#e9c893", trim="#5fb356", at=(50.0, 64.0)),
    _C("baku wide", "#cdbdf5", "#7f8fb8", "#4a4f7a"),
    _C("dome wave", "#f0c27a", "#2f2b4a", trim="#3a8fd0", at=(53.0, 58.0), scale=1.06),
    _C("kimono cyclops tongue", "#a7e0ea", "#f3c9a2", cloth="#7a6bb0", trim="#2d7dd2"),
    _C("tails2-back cat", "#ff9fb0", "#37313f", cloth="#ffffff", trim="#ffe14d", scale=1.02),
    _C("tanuki leafhat", "#ffd98f", "#b07a45", "#4d3527", "#f3e3c3", "#5fb356", (52.0, 61.0)),
    _C("kasa", "#8fd0f5", "#8b3fa8", at=(53.0, 58.0), scale=1.06),
    _C("long-back kimono face parted snow sleepy lips", "#4f6fb8", "#f2f6ff", "#22243d", "#dff1ff", "#8fd8ff"),
    _C("skull", "#96708a", "#f4efe2", trim="#ff5a4d", at=(53.0, 58.0), scale=1.06),
    _C("fox", "#ffb04d", "#ffffff", cloth="#f7e6d8", trim="#e5402f", at=(52.0, 61.0)),
    _C("mane-back broad horns glare bignose fangs", "#bfe3f2", "#3f74d6", "#f2c14e", at=(52.0, 61.0)),
    _C("wings-back tengu dots tokin", "#f5e6b8", "#d8342c", "#ffffff", "#3a3547", "#2b2733", (50.0, 60.0)),
    _C("shell-back kappa wide", "#ffe98a", "#5fbf5a", "#2c3a2e", "#8a6a3a", "#9fe3ff", (52.0, 58.0)),
)

CHARACTERS: Final = {Theme.RUGBY: _RUGBY, Theme.FAMILY: _FAMILY, Theme.YOKAI: _YOKAI}
JOKER: Final = Character(
    "jester-back ruff face jester dots nose cheeks grin",
    "#fdf6e3",
    _PALE,
    cloth="#d8342c",
    trim="#3f6fb5",
    at=(54.0, 67.0),
)
