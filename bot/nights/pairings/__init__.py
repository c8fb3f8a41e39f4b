"""Who plays whom in the next round."""

from bot.nights.pairings.pair import pair

__all__ = ["pair"]
