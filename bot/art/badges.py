"""The badges of the four members of a group: suits, and in the character decks a thing that the character holds.

Each has a silhouette of its own, so that they differ without their colours. All lie within 30 units round the
origin; the order is that of `bot.game.cards.SUITS`.
"""

from typing import Final

from bot.art.canvas import Shape
from bot.records.card_theme import Theme

Badge = tuple[Shape, ...]

_BLACK: Final = "#1d1a26"
_RED: Final = "#c8202f"

SUITS: Final[tuple[Badge, ...]] = (
    (
        Shape(
            "M 0 -31 C 5 -18 29 -7 29 9 C 29 23 11 25 4 13 L 4 15 C 5 22 8 26 13 29 "
            "L -13 29 C -8 26 -5 22 -4 15 L -4 13 C -11 25 -29 23 -29 9 C -29 -7 -5 -18 0 -31",
            _BLACK,
            line=0,
        ),
    ),
    (
        Shape(
            "M 0 28 C -10 14 -29 4 -29 -11 C -29 -28 -7 -31 0 -13 C 7 -31 29 -28 29 -11 C 29 4 10 14 0 28", _RED, line=0
        ),
    ),
    (Shape("M 0 -30 Q 9 -12 23 0 Q 9 12 0 30 Q -9 12 -23 0 Q -9 -12 0 -30", _RED, line=0),),
    (
        Shape("M 4 0 C 5 17 8 25 14 29 L -14 29 C -8 25 -5 17 -4 0", _BLACK, line=0),
        Shape("E 0 -18 12.5 12.5", _BLACK, line=0),
        Shape("E 17 5 12.5 12.5", _BLACK, line=0, is_mirrored=True),
        Shape("M -4 -8 L 4 -8 L 8 4 L -8 4", _BLACK, line=0),
    ),
)

# The oval ball, the boot, the cup, the corner flag
_RUGBY: Final[tuple[Badge, ...]] = (
    (
        Shape(
            "M -27 17 C -29 -10 -10 -29 17 -27 C 23 -26 26 -23 27 -17 C 29 10 10 29 -17 27 C -23 26 -26 23 -27 17",
            "#b5622f",
        ),
        Shape("M -13 13 L 13 -13", "#ffffff", line=4, is_line=True),
        Shape("M -4 -4 L 4 4 M 3 -11 L 11 -3 M -11 3 L -3 11", "#ffffff", line=3.4, is_line=True),
    ),
    (
        Shape("M -20 -27 L 3 -27 C 3 -10 8 -3 20 0 C 29 2 30 8 29 16 L -20 16 L -20 -27", "#2d7dd2"),
        Shape(
            "M -22 15 L 30 15 L 30 23 L 25 23 L 25 29 L 17 29 L 17 23 L -8 23 L -8 29 L -16 29 L -16 23 L"
            " -22 23 L -22 15",
            "#f4f1e8",
        ),
        Shape("M -1 -14 L 8 -16 M 2 -5 L 11 -8", "#ffffff", line=3.4, is_line=True),
    ),
    (
        Shape("M 15 -20 C 36 -22 32 6 11 7", "", line=5, is_mirrored=True, is_line=True),
        Shape("M -19 -27 L 19 -27 C 20 -4 14 9 0 9 C -14 9 -20 -4 -19 -27", "#f2b632"),
        Shape("M -5 8 L 5 8 L 6 19 L -6 19 L -5 8", "#f2b632"),
        Shape("M -17 19 L 17 19 L 17 29 L -17 29 L -17 19", "#c98a16"),
    ),
    (Shape("M -18 -30 L 31 -12 L -18 8 L -18 -30", "#e0393e"), Shape("M -21 -28 L -21 29", "", line=8, is_line=True)),
)

