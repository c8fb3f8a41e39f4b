"""Tries again, each time after twice as long."""

import asyncio
from collections.abc import Callable
from typing import Final

RETRY_S: Final = 20.0
LONGEST_S: Final = 600.0


class Retries:
    """`_retry` is called after `RETRY_S`, then after twice as long, up to `LONGEST_S`."""

    def __init__(self, retry: Callable[[], None]) -> None:
        self._retry = retry
        self._wait_s = RETRY_S
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Wait for the next one."""
        self.stop()
        self._timer = asyncio.get_running_loop().call_later(self._wait_s, self._retry)
        self._wait_s = min(2 * self._wait_s, LONGEST_S)

    def succeeded(self) -> None:
        """The next one comes soon again."""
        self._wait_s = RETRY_S

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
