"""Which faces a table's cards have. The game core knows codes only, so no rule depends on it."""

from bot.game.value import Worded


class Theme(Worded):
    """French cards, or one of the decks of thirteen characters with four cards each."""

    FRENCH = "french", "French cards"
    RUGBY = "rugby", "Rugby team"
    FAMILY = "family", "Italian family"
    YOKAI = "yokai", "Yokai"
