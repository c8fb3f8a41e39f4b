"""Throttles requests to Discord's rate limits, and coalesces the edits of a message.

- `RateLimitWindow` admits a number of requests in any number of seconds.
- `RequestPermit` encloses requests that count in some windows.
- `Coalescer` writes one message, latest wins: the first request is carried out at once, all requests during a write and
  the rest after it are carried out together afterwards.
- `LastSent` knows what Discord shows already.

No task and no timer waits when idle.
"""

import asyncio
import heapq
import itertools
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import IntEnum
from math import inf
from types import TracebackType
from typing import Final, Self

import orjson
import structlog

from bot.base import metrics
from bot.base.errors import StoreError
from bot.discord.api.aiohttp_internals import HeardAnswer
from bot.discord.api.requests import FAILED, Content, error_fields
from bot.discord.rate_limits.responses import RateLimit, hear_words, limit_of

MOST_RETRIES: Final = 3
"""A message is not retried after so many failures in a row, until its next update is requested."""

_log = structlog.get_logger(__name__)


class Urgency(IntEnum):
    """The order in which requests get room, the highest first."""

    UNTOUCHED = -1
    """An update of a panel whose owner has not pressed for a while."""
    CHANGE = 0
    RESULT = 1
    """Deals and results."""
    GESTURE = 2
    """A partner's gesture, and calls."""


class RateLimitWindow:
    """A rate limit: at most `most` requests in any `seconds`; 0 for no limit.

    A request counts until `seconds` after its answer, since Discord counts it at some time in between. Urgent requests
    get room first, equally urgent ones in turn. While requests count, timers keep a reference to the window.
    """

    def __init__(self, most: float, seconds: float = 1.0) -> None:
        self._most = self.free = float(most or "inf")
        self._seconds = seconds
        self._pauses = 0
        self._queue: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    @property
    def has_waiters(self) -> bool:
        """Whether permits wait for room."""
        return bool(self._queue)

    def change(self, most: float) -> None:
        """Change the limit to so many requests; 0 allows none."""
        self.free += most - self._most
        self._most = float(most)
        self._serve()

    def pause(self, seconds: float) -> None:
        """Grant no room for so many seconds; requests that have room already continue."""
        self._pauses += 1
        asyncio.get_running_loop().call_later(seconds, self._go_on)

    async def acquire(self, permit: "RequestPermit") -> None:
        """Wait until there is room for a request of the permit.

        Raises:
            asyncio.CancelledError: The task was cancelled; its room is released.
        """
        if self.free >= 1 and not self._queue and not self._pauses:
            self.free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        permit.waits_for = self, turn
        self.enqueue(turn, permit)
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release(0)
            raise

    def enqueue(self, turn: asyncio.Future[None], permit: "RequestPermit") -> None:
        """Queue for room with the permit's urgency; the same `turn` in the queue twice is granted once."""
        heapq.heappush(self._queue, (-permit.urgency, next(self._numbers), turn))

    def release(self, requests: int) -> None:
        """Give back the room that a permit acquired, and count the `requests` that it sent and Discord answered."""
        self.free += 1
        self.count(requests)
        self._serve()

    def count(self, requests: int) -> None:
        """Count requests that were just answered."""
        if requests and self._most < float("inf"):
            self.free -= requests
            asyncio.get_running_loop().call_later(self._seconds, self._forget, requests)

    def _forget(self, requests: int) -> None:
        self.free += requests
        self._serve()

    def _go_on(self) -> None:
        self._pauses -= 1
        self._serve()

    def _serve(self) -> None:
        while self._queue and not self._pauses:
            *_, turn = self._queue[0]
            if not turn.done():
                if self.free < 1:
                    return
                self.free -= 1
                turn.set_result(None)
            heapq.heappop(self._queue)


_WITHOUT_TOKEN: Final = frozenset({"webhooks", "interactions"})
"""Parts of the paths of requests with an interaction's token, which have limits of their own."""

_current: ContextVar["RequestPermit | None"] = ContextVar("permit", default=None)


