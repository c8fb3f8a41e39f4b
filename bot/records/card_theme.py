"""Which faces a table's cards have. The game core knows codes only, so no rule depends on it."""

from enum import StrEnum


class Theme(StrEnum):
    """French cards, or one of the decks of thirteen characters with four cards each."""

    FRENCH = "french"
    RUGBY = "rugby"
    FAMILY = "family"
    YOKAI = "yokai"