# The pizza slice, the tomato, the spoon, the pot
_FAMILY: Final[tuple[Badge, ...]] = (
    (
        Shape("M -27 -17 L 27 -17 L 0 30 L -27 -17", "#ffcf56"),
        Shape("M -30 -21 C -24 -32 24 -32 30 -21 C 28 -12 20 -14 0 -15 C -20 -14 -28 -12 -30 -21", "#c8803a"),
        Shape("E -8 -5 5.5 5.5 E 9 -3 5.5 5.5 E 0 11 5 5", "#d2342f", line=0),
    ),
    (
        Shape(
            "M 0 -13 C 12 -21 29 -12 29 4 C 29 20 16 29 0 29 C -16 29 -29 20 -29 4 C -29 -12 -12 -21 0 -13", "#e0322f"
        ),
        Shape(
            "M 0 -30 L 5 -20 L 19 -20 L 9 -12 L 11 -2 L 0 -9 L -11 -2 L -9 -12 L -19 -20 L -5 -20 L 0 -30", "#3d9a46"
        ),
    ),
    (
        Shape("M 2 10 L 10 2 L 31 23 C 33 30 29 33 23 31 L 2 10", "#c98b4b"),
        Shape("M -27 -27 C -18 -36 2 -26 9 -10 C 14 2 2 14 -10 9 C -26 2 -36 -18 -27 -27", "#e0a864"),
        Shape("M -20 -20 C -14 -25 -4 -16 -1 -9 C 0 -2 -2 0 -9 -1 C -16 -4 -25 -14 -20 -20", "#b5763a", line=0),
    ),
    (
        Shape("M -20 2 L -31 2 L -31 10 L -20 10 M 20 2 L 31 2 L 31 10 L 20 10", "#3a8fd0"),
        Shape("M -21 -2 L 21 -2 L 20 18 C 19 23 16 25 12 25 L -12 25 C -16 25 -19 23 -20 18 L -21 -2", "#8fd8f2"),
        Shape("M -24 -2 C -20 -15 20 -15 24 -2 L -24 -2", "#c9eefa"),
        Shape("E 0 -16 6 5", "#3a8fd0"),
    ),
)

# The lantern, the leaf, the flame, the moon
_YOKAI: Final[tuple[Badge, ...]] = (
    (
        Shape("M -20 -14 C -28 -6 -28 8 -20 17 L 20 17 C 28 8 28 -6 20 -14 L -20 -14", "#e5402f"),
        Shape("M -24 -5 L 24 -5 M -24 8 L 24 8", "#ffd9a0", line=3, is_line=True),
        Shape("M -13 -24 L 13 -24 L 13 -14 L -13 -14 L -13 -24 M -13 17 L 13 17 L 13 26 L -13 26 L -13 17", _BLACK),
        Shape("M 0 -24 L 0 -31", "", line=4, is_line=True),
    ),
    (
        Shape("M -28 28 C -28 -6 -6 -27 28 -28 C 29 4 10 30 -16 22 L -28 28", "#4fa84b"),
        Shape("M -25 26 L 14 -14", "#d9f2c4", line=3.6, is_line=True),
    ),
    (
        Shape(
            "M 2 -31 C 8 -16 26 -10 24 10 C 23 23 12 30 0 30 C -13 30 -24 22 -24 8 C -24 -2 -18 -8 -14"
            " -14 C -12 -8 -10 -6 -6 -4 C -8 -14 -6 -24 2 -31",
            "#f0642a",
        ),
        Shape("M 1 -4 C 4 4 13 7 12 16 C 11 23 6 26 0 26 C -7 26 -12 22 -12 15 C -12 7 -2 6 1 -4", "#ffd34d", line=0),
    ),
    (Shape("M 10 -29 C -14 -24 -20 18 22 18 C 10 34 -28 30 -28 -1 C -28 -22 -8 -33 10 -29", "#ffd94a"),),
)

_STAR: Final = "M 0 -30 L 8 -9 L 30 -8 L 13 6 L 19 28 L 0 15 L -19 28 L -13 6 L -30 -8 L -8 -9 L 0 -30"
# The full star and the ring of the great and the little joker
JOKERS: Final[tuple[Badge, ...]] = (
    (Shape(_STAR, "#f2b632"),),
    (Shape("E 0 0 26 26", "#7a5aa6"), Shape("E 0 0 12 12", "#ffffff")),
)

BADGES: Final = {Theme.FRENCH: SUITS, Theme.RUGBY: _RUGBY, Theme.FAMILY: _FAMILY, Theme.YOKAI: _YOKAI}
