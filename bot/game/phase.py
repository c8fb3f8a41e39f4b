"""Where a match stands."""

from enum import StrEnum


class Phase(StrEnum):
    """Where a match stands; the values are KGN's words."""

    SIGNS = "signs"
    DEAL = "deal"
    READY = "ready"
    HUNT = "hunt"
    SWEEP = "sweep"
    CHAIN = "chain"
    OVER = "over"
    MATCH_OVER = "match_over"
