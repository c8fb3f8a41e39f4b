"""Measures how much of its core this process uses. On a full core panels rest longer, so that answers stay quick."""

import time
from collections.abc import Callable
from typing import Final

BUSY: Final = 0.85
"""The share of a core above which panels rest longer."""
CALM: Final = 0.7
"""The share below which they come back to their usual rest."""
STEP: Final = 1.25
"""By how much the rest changes each second."""
MOST: Final = 1.6
"""So a panel still shows a partner's gesture within a second."""
_SECOND: Final = 1.0
_RECOVERS_S: Final = 10.0
"""After so long a calm the rest is as usual, however long the calm lasts."""


class OwnLoad:
    """Measured while panels are drawn; nothing runs in between."""

    def __init__(
        self, used: Callable[[], float] = time.process_time, passed: Callable[[], float] = time.perf_counter
    ) -> None:
        """`used` returns the seconds of processor time of this process, `passed` those of the clock."""
        self._used, self._passed = used, passed
        self._stretch = 1.0
        self._before = used(), passed()

    def stretch(self) -> float:
        """How many times as long as usual a panel rests: 1 to `MOST`."""
        used_before, passed_before = self._before
        seconds = (now := self._passed()) - passed_before
        if seconds >= _SECOND:
            used = self._used()
            share = (used - used_before) / seconds
            if share > BUSY:
                self._stretch = min(self._stretch * STEP, MOST)
            elif share < CALM:
                self._stretch = max(self._stretch / STEP ** min(seconds, _RECOVERS_S), 1.0)
            self._before = used, now
        return self._stretch
