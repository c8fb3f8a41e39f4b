"""Latest-wins edits: however often a message is asked to be written, it is written at a pace Discord accepts.

It must not know what is written. A first request is carried out at once (the leading edge), further ones while a write
runs or rests are carried out together afterwards, so the last state always arrives. Nothing here waits when idle.
"""

import asyncio
import heapq
import itertools
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

import structlog

MOST_RETRIES: Final = 3
"""After so many failures in a row a message waits for the next request."""

_log = structlog.get_logger(__name__)


class Budget:
    """The requests that all writers of a process share: `rate` a second, and `burst` more after a rest.

    So no second sees more than `rate + burst`. Where they do not suffice, the urgent go first, the others in turn.
    """

    def __init__(self, rate: float, burst: int, now: Callable[[], int]) -> None:
        """`now` gives milliseconds."""
        self._rate = rate
        self._burst = burst
        self._now = now
        self._tokens = float(burst)
        self._filled_at = now()
        self._queue: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._timer: asyncio.TimerHandle | None = None

    async def spend(self, *, is_urgent: bool = False) -> None:
        """Wait until one request may be made."""
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (not is_urgent, next(self._numbers), turn))
        self._serve()
        await turn

    def settle(self, spared: int) -> None:
        """So many of the requests that were waited for were not needed after all; negative: so many more were."""
        self._fill()
        self._tokens += spared
        self._serve()

    def _serve(self) -> None:
        self._fill()
        while self._queue and self._tokens >= 1:
            *_, turn = heapq.heappop(self._queue)
            if not turn.cancelled():
                self._tokens -= 1
                turn.set_result(None)
        if self._queue and self._timer is None:
            wait = (1 - self._tokens) / self._rate
            self._timer = asyncio.get_running_loop().call_later(wait, self._refilled)

    def _refilled(self) -> None:
        self._timer = None
        self._fill()
        self._tokens = max(self._tokens, 1.0)  # it is time, whatever the clock has rounded
        self._serve()

    def _fill(self) -> None:
        now = self._now()
        self._tokens = min(self._burst, self._tokens + max(0, now - self._filled_at) / 1000 * self._rate)
        self._filled_at = now


class Coalescer:
    """One writer of one message. `write` brings the message up to date and says how many requests that took.

    What `write` raises is logged and tried again, later each time; at last only a new request does.
    """

    def __init__(
        self,
        write: Callable[[], Awaitable[int]],
        *,
        interval: float,
        budget: Budget | None = None,
        is_urgent: bool = False,
    ) -> None:
        """`interval` in seconds: so much time each request has, from the start of its write to that of the next."""
        self._write = write
        self._interval = interval
        self._budget = budget
        self._is_urgent = is_urgent
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
            self._busy = True
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        pause = self._interval
        try:
            if self._budget is not None:
                await self._budget.spend(is_urgent=self._is_urgent)
            requests, began = 0, loop.time()
            if not self._holds:  # a press may have come while the budget was waited for: its answer goes first
                self._wanted = False
                requests = await self._write()
            if self._budget is not None:
                self._budget.settle(1 - requests)
            self._failures = 0
            pause = max(0.0, self._interval * requests - (loop.time() - began))
        except Exception:  # noqa: BLE001 - nobody awaits this task: the log is where it shows
            _log.exception("message.not_written")
            self._failures += 1
            self._wanted = self._wanted or self._failures <= MOST_RETRIES
            pause = self._interval * 4 ** min(self._failures, MOST_RETRIES)
        finally:
            if not self._closed:
                self._rest = loop.call_later(pause, self._rested)

    def _rested(self) -> None:
        self._busy = False
        self._go()
