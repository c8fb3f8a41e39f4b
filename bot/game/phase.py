"""The phases of a match."""

from enum import StrEnum


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
