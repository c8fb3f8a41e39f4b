"""The next round of any format."""

from random import Random

from bot.nights.night import Night
from bot.nights.rounds import Pairing


def pair(night: Night, rng: Random) -> Pairing:
    """Returns the next round of a night; equal seeds of `rng` give equal rounds."""
    raise NotImplementedError
