"""The parts that yokai and other beings are made of, on the same grid as people (`bot.art.heads`)."""

from typing import Final

from bot.art.canvas import Shape
from bot.art.colours import INK
from bot.art.heads import Part

_WHITE: Final = "#ffffff"
_GOLD: Final = "#ffd34d"

BEINGS: Final[dict[str, Part]] = {
    # Kappa
    "shell-back": (
        Shape("E 0 52 52 34", "cloth"),
        Shape("M -26 30 L -18 50 L 18 50 L 26 30 M -18 50 L -26 80 M 18 50 L 26 80", "", line=3, is_line=True),
    ),
    "kappa": (
        Shape("M -36 0 C -36 -36 36 -36 36 0 C 38 26 24 38 0 38 C -24 38 -38 26 -36 0", "skin"),
        Shape(
            "M -40 -6 L -32 -20 L -38 -30 L -22 -31 L -16 -42 L -4 -35 L 8 -43 L 16 -33 L 30 -36 L 31 -22"
            " L 41 -16 L 36 -4 C 22 -16 -22 -16 -36 -4 L -40 -6",
            "hair",
        ),
        Shape("E 0 -29 21 8", "trim"),
        Shape("M -17 16 C -12 8 12 8 17 16 C 20 24 10 32 0 32 C -10 32 -20 24 -17 16", _GOLD),
        Shape("M -16 20 Q 0 25 16 20", "", line=3, is_line=True),
    ),
    # Tengu
    "tengu": (
        Shape("M -34 -4 C -36 -40 36 -40 34 -4 C 36 26 22 40 0 40 C -22 40 -36 26 -34 -4", "skin"),
        Shape("M -34 -10 L -26 -2 L -30 10 M 34 -10 L 26 -2 L 30 10", "skin-", line=3, is_line=True),
        Shape("M 4 -8 Q 14 -16 26 -10 L 27 -4 Q 15 -9 5 -2 L 4 -8", "hair", line=2, is_mirrored=True),
        Shape("M -7 8 C -8 -2 8 -2 8 4 L 34 20 C 44 28 36 38 26 31 L -4 20 C -10 17 -8 12 -7 8", "skin+"),
        Shape("M -22 29 Q -12 24 2 31", "", line=4, is_line=True),
    ),
    "tokin": (
        Shape("M -13 -30 L -9 -46 L 9 -46 L 13 -30 L 0 -26 L -13 -30", "trim"),
        Shape("M 0 -46 L 0 -27", "#5c5f70", line=3, is_line=True),
    ),
    "wings-back": (
        Shape(
            "M 26 50 C 40 6 58 0 64 4 C 60 12 62 16 60 22 C 58 26 60 32 56 38 C 56 46 52 60 40 70 L 26 50",
            "cloth",
            is_mirrored=True,
        ),
    ),
    # Oni
    "mane-back": (
        Shape(
            "M -32 34 L -46 30 L -40 16 L -52 6 L -42 -6 L -48 -22 L -34 -24 L -32 -40 L -16 -34 L 0 -44"
            " L 16 -34 L 32 -40 L 34 -24 L 48 -22 L 42 -6 L 52 6 L 40 16 L 46 30 L 32 34 L -32 34",
            "hair",
        ),
    ),
    "horns": (
        Shape("M 9 -27 C 12 -40 18 -48 27 -54 C 29 -42 28 -32 24 -22 L 9 -27", "#f7ecd0", is_mirrored=True),
        Shape("M 13 -36 L 26 -34", "#c8a15a", line=3, is_mirrored=True, is_line=True),
    ),
    "fangs": (
        Shape("M -18 20 Q 0 14 18 20 Q 16 34 0 34 Q -16 34 -18 20", "#8c2335", line=3),
        Shape("M -15 24 L -11 8 L -5 24 L -15 24 M 15 24 L 11 8 L 5 24 L 15 24", _WHITE, line=2.6),
    ),
    "glare": (
        Shape("E 13 0 8 8", _GOLD, line=2.6, is_mirrored=True),
        Shape("E 12 1 3.4 4.4", INK, line=0, is_mirrored=True),
        Shape("M 3 -6 L 24 -14", "", line=6, is_mirrored=True, is_line=True),
    ),
    # Fox, cat, tanuki
    "fox": (
        Shape("M 9 -24 C 14 -46 26 -56 34 -58 C 42 -40 40 -18 36 -4 L 9 -24", "skin", is_mirrored=True),
        Shape("M 18 -26 C 22 -40 27 -46 31 -47 C 34 -36 33 -24 31 -14 L 18 -26", "trim", line=0, is_mirrored=True),
        Shape(
            "M 0 -32 C 30 -32 46 -6 44 8 C 36 14 22 20 10 38 Q 0 46 -10 38 C -22 20 -36 14 -44 8 C -46 -6"
            " -30 -32 0 -32",
            "skin",
        ),
        Shape(
            "M 44 8 C 36 14 22 20 10 38 Q 0 46 -10 38 C -22 20 -36 14 -44 8 C -26 2 -10 8 0 22 C 10 8 26 2 44 8",
            "cloth",
            line=2.6,
        ),
        Shape("M 7 4 Q 16 -8 27 -6 Q 22 6 7 4", INK, line=0, is_mirrored=True),
        Shape("M -7 32 Q 0 27 7 32 Q 5 39 0 40 Q -5 39 -7 32", INK, line=0),
        Shape("E 0 -18 4 7", "trim", line=0),
    ),
    "cat": (
        Shape("M 8 -24 C 14 -40 24 -48 36 -50 C 40 -34 40 -18 36 -2 L 8 -24", "skin", is_mirrored=True),
        Shape("M 20 -26 C 24 -34 28 -38 32 -39 C 33 -30 33 -22 31 -14 L 20 -26", "#f08a83", line=0, is_mirrored=True),
        Shape("M 0 -28 C 32 -28 42 -6 40 12 C 36 32 18 38 0 38 C -18 38 -36 32 -40 12 C -42 -6 -32 -28 0 -28", "skin"),
        Shape("E 15 4 10 11", "trim", line=2.6, is_mirrored=True),
        Shape("E 15 4 3.4 9.4", INK, line=0, is_mirrored=True),
        Shape("M -5 17 L 5 17 L 0 23 L -5 17", "#f08a83", line=2),
        Shape("M -9 29 Q -4 31 0 24 Q 4 31 9 29", "cloth", line=3, is_line=True),
        Shape("M 22 22 L 46 16 M 22 26 L 46 28", "cloth", line=2.6, is_mirrored=True, is_line=True),
    ),
    "tanuki": (
        Shape("E 30 -26 13 13", "skin", is_mirrored=True),
        Shape("E 30 -25 6 6", "hair", line=0, is_mirrored=True),
        Shape("M 0 -32 C 32 -32 46 -4 44 12 C 40 32 20 40 0 40 C -20 40 -40 32 -44 12 C -46 -4 -32 -32 0 -32", "skin"),
        Shape("M 4 4 C 8 -12 28 -12 40 2 C 42 16 28 22 18 18 C 10 16 2 12 4 4", "hair", line=0, is_mirrored=True),
        Shape("E 16 4 8 8", _WHITE, line=0, is_mirrored=True),
        Shape("E 16 5 4.4 5", INK, line=0, is_mirrored=True),
        Shape("E 0 26 17 13", "cloth", line=2.6),
        Shape("E 0 19 7 5", INK, line=0),
        Shape("M -8 29 Q 0 36 8 29", "", line=3, is_line=True),
    ),
    "leafhat": (
        Shape("M -24 -32 C -18 -54 14 -58 28 -42 C 16 -30 -6 -24 -24 -32", "trim"),
        Shape("M -20 -33 Q 2 -38 20 -42", "", line=2.6, is_line=True),
    ),
    "tails2-back": (
        Shape(
            "M 26 64 C 58 56 42 30 58 22 C 70 40 66 76 34 80 L 26 64 M -26 64 C -58 56 -42 30 -58 22 C"
            " -70 40 -66 76 -34 80 L -26 64",
            "skin",
        ),
    ),
    # Umbrella
    "kasa": (
        Shape("M -9 34 L -9 66 L 9 66 L 9 34 L -9 34", "#c98b4b"),
        Shape("M -17 62 L 17 62 L 17 70 L -17 70 L -17 62", "#7a4a21"),
        Shape(
            "M 0 -52 C 10 -40 40 -8 46 30 Q 38 24 31 33 Q 23 25 16 35 Q 8 27 0 36 Q -8 27 -16 35 Q -23 25"
            " -31 33 Q -38 24 -46 30 C -40 -8 -10 -40 0 -52",
            "skin",
        ),
        Shape("M 0 -50 Q -20 -10 -24 26 M 0 -50 Q 20 -10 24 26", "skin-", line=3, is_line=True),
        Shape("E 0 -4 16 15", _WHITE),
        Shape("E 0 -2 7.4 8.4", INK, line=0),
        Shape("E 3 -6 2.4 2.4", _WHITE, line=0),
        Shape("M -16 16 Q 0 24 16 16", "", line=4, is_line=True),
        Shape("M -5 20 L 7 20 C 8 34 12 42 6 47 C -2 50 -8 36 -5 20", "#f0637a"),
    ),
    # Snow woman
    "kimono": (
        Shape("M -52 80 C -50 52 -30 42 0 40 C 30 42 50 52 52 80 L -52 80", "cloth"),
        Shape("M -15 38 L 6 66 M 15 38 L -12 80", "trim", line=6, is_line=True),
    ),
    "snow": (Shape("M 20 -34 L 20 -14 M 11 -29 L 29 -19 M 11 -19 L 29 -29", "trim", line=3.4, is_line=True),),
    "sleepy": (
        Shape("M 5 4 Q 12 10 20 3", "", line=4, is_mirrored=True, is_line=True),
        Shape("E 20 14 5 3.6", "#b7a4f0", line=0, is_mirrored=True),
    ),
    # Skeleton
    "skull": (
        Shape("M -18 26 L 18 26 L 16 44 L -16 44 L -18 26", "skin"),
        Shape(
            "M 0 -44 C 34 -44 46 -18 42 4 C 40 16 30 18 24 30 L -24 30 C -30 18 -40 16 -42 4 C -46 -18 -34 -44 0 -44",
            "skin",
        ),
        Shape("E 17 -2 11 12", INK, line=0, is_mirrored=True),
        Shape("E 17 0 4 4", "trim", line=0, is_mirrored=True),
        Shape("M 0 10 L 6 20 L -6 20 L 0 10", INK, line=0),
        Shape("M -9 29 L -9 43 M 0 29 L 0 44 M 9 29 L 9 43 M -20 29 L 20 29", "", line=3, is_line=True),
        Shape("M -16 -42 L -9 -30 L -17 -24", "", line=3, is_line=True),
    ),
    # Tree spirit
    "stump": (
        Shape("M 26 -36 L 40 -56 L 46 -52 L 38 -30 L 26 -36", "skin"),
        Shape("E 48 -52 10 8 E 38 -60 9 7", "trim", line=2.6),
        Shape(
            "M -34 -34 L 34 -34 C 30 -8 32 20 46 66 L 28 58 L 16 70 L 0 60 L -16 70 L -28 58 L -46 66 C"
            " -32 20 -30 -8 -34 -34",
            "skin",
        ),
        Shape("E 0 -34 34 12", "cloth"),
        Shape("E 0 -34 21 7 E 0 -34 8 2.6", "cloth", line=2.6),
        Shape("E 13 4 8 10", INK, line=0, is_mirrored=True),
        Shape("E 15 0 2.8 3", _WHITE, line=0, is_mirrored=True),
        Shape("E 0 26 6 8", INK, line=0),
    ),
    # Dream eater
    "baku": (
        Shape("M 24 -20 C 54 -34 60 14 36 22 L 24 -20", "skin", is_mirrored=True),
        Shape(
            "M 0 -34 C 28 -34 38 -10 34 8 C 30 22 16 24 12 30 C 14 42 22 44 28 40 C 34 38 38 46 32 51 C"
            " 16 62 -10 52 -12 28 C -18 22 -30 20 -34 8 C -38 -10 -28 -34 0 -34",
            "skin",
        ),
        Shape("M -10 28 Q -2 32 8 30 M -8 38 Q 0 41 8 38", "skin-", line=3, is_line=True),
        Shape("M 14 20 C 20 30 30 30 34 24 Q 28 18 22 18 L 14 20", _WHITE, line=2.6),
        Shape("M -14 20 C -20 30 -30 30 -34 24 Q -28 18 -22 18 L -14 20", _WHITE, line=2.6),
        Shape("M -12 -34 Q -18 -46 -8 -50 Q -4 -40 0 -44 Q 4 -54 12 -48 Q 16 -42 10 -34 L -12 -34", "hair"),
    ),
    # Sea monk
    "wave": (
        Shape(
            "M -80 80 L -80 40 Q -68 26 -54 38 Q -44 50 -30 38 Q -18 26 -4 38 Q 8 50 22 38 Q 34 26 48 38"
            " Q 60 48 80 36 L 80 80 L -80 80",
            "trim",
        ),
        Shape("M -60 56 Q -48 48 -36 56 M -14 54 Q -2 46 10 54", _WHITE, line=4, is_line=True),
    ),
    "dome": (
        Shape("M -38 60 C -46 -62 46 -62 38 60 L -38 60", "skin"),
        Shape("E 15 -6 12 14", _WHITE, line=0, is_mirrored=True),
        Shape("E 13 -3 5 7", INK, line=0, is_mirrored=True),
    ),
    # One-eyed monk
    "cyclops": (
        Shape("E 33 9 8 10", "skin", is_mirrored=True),
        Shape("M -33 4 C -38 -48 38 -48 33 4 C 34 28 20 40 0 40 C -20 40 -34 28 -33 4", "skin"),
        Shape("E 0 -4 20 18", _WHITE),
        Shape("E 0 -2 9 10", "trim", line=0),
        Shape("E 0 -2 4.4 5.4", INK, line=0),
        Shape("M -20 -27 Q 0 -36 20 -27", "", line=4, is_line=True),
    ),
    "tongue": (
        Shape("M -14 22 Q 0 30 14 22", "", line=4, is_line=True),
        Shape("M -6 26 L 7 26 C 9 40 7 46 0 46 C -6 46 -8 40 -6 26", "#f0637a"),
    ),
    # The jester of the jokers
    "jester-back": (
        Shape("M -30 -6 C -58 -50 -66 -6 -52 12 L -30 10 L -30 -6", "cloth"),
        Shape("M 30 -6 C 58 -50 66 -6 52 12 L 30 10 L 30 -6", "trim"),
        Shape("E 53 16 7 7", _GOLD, is_mirrored=True),
    ),
    "jester": (
        Shape("M -31 -2 C -30 -26 -20 -34 0 -58 L 0 -14 C -12 -14 -24 -10 -31 -2", "cloth"),
        Shape("M 31 -2 C 30 -26 20 -34 0 -58 L 0 -14 C 12 -14 24 -10 31 -2", "trim"),
        Shape("E 0 -56 7 7", _GOLD),
        Shape("M 12 -2 L 16 4 L 12 10 L 8 4 L 12 -2", "trim", line=0, is_mirrored=True),
    ),
    "ruff": (
        Shape(
            "M -46 44 L -30 34 L -18 44 L -6 36 L 6 36 L 18 44 L 30 34 L 46 44 L 40 60 L 26 54 L 14 64 L"
            " 0 56 L -14 64 L -26 54 L -40 60 L -46 44",
            _WHITE,
        ),
    ),
}
