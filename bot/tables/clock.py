"""The clock of running tables."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since the Unix epoch."""


class WallClock(Clock):
    """This machine's clock."""

    def now(self) -> int:
        return time.time_ns() // 1_000_000
