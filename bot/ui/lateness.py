"""How late a press reaches the bot, by Discord's clock. Ours may be wrong: then it is so for every press alike."""

from collections import deque
from collections.abc import Callable
from typing import Final

import discord

from bot.ui.answers import made_at

LATE_MS: Final = 3000
"""Discord takes no answer after that long: whoever pressed was told that it failed, and must not be surprised by it."""
_REMEMBERED: Final = 64


class Lateness:
    """Compares each press with the quickest of the latest ones, so that no clock has to be right."""

    def __init__(self, now: Callable[[], int]) -> None:
        """`now` gives milliseconds."""
        self._now = now
        self._lags: deque[int] = deque(maxlen=_REMEMBERED)

    def is_late(self, interaction: discord.Interaction) -> bool:
        """Whether an interaction came too late to be answered. Ask once for each."""
        lag = self._now() - made_at(interaction)
        self._lags.append(lag)
        return lag - min(self._lags) > LATE_MS
