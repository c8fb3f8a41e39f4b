"""The clock of running tables."""

import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since the Unix epoch."""


class WallClock(Clock):
    """This machine's clock at the start of the process, and the time that has passed since.

    It makes no jump when the machine's clock is set: deadlines that are under way come when they were told to, and
    no press seems late.
    """

    def __init__(self) -> None:
        self._started_ns = time.time_ns() - _passed_ns()

    def now(self) -> int:
        return (self._started_ns + _passed_ns()) // 1_000_000


def _passed_ns() -> int:
    """Nanoseconds since some instant; where the system can tell, those that it slept through, too."""
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic_ns() if boot_time is None else time.clock_gettime_ns(boot_time)
