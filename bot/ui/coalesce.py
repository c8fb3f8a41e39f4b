"""Latest-wins edits: however often a message is asked to be written, it is written at a pace Discord accepts.

It must not know what is written. A first request is carried out at once (the leading edge), further ones while a write
runs or rests are carried out together afterwards, so the last state always arrives. Nothing here waits when idle.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

import structlog

MOST_RETRIES: Final = 3
"""After so many failures in a row a message waits for the next request."""

_log = structlog.get_logger(__name__)


class Budget:
    """A bucket of tokens, refilled at `rate` a second, that all writers of a process share."""

    def __init__(self, rate: float, now: Callable[[], int]) -> None:
        """`now` gives milliseconds."""
        self._rate = rate
        self._now = now
        self._tokens = rate
        self._filled_at = now()

    def wait(self) -> float:
        """Take a token; the seconds to wait before it may be spent (0 when the bucket holds one)."""
        now = self._now()
        self._tokens = min(self._rate, self._tokens + max(0, now - self._filled_at) / 1000 * self._rate)
        self._filled_at = now
        self._tokens -= 1
        return max(0.0, -self._tokens / self._rate)


class Coalescer:
    """One writer of one message. `write` brings the message up to date and says whether it had to ask Discord at all.

    What `write` raises is logged and tried again, later each time; at last only a new request does.
    """

    def __init__(self, write: Callable[[], Awaitable[bool]], *, interval: float, budget: Budget | None = None) -> None:
        """`interval` in seconds, from the end of one write to the start of the next."""
        self._write = write
        self._interval = interval
        self._budget = budget
        self._wanted = False
        self._busy = False
        self._holds = 0
        self._failures = 0
        self._task: asyncio.Task[None] | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._closed = False

    def ask(self) -> None:
        """The message is out of date."""
        self._wanted = True
        self._go()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Write nothing meanwhile: the answer to a press is about to show the change by itself, for free."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self._go()

    def close(self) -> None:
        """Write nothing any more."""
        self._closed = True
        if self._rest is not None:
            self._rest.cancel()
        if self._task is not None:
            self._task.cancel()

    def _go(self) -> None:
        if self._wanted and not (self._busy or self._holds or self._closed):
            self._wanted = False
            self._busy = True
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        pause = self._interval
        try:
            if self._budget is not None and (wait := self._budget.wait()):
                await asyncio.sleep(wait)
            has_written = await self._write()
            self._failures = 0
            pause = self._interval if has_written else 0
        except Exception:  # noqa: BLE001 - nobody awaits this task: the log is where it shows
            _log.exception("message.not_written")
            self._failures += 1
            self._wanted = self._wanted or self._failures <= MOST_RETRIES
            pause = self._interval * 4 ** min(self._failures, MOST_RETRIES)
        finally:
            if not self._closed:
                self._rest = asyncio.get_running_loop().call_later(pause, self._rested)

    def _rested(self) -> None:
        self._busy = False
        self._go()
