"""The rules of Kem's as pure functions of state, action and time, and `Match` to play with them (docs/engine.md).

The package uses no clock, network, database or global randomness.
"""

from bot.game.match import Match

__all__ = ["Match"]
