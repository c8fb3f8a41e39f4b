"""Writes a message at a pace that Discord accepts, however often it is asked to.

A first request is carried out at once; all requests during a write and the rest after it are carried out together
afterwards, so the last state always arrives. No task waits when idle. `LastSent` knows what Discord shows already.
"""

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final

import structlog

from bot.errors import StoreError
from bot.ui.kit.components import Layout
from bot.ui.kit.failures import FAILED, facts

MOST_RETRIES: Final = 3
"""After so many failures in a row a message waits for the next request."""

_COUNTED_S: Final = 1.0

_log = structlog.get_logger(__name__)


class Budget:
    """The requests that all writers of a process share: at most `slots` in any second.

    A request holds its slot until a second after its answer: Discord counts it somewhere in between. Urgent requests
    get free slots first, others in turn.
    """

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._queue: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    @asynccontextmanager
    async def slot(self, *, is_urgent: bool = False) -> AsyncIterator["Slot"]:
        """Enclose a request; it waits for its slot."""
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (not is_urgent, next(self._numbers), turn))
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._return(1)
            raise
        slot = Slot()
        try:
            yield slot
        finally:
            if slot.requests:
                self._free -= slot.requests - 1
                asyncio.get_running_loop().call_later(_COUNTED_S, self._return, slot.requests)
            else:
                self._return(1)

    def _return(self, slots: int) -> None:
        self._free += slots
        self._serve()

    def _serve(self) -> None:
        while self._queue and self._free > 0:
            *_, turn = heapq.heappop(self._queue)
            if not turn.cancelled():
                self._free -= 1
                turn.set_result(None)


@dataclass(slots=True)
class Slot:
    """The number of requests that were made; a slot with 0 is free again at once."""

    requests: int = 1


class Coalescer:
    """The writer of one message. `write` brings the message up to date and returns the number of its requests.

    A failed write is logged and tried again, later each time, at most `MOST_RETRIES` times.
    """

    def __init__(
        self, write: Callable[[], Awaitable[int]], *, interval: float, budget: Budget, is_urgent: bool = False
    ) -> None:
        """`interval` in seconds, from the start of one write to the start of the next."""
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
        """Write nothing meanwhile: the answer to a press shows the change."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self._go()

    def close(self) -> None:
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
            async with self._budget.slot(is_urgent=self._is_urgent) as slot:
                began = loop.time()
                if self._holds:  # a press has come while the slot was waited for: its answer goes first
                    slot.requests = 0
                else:
                    self._wanted = False
                    slot.requests = await self._write()
            self._failures = 0
            pause = max(0.0, self._interval - (loop.time() - began)) if slot.requests else 0.0
        except Exception as error:  # noqa: BLE001 - nobody awaits this task: the log is where it shows
            if isinstance(error, FAILED):
                _log.warning("message.not_written", **facts(error))
            elif isinstance(error, StoreError):
                _log.warning("message.not_written", problem=str(error))
            else:
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


class LastSent:
    """The content that was sent last; unknown after a failed request, and after two at once, in whatever order."""

    def __init__(self) -> None:
        self._content: Layout | None = None
        self._under_way = 0
        self._is_mixed = False

    def is_now(self, content: Layout) -> bool:
        return self._content == content

    @contextmanager
    def sending(self) -> Iterator[Callable[[Layout], None]]:
        """Enclose a request; call the yielded function with the content once Discord has accepted it."""
        sent: list[Layout] = []
        self._under_way += 1
        self._is_mixed = self._is_mixed or self._under_way > 1
        self._content = None
        try:
            yield sent.append
        finally:
            self._under_way -= 1
            self._content = sent[-1] if sent and not self._is_mixed else None
            self._is_mixed = self._under_way > 0