class RequestPermit:
    """A context for requests that count in some windows.

    On entry it acquires room for one request in each window, in their order. `requests` counts the requests sent.
    """

    def __init__(
        self,
        *windows: RateLimitWindow,
        urgency: int = Urgency.CHANGE,
        on_limit: Callable[[RateLimit], None] = lambda _: None,
    ) -> None:
        """Make a permit that has no room yet.

        Args:
            windows: The rate limits that count its requests.
            urgency: Its place in their queues.
            on_limit: Called with the rate limit in each answer.
        """
        self.requests = self._given_back = 0
        self.rests_until = 0.0
        self.urgency = urgency
        self._windows = windows
        self._on_limit = on_limit
        self._taken: list[RateLimitWindow] = []
        self.waits_for: tuple[RateLimitWindow, asyncio.Future[None]] | None = None  # set by a window without room
        self.patience: asyncio.Timeout | None = None  # a refusal ends it, so that the write waits for room again
        self._outer: RequestPermit | None = None
        self._is_open = False

    def record_sent(self) -> None:
        """Count a request for which the permit has acquired room."""
        self.requests += 1

    async def acquire_and_record(self) -> None:
        """Acquire room and count a request; call it before every request except perhaps the first."""
        await self.acquire()
        self.requests += 1

    async def acquire(self) -> None:
        """Wait until the permit has room for another request.

        If it has used its room up, it releases that first: else permits would wait for each other.
        """
        if self.requests > self._given_back or not self._taken:
            self.release()
            await self._take()

    def release(self) -> None:
        """Release all room; `acquire` obtains it again."""
        for window in self._taken:
            window.release(self.requests - self._given_back)
        self._taken.clear()
        self._given_back = self.requests

    def raise_urgency(self, urgency: int) -> None:
        """Set a higher urgency, also in the queue in which the permit waits."""
        if urgency > self.urgency:
            self.urgency = urgency
            if self.waits_for is not None:
                window, turn = self.waits_for
                window.enqueue(turn, self)

    def answered(self, limit: RateLimit) -> None:
        """Handle a response, and set `rests_until`, when Discord accepts the next request (by the loop's clock)."""
        self.rests_until = asyncio.get_running_loop().time() + limit.wait_s
        if limit.is_refused and self.patience is not None:
            self.patience.reschedule(0)
        self._on_limit(limit)

    async def __aenter__(self) -> Self:
        await self._take()
        self._outer = _current.get()
        _current.set(self)
        self._is_open = True
        return self

    async def _take(self) -> None:
        try:
            for window in self._windows:
                await window.acquire(self)
                self.waits_for = None
                self._taken.append(window)
        except BaseException:
            self.release()
            raise

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        _current.set(self._outer)
        self._is_open = False
        self.release()

    @classmethod
    def current(cls) -> "RequestPermit | None":
        """Return the permit that encloses the caller; None once it has ended, as in a task started within it."""
        permit = _current.get()
        return permit if permit is not None and permit._is_open else None


def record_answer(answer: HeardAnswer) -> None:
    """Count a response in the metrics, and pass its rate limit to the request's `RequestPermit` and to `bounded`."""
    limit = limit_of(answer.status, answer.headers)
    kind = "bot" if _WITHOUT_TOKEN.isdisjoint(answer.url.parts) else "interactions"
    metrics.REQUESTS.labels(kind, answer.status).inc()
    if limit.is_refused:
        metrics.RATE_LIMITED.labels("global" if limit.is_global else "shared" if limit.is_shared else "user").inc()
        hear_words(answer)
    if (permit := RequestPermit.current()) is not None:
        permit.answered(limit)


