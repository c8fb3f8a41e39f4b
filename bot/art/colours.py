"""The colours that pictures share; a character's own stand with the character."""

from typing import Final

INK: Final = "#2a2233"
FELT: Final = "#17342b"
FELT_DARK: Final = "#0f241e"
FELT_LIGHT: Final = "#214a3d"
CREAM: Final = "#fdf6e3"
SAGE: Final = "#b7cdbf"
GOLD: Final = "#e8b84a"
WOOD: Final = "#7a5230"
EDGE: Final = "#8f9f8a"
PAPER: Final = "#fffdf7"
PAPER_EDGE: Final = "#a9a4b5"
TEAMS: Final = ("#6fb7ff", "#ff9d6f", "#c9a2ff", "#ffe066", "#7fe0b0", "#ff8fb8")
"""Colours of teams; a number always stands beside them."""
MEDALS: Final = {1: GOLD, 2: "#c9d1d9", 3: "#d08a4e"}
"""By place."""
MEDAL_INK: Final = "#241a05"
