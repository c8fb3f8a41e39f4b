"""How late a press reaches the bot, by Discord's clock. Ours may be wrong: then it is so for every press alike."""

from collections.abc import Callable
from typing import Final

import discord

from bot.ui.kit.interactions import made_at

LATE_MS: Final = 3000
"""Discord takes no answer after that long: it has told the presser that the press failed, so nothing may come of it."""


class Lateness:
    """Compares each press with the quickest so far, so that no clock has to be right.

    However many late presses come at once, they change nothing: only Discord itself can say that one was in time.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        """`now` gives milliseconds."""
        self._now = now
        self._quickest: int | None = None

    def lag(self, interaction: discord.Interaction) -> int:
        """Milliseconds since an interaction was made, by two clocks that may differ."""
        return self._now() - made_at(interaction)

    def is_late(self, lag: int) -> bool:
        """Whether an interaction came too late to be answered."""
        if self._quickest is None or lag < self._quickest:
            self._quickest = lag
        return lag - self._quickest > LATE_MS

    def was_in_time(self, lag: int) -> None:
        """Discord took the answer to an interaction that seemed late: a clock was put right, or runs too fast."""
        self._quickest = lag