@dataclass(eq=False)
class Coalescer:
    """The writer of one message: it debounces requests to write, latest wins.

    A failed write is logged and retried with exponential backoff, at most `MOST_RETRIES` times.

    - `write`: brings the message up to date, with requests of the permit that it gets.
    - `interval`: returns the seconds from the start of one write to the start of the next, for an urgent one (True) or
      not.
    - `permit`: makes the permit that encloses a write.
    - `shows`: the kind of message in the metrics.
    """

    write: Callable[[RequestPermit], Awaitable[None]]
    interval: Callable[[bool], float]
    permit: Callable[[], RequestPermit] = RequestPermit
    shows: str = "other"
    _permit: RequestPermit | None = None
    _requested_at: float = 0.0
    _due: float = 0.0
    _began: float = 0.0
    _rests_until: float = 0.0
    _limited_until: float = 0.0
    _urgency: int = Urgency.UNTOUCHED
    _wanted: bool = False
    _holds: int = 0
    _failures: int = 0
    _task: asyncio.Task[None] | None = None
    _rest: asyncio.TimerHandle | None = None
    _closed: bool = False

    def request_update(self, urgency: int = Urgency.CHANGE, within: float = 0.0) -> None:
        """Request a write.

        Args:
            urgency: The place among the writes of other messages.
            within: Seconds that the write may wait for further changes, or for a press whose answer shows them.
        """
        now = asyncio.get_running_loop().time()
        if not self._wanted:
            self._wanted, self._requested_at, self._due = True, now, now + within
        elif now + within < self._due:
            self._due = now + within
            self._wake()
        if urgency > self._urgency:
            self._urgency = urgency
            self._hurry()
        self._go()

    def recover(self) -> None:
        """End the pause after a failure whose cause is gone; a pause that Discord asks for stays."""
        if self._failures:
            self._failures = 0
            self._rests_until = max(self._began + self._interval(), self._limited_until)
            self._wake()
            self._go()

    def overtake(self) -> None:
        """Cancel a requested write, since the answer to a press has shown the changes."""
        self._wanted, self._urgency = False, Urgency.UNTOUCHED

    @contextmanager
    def hold(self, most_s: float = inf) -> Iterator[None]:
        """Hold writes back in the `with` block, whose answer to a press may show the changes.

        A write that has waited for `most_s` seconds is not held back any longer, since presses in a row could hold it
        for ever.
        """
        if self._wanted and asyncio.get_running_loop().time() - self._requested_at >= most_s:
            yield
            return
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self._go()

    def close(self) -> None:
        """Write nothing more."""
        self._closed = True
        self._wake()
        if self._task is not None:
            self._task.cancel()

    def _go(self) -> None:
        if not self._wanted or self._task or self._rest or self._holds or self._closed:
            return
        loop, begins = asyncio.get_running_loop(), max(self._rests_until, self._due)
        if loop.time() < begins:
            self._rest = loop.call_at(begins, self._rested)
        else:
            self._task = loop.create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        pause = 0.0
        self._permit = permit = self.permit()
        permit.urgency = self._urgency
        try:
            async with permit:
                self._began = loop.time()
                if not self._holds:  # while a press is being answered, its answer goes first
                    self._wanted, self._urgency = False, Urgency.UNTOUCHED
                    requested_at = self._requested_at
                    await self.write(permit)
                    if permit.requests:
                        metrics.SHOWN_AGE_SECONDS.labels(self.shows).observe(loop.time() - requested_at)
            self._failures = 0
            if permit.requests:
                self._limited_until = permit.rests_until
                pause = max(self._began + self._interval(), permit.rests_until) - loop.time()
        except Exception as error:  # noqa: BLE001 - nobody awaits this task: the log is where it shows
            _log_failure(error)
            self._limited_until = permit.rests_until
            pause = max(self._retry_delay(), permit.rests_until - loop.time())
        except BaseException:  # the task is cancelled, or its loop is closed: no further write follows
            self._closed = True
            raise
        finally:
            self._permit = self._task = None
            self._rests_until = loop.time() + pause
            self._go()

    def _retry_delay(self) -> float:
        """Request the failed write again, up to `MOST_RETRIES` times; return the seconds until then, which grow."""
        self._failures += 1
        self._wanted = self._wanted or self._failures <= MOST_RETRIES
        self._urgency = max(self._urgency, Urgency.CHANGE)
        return self._interval() * float(4 ** min(self._failures, MOST_RETRIES))

    def _hurry(self) -> None:
        """Move up in the queues, or shorten the pause; not one after a failure, nor one that Discord asks for."""
        if self._permit is not None:
            self._permit.raise_urgency(self._urgency)
        elif not self._failures:
            rests_until = max(self._began + self._interval(), self._limited_until)
            self._rests_until = min(self._rests_until, rests_until)
            self._wake()

    def _wake(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _interval(self) -> float:
        return self.interval(self._urgency > Urgency.CHANGE)

    def _rested(self) -> None:
        self._rest = None
        self._go()


def _log_failure(error: Exception) -> None:
    if isinstance(error, FAILED):
        _log.warning("message.not_written", **error_fields(error))
    elif isinstance(error, StoreError):
        _log.warning("message.not_written", problem=str(error))
    else:
        _log.error("message.not_written", exc_info=error)


class LastSent:
    """The content that was sent last; unknown after a failed request, and after two simultaneous ones."""

    def __init__(self) -> None:
        self._content: int | None = None  # a hash, since one is kept for each open hand
        self._request: object = None

    @property
    def is_known(self) -> bool:
        """Whether the content is known."""
        return self._content is not None

    def equals(self, content: Content) -> bool:
        """Return whether this content was sent last; False if that is unknown."""
        return self._content is not None and self._content == _hash(content)

    @contextmanager
    def recording(self) -> Iterator[Callable[[Content], None]]:
        """Record the request in the `with` block: call the yielded function with the content that Discord accepted."""
        sent: list[Content] = []
        self._content, self._request = None, sent
        try:
            yield sent.append
        finally:
            is_alone, self._request = self._request is sent, None
            self._content = _hash(sent[-1]) if sent and is_alone else None


def _hash(content: Content) -> int:
    return hash(orjson.dumps(content))
