"""The phases of a match."""

from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """The phases of a match; the values are KGN's words."""

    SIGNS = "signs"
    DEAL = "deal"
    READY = "ready"
    HUNT = "hunt"
    SWEEP = "sweep"
    CHAIN = "chain"
    OVER = "over"
    MATCH_OVER = "match_over"


HUNT: Final = Phase.HUNT
"""For what runs with each move: Python finds a name of a module ten times as fast as a member of an enum."""
