"""How fast playouts are: random legal play on bit masks, as in `tests.bench.core` on the core."""

from collections.abc import Iterator

from bot.game.presets import PRESETS
from bot.robots.playouts import Dice, new_match, play_match

# Random play may sink below the target for ever: a match goes on for so many rounds.
DEALS = 100


def playout_moves(preset: str, seed: int) -> Iterator[int]:
    """Play random matches for ever; yields the number of moves made in each. Gestures are not among them."""
    dice = Dice(seed)
    while True:
        yield play_match(new_match(PRESETS[preset], 4, dice), deals=DEALS).moves
