"""Which faces a table's cards have. It changes nothing in a game: the core knows codes alone."""

from enum import StrEnum


class Theme(StrEnum):
    """French cards, or one of the decks of thirteen characters with four cards each."""

    FRENCH = "french"
    RUGBY = "rugby"
    FAMILY = "family"
    YOKAI = "yokai"
