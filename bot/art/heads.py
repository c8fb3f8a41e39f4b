"""The parts that people are made of: heads, hair, faces, headgear, clothes.

The face lies round the origin, some 30 units wide to each side; colours are those of a character's palette (`skin`,
`hair`, `cloth`, `trim`). A part that goes behind the face has "back" in its name.
"""

from typing import Final

from bot.art.canvas import Shape
from bot.art.colours import INK

Part = tuple[Shape, ...]

_WHITE: Final = "#ffffff"
_PINK: Final = "#f08a83"

PEOPLE: Final[dict[str, Part]] = {
    # Clothes
    "jersey": (
        Shape("M -52 80 C -50 50 -30 42 0 40 C 30 42 50 50 52 80 L -52 80", "cloth"),
        Shape("M -13 38 L 0 50 L 13 38", "trim", line=6, is_line=True),
        Shape("M -40 52 L -30 80 M 40 52 L 30 80", "trim", line=6, is_line=True),
    ),
    "shirt": (
        Shape("M -52 80 C -50 50 -30 42 0 40 C 30 42 50 50 52 80 L -52 80", "cloth"),
        Shape("M -15 38 L 0 54 L 15 38 L 22 48 L 4 66 L 0 60 L -4 66 L -22 48 L -15 38", "trim"),
    ),
    "dress": (
        Shape("M -52 80 C -50 50 -30 44 -16 42 L 0 56 L 16 42 C 30 44 50 50 52 80 L -52 80", "cloth"),
        Shape("E -30 62 4 4 E -8 68 4 4 E 20 60 4 4 E 36 72 4 4", "trim", line=0),
    ),
    "bib": (
        Shape("M -46 80 C -46 52 -26 42 0 40 C 26 42 46 52 46 80 L -46 80", "cloth"),
        Shape("M -22 36 C -24 62 24 62 22 36 C 10 44 -10 44 -22 36", "trim"),
    ),
    "shawl": (
        Shape("M -54 80 C -54 46 -26 38 0 44 C 26 38 54 46 54 80 L -54 80", "cloth"),
        Shape("M -44 58 L 0 76 L 44 58 M -30 48 L 0 60 L 30 48", "trim", line=4, is_line=True),
    ),
    # Heads
    "face": (Shape("E 31 7 7 9", "skin", is_mirrored=True), Shape("E 0 4 30 34", "skin")),
    "broad": (
        Shape("E 34 7 7 9", "skin", is_mirrored=True),
        Shape("M -33 0 C -34 -40 34 -40 33 0 C 36 28 22 40 0 40 C -22 40 -36 28 -33 0", "skin"),
    ),
    "baby": (
        Shape("E 36 9 7 8", "skin", is_mirrored=True),
        Shape("M -36 8 C -38 -40 38 -40 36 8 C 36 30 18 38 0 38 C -18 38 -36 30 -36 8", "skin"),
    ),
    # Eyes
    "dots": (Shape("E 12 4 4.4 5.4", INK, line=0, is_mirrored=True),),
    "wide": (
        Shape("E 12 3 8 9", _WHITE, line=2.6, is_mirrored=True),
        Shape("E 12 4 4 5", INK, line=0, is_mirrored=True),
    ),
    "happy": (Shape("M 6 6 Q 12 -3 18 6", "", line=4.4, is_mirrored=True, is_line=True),),
    "lashes": (
        Shape("E 12 4 4.6 5.6", INK, line=0, is_mirrored=True),
        Shape("M 8 -2 Q 14 -6 20 0 L 22 -3", "", line=3, is_mirrored=True, is_line=True),
    ),
    "stern": (
        Shape("E 12 5 4.4 5", INK, line=0, is_mirrored=True),
        Shape("M 5 -3 L 20 -8", "", line=5, is_mirrored=True, is_line=True),
    ),
    "wink": (Shape("E -12 4 4.6 5.6", INK, line=0), Shape("M 6 6 Q 12 0 18 6", "", line=4.4, is_line=True)),
    "glasses": (
        Shape("E 13 4 11 11", "#eaf6ff", line=4, is_mirrored=True),
        Shape("M -3 2 Q 0 -1 3 2", "", line=3.4, is_line=True),
        Shape("E 13 5 4 5", INK, line=0, is_mirrored=True),
    ),
    "shades": (
        Shape("M 2 -4 L 27 -6 C 28 8 22 13 14 13 C 6 13 2 8 2 -4", "#2b2f3d", is_mirrored=True),
        Shape("M 7 0 L 12 -1", "#8ea4c4", line=3, is_mirrored=True, is_line=True),
    ),
    # Noses, cheeks, mouths
    "nose": (Shape("M 1 8 Q 6 14 -1 15", "", line=3, is_line=True),),
    "bignose": (Shape("E 0 13 7 8", "skin-", line=2.6),),
    "cheeks": (Shape("E 20 16 6 4.4", _PINK, line=0, is_mirrored=True),),
    "freckles": (Shape("E 17 14 2 2 E 23 12 2 2 E 20 19 2 2", "skin-", line=0, is_mirrored=True),),
    "smile": (Shape("M -10 20 Q 0 31 10 20", "", line=4, is_line=True),),
    "smirk": (Shape("M -8 24 Q 4 28 12 19", "", line=4, is_line=True),),
    "grin": (Shape("M -15 18 Q 0 22 15 18 Q 12 34 0 34 Q -12 34 -15 18", _WHITE, line=3),),
    "gap": (
        Shape("M -15 18 Q 0 22 15 18 Q 12 34 0 34 Q -12 34 -15 18", _WHITE, line=3),
        Shape("M -3 20 L 4 20 L 4 27 L -3 27 L -3 20", INK, line=0),
    ),
    "laugh": (
        Shape("M -14 16 L 14 16 C 14 36 -14 36 -14 16", "#8c2335", line=3),
        Shape("M -7 28 Q 0 22 7 28 Q 0 34 -7 28", _PINK, line=0),
    ),
    "lips": (Shape("M -10 22 Q -5 17 0 20 Q 5 17 10 22 Q 0 32 -10 22", "#d8324a", line=2.4),),
    "dummy": (Shape("E 0 24 13 9", "#4fb3e8"), Shape("E 0 24 6 6", "#ffe066", line=2.6)),
    # Hair on the face
    "beard": (
        Shape("M -33 0 C -38 62 38 62 33 0 C 26 14 16 12 9 14 L -9 14 C -16 12 -26 14 -33 0", "hair"),
        Shape("M -9 23 Q 0 30 9 23", _WHITE, line=4, is_line=True),
    ),
    "goatee": (Shape("M -9 31 C -8 52 8 52 9 31 Q 0 35 -9 31", "hair"),),
    "moustache": (
        Shape("M 0 14 C -8 9 -22 10 -28 22 C -20 27 -6 27 0 20 C 6 27 20 27 28 22 C 22 10 8 9 0 14", "hair"),
    ),
    "handlebar": (
        Shape(
            "M 0 15 C -8 10 -18 14 -24 20 C -30 23 -35 18 -34 12 C -42 20 -36 32 -24 30 C -12 29 -4 26 0"
            " 22 C 4 26 12 29 24 30 C 36 32 42 20 34 12 C 35 18 30 23 24 20 C 18 14 8 10 0 15",
            "hair",
            line=2.6,
        ),
    ),
    # Hair
    "fringe": (Shape("M -31 4 C -36 -40 36 -40 31 4 C 20 -10 4 -8 -8 -14 C -14 -8 -24 -6 -31 4", "hair"),),
    "parted": (Shape("M -31 8 C -38 -40 38 -40 31 8 C 28 -8 14 -14 0 -26 C -14 -14 -28 -8 -31 8", "hair"),),
    "quiff": (
        Shape(
            "M -32 6 C -38 -26 -24 -38 -10 -36 C 4 -56 42 -48 34 -24 C 38 -14 34 0 32 6 C 28 -8 22 -13 2"
            " -13 C -16 -12 -26 -12 -32 6",
            "hair",
        ),
    ),
    "mohawk": (
        Shape(
            "M -10 -22 L -16 -40 L -6 -38 L -7 -54 L 1 -44 L 8 -55 L 9 -39 L 18 -42 L 11 -22 Q 0 -28 -10 -22", "hair"
        ),
    ),
    "spikes": (
        Shape(
            "M -32 4 L -40 -18 L -29 -18 L -30 -36 L -17 -31 L -10 -46 L 0 -34 L 12 -47 L 17 -31 L 31 -36"
            " L 29 -18 L 40 -17 L 32 4 C 26 -10 14 -14 0 -14 C -14 -14 -26 -10 -32 4",
            "hair",
        ),
    ),
    "afro-back": (Shape("E 0 -8 48 42", "hair"),),
    "curly-back": (
        Shape(
            "E -38 -14 14 14 E 38 -14 14 14 E -42 8 14 14 E 42 8 14 14 "
            "E -40 30 13 13 E 40 30 13 13 E -26 -32 14 14 E 26 -32 14 14 E 0 -38 16 14",
            "hair",
        ),
    ),
    "bob-back": (Shape("M -36 34 C -52 -52 52 -52 36 34 C 22 40 -22 40 -36 34", "hair"),),
    "long-back": (Shape("M -44 66 C -50 -58 50 -58 44 66 C 30 72 -30 72 -44 66", "hair"),),
    "bun-back": (Shape("E 0 -41 16 14", "hair"),),
    "buns-back": (Shape("E 27 -32 15 15", "hair", is_mirrored=True),),
    "tails-back": (
        Shape("M 28 -14 C 56 -22 58 22 46 34 C 38 26 34 8 28 -14", "hair", is_mirrored=True),
        Shape("E 31 -14 6 6", "trim", line=2.6, is_mirrored=True),
    ),
    "plait-back": (Shape("E 36 8 11 12 E 40 27 10 11 E 42 45 9 10", "hair"), Shape("E 43 57 6 6", "trim", line=2.6)),
    "sides-back": (Shape("E 33 0 11 16", "hair", is_mirrored=True),),
    "tuft": (Shape("M -2 -30 C -14 -46 10 -52 9 -40 C 9 -35 3 -35 3 -39", "hair", line=5, is_line=True),),
    # On the head
    "headband": (Shape("M -32 -8 C -16 -22 16 -22 32 -8 L 32 3 C 16 -11 -16 -11 -32 3 L -32 -8", "trim"),),
    "bandage": (
        Shape("M -33 -12 C -16 -30 16 -30 33 -12 L 32 2 C 16 -13 -16 -13 -32 2 L -33 -12", _WHITE),
        Shape("M 10 -20 L 22 -12 M 21 -21 L 13 -10", "#d8324a", line=4, is_line=True),
    ),
    "scrumcap": (
        Shape(
            "M -37 18 C -46 -50 46 -50 37 18 C 33 26 26 24 25 14 C 27 -4 20 -13 0 -13 C -20 -13 -27 -4"
            " -25 14 C -26 24 -33 26 -37 18",
            "trim",
        ),
        Shape("M -13 -14 L -17 -34 M 13 -14 L 17 -34 M -28 -6 L -38 -12 M 28 -6 L 38 -12", "", line=3, is_line=True),
        Shape("E 33 6 5 6", INK, line=0, is_mirrored=True),
    ),
    "cap": (
        Shape("M -33 -8 C -38 -50 38 -50 33 -8 L -33 -8", "trim"),
        Shape("M -34 -13 C -6 -20 20 -19 36 -14 C 54 -10 56 -2 44 -2 C 26 -8 0 -8 -34 -5 L -34 -13", "trim-"),
        Shape("E 0 -40 4 3", "trim-", line=2.6),
    ),
    "backcap": (
        Shape("M -34 -4 C -38 -50 38 -50 34 -4 C 20 -14 -20 -14 -34 -4", "trim"),
        Shape("M -13 -16 C -10 -30 10 -30 13 -16 C 6 -18 -6 -18 -13 -16", "hair", line=2.6),
    ),
    "coppola": (
        Shape("M -40 -8 C -48 -38 8 -52 34 -32 C 42 -26 44 -18 42 -10 L -40 -8", "trim"),
        Shape("M -36 -13 C -10 -22 24 -21 48 -8 C 44 0 -28 -2 -36 -4 L -36 -13", "trim-"),
    ),
    "toque": (
        Shape(
            "M -29 -12 L -31 -27 C -52 -32 -40 -56 -22 -48 C -14 -62 14 -62 22 -48 C 40 -56 52 -32 31 -27"
            " L 29 -12 C 12 -18 -12 -18 -29 -12",
            _WHITE,
        ),
        Shape("M -12 -21 L -13 -33 M 12 -21 L 13 -33", "#b9c2cc", line=3, is_line=True),
    ),
    "sunhat": (
        Shape("M -27 -14 C -26 -48 26 -48 27 -14 L -27 -14", "trim"),
        Shape("M -26 -22 L 26 -22 L 27 -13 L -27 -13 L -26 -22", "cloth"),
        Shape("M -52 -8 C -34 -20 34 -20 52 -8 C 34 -3 -34 -3 -52 -8", "trim"),
    ),
    "headphones": (
        Shape("M -35 2 C -40 -46 40 -46 35 2", INK, line=9, is_line=True),
        Shape("M -35 2 C -40 -46 40 -46 35 2", "trim", line=4.4, is_line=True),
        Shape("E 36 8 9 14", "trim", is_mirrored=True),
    ),
    "bow": (
        Shape("M 16 -32 L 0 -46 L 0 -22 L 16 -32 L 33 -44 L 33 -20 L 16 -32", "trim"),
        Shape("E 16 -32 5 5", "trim-", line=2.6),
    ),
    "earrings": (Shape("E 35 22 5 6", "#f2b632", line=2.6, is_mirrored=True),),
    "blackeye": (Shape("E 12 4 11 11", "#7b5a8c", line=0), Shape("E 12 4 4.4 5.4", INK, line=0, is_mirrored=True)),
    "paint": (Shape("M 12 15 L 26 12 M 12 21 L 25 19", "trim", line=4, is_mirrored=True, is_line=True),),
}
