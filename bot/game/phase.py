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
"""For what is asked several times a move: Python 3.11 looks up a member of an enum ten times as slowly as a global."""
