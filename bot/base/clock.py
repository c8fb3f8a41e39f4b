"""The clock that running tables are timed by."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time; tests replace it by a virtual one."""

    def now(self) -> int:
        """Return milliseconds since the Unix epoch."""


class WallClock(Clock):
    """The machine's time when the process started, plus the time elapsed since.

    It does not jump when the machine's clock is set, so no deadline moves and no press seems late.
    """

    def __init__(self) -> None:
        self._started_ns = time.time_ns() - _passed_ns()

    def now(self) -> int:
        """Return milliseconds since the Unix epoch."""
        return (self._started_ns + _passed_ns()) // 1_000_000


def _passed_ns() -> int:
    """Return nanoseconds since an arbitrary instant, including time asleep if the system can tell."""
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic_ns() if boot_time is None else time.clock_gettime_ns(boot_time)
