"""The pace of requests and of messages.

A `Budget` lets so many requests begin in any so many seconds; a `Slot` encloses requests that count in budgets. A
`Coalescer` writes one message at a pace that Discord accepts, however often it is asked to: a first request is carried
out at once, all requests during a write and the rest after it are carried out together afterwards, so the last state
always arrives. `LastSent` knows what Discord shows already. No task and no timer waits when idle.
"""

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

import aiohttp
import orjson
import structlog

from bot import metrics
from bot.errors import StoreError
from bot.ui.kit.components import Layout
from bot.ui.kit.failures import FAILED, facts
from bot.ui.live.answers import RateLimit, limit_of

MOST_RETRIES: Final = 3
"""After so many failures in a row a message waits for the next request."""

Content = Layout | str

_log = structlog.get_logger(__name__)


class Budget:
    """At most `most` requests in any `seconds`; without a limit for 0.

    A request counts until `seconds` after its answer: Discord counts it somewhere in between. Urgent requests go first,
    others in turn. The timer of a budget in which requests count keeps it alive.
    """

    def __init__(self, most: int, seconds: float = 1.0) -> None:
        self._most = self._free = float(most or "inf")
        self._seconds = seconds
        self._pauses = 0
        self._counted: deque[tuple[float, int]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._queue: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    @property
    def free(self) -> float:
        return max(0.0, self._free)

    def change(self, most: int) -> None:
        """Allow so many requests from now on; 0: none."""
        self._free += most - self._most
        self._most = float(most)
        self._serve()

    def pause(self, seconds: float) -> None:
        """Let nothing begin for so long; what has begun goes on."""
        self._pauses += 1
        asyncio.get_running_loop().call_later(seconds, self._go_on)

    async def take(self, slot: "Slot") -> None:
        """Wait until there is room for a request."""
        if self._free >= 1 and not self._queue and not self._pauses:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        slot.waits_for = self, turn
        self.line_up(turn, slot)
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(0)
            raise

    def line_up(self, turn: asyncio.Future[None], slot: "Slot") -> None:
        """Queue for room. What queues a second time, now as urgent, gets it once."""
        heapq.heappush(self._queue, (not slot.is_urgent, next(self._numbers), turn))

    def give_back(self, requests: int) -> None:
        """Give room back for which so many requests were made, and answered."""
        self._free += 1
        if requests and self._most < float("inf"):
            self._free -= requests
            self._counted.append((asyncio.get_running_loop().time() + self._seconds, requests))
            self._await_first()
        self._serve()

    def _await_first(self) -> None:
        if self._counted and self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(self._counted[0][0], self._forget)

    def _forget(self) -> None:
        self._timer, now = None, asyncio.get_running_loop().time()
        while self._counted and self._counted[0][0] <= now:
            self._free += self._counted.popleft()[1]
        self._await_first()
        self._serve()

    def _go_on(self) -> None:
        self._pauses -= 1
        self._serve()

    def _serve(self) -> None:
        while self._queue and not self._pauses:
            *_, turn = self._queue[0]
            if not turn.done():
                if self._free < 1:
                    return
                self._free -= 1
                turn.set_result(None)
            heapq.heappop(self._queue)


_WITHOUT_TOKEN: Final = frozenset({"webhooks", "interactions"})
"""Requests that carry an interaction's token, and not the bot's: other limits are theirs."""

_current: ContextVar["Slot | None"] = ContextVar("slot", default=None)


class Slot:
    """Encloses requests, which count in some budgets.

    On entering it waits until each budget, in their order, has room for a request. `requests` counts those that were
    made: none, one or more.
    """

    def __init__(
        self, *budgets: Budget, is_urgent: bool = False, on_limit: Callable[[RateLimit], None] = lambda _: None
    ) -> None:
        """`on_limit` is called with what each answer says of the limits."""
        self.requests = self._given_back = 0
        self.rests_until = 0.0
        self.is_urgent = is_urgent
        self._budgets = budgets
        self._on_limit = on_limit
        self._taken: list[Budget] = []
        self.waits_for: tuple[Budget, asyncio.Future[None]] | None = None  # set by a budget without room
        self._outer: Slot | None = None

    def request(self) -> None:
        self.requests += 1

    async def request_in_turn(self) -> None:
        """To be called before each request that may not be the first: it waits for room."""
        await self.have_room()
        self.requests += 1

    async def have_room(self) -> None:
        """Wait for room for one more request, unless there is some.

        The slot gives its room back first: slots that keep theirs would wait for each other.
        """
        if self.requests > self._given_back or not self._taken:
            self.release()
            await self._take()

    def release(self) -> None:
        """Keep no room; `request_in_turn` waits for it again."""
        for budget in self._taken:
            budget.give_back(self.requests - self._given_back)
        self._taken.clear()
        self._given_back = self.requests

    def hurry(self) -> None:
        if not self.is_urgent:
            self.is_urgent = True
            if self.waits_for is not None:
                budget, turn = self.waits_for
                budget.line_up(turn, self)

    def answered(self, limit: RateLimit) -> None:
        """A request was answered. `rests_until` is when Discord takes the next one of its kind, by the loop's clock."""
        self.rests_until = asyncio.get_running_loop().time() + limit.wait_s
        self._on_limit(limit)

    async def __aenter__(self) -> Self:
        await self._take()
        self._outer = _current.get()
        _current.set(self)
        return self

    async def _take(self) -> None:
        try:
            for budget in self._budgets:
                await budget.take(self)
                self.waits_for = None
                self._taken.append(budget)
        except BaseException:
            self.release()
            raise

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        _current.set(self._outer)
        self.release()


def note_answer(answer: aiohttp.ClientResponse) -> None:
    """Tell the `Slot` of a request what the answer says of the limits."""
    limit = limit_of(answer.status, answer.headers)
    budget = "bot" if _WITHOUT_TOKEN.isdisjoint(answer.url.parts) else "interactions"
    metrics.REQUESTS.labels(budget, answer.status).inc()
    if limit.is_refused:
        metrics.RATE_LIMITED.labels("global" if limit.is_global else "shared" if limit.is_shared else "user").inc()
    if (slot := _current.get()) is not None:
        slot.answered(limit)


@dataclass(eq=False)
class Coalescer:
    """The writer of one message. `write` brings the message up to date, with requests of the slot that it gets.

    A failed write is logged and tried again, later each time, at most `MOST_RETRIES` times. `interval` returns the
    seconds from the start of one write to the start of the next, for an urgent one (True) and others. `slot` encloses a
    write. `shows` names the kind of message in the metrics.
    """

    write: Callable[[Slot], Awaitable[None]]
    interval: Callable[[bool], float]
    slot: Callable[[], Slot] = Slot
    shows: str = "other"
    _slot: Slot | None = None
    _asked: float = 0.0
    _began: float = 0.0
    _rests_until: float = 0.0
    _is_urgent: bool = False
    _wanted: bool = False
    _holds: int = 0
    _failures: int = 0
    _task: asyncio.Task[None] | None = None
    _rest: asyncio.TimerHandle | None = None
    _closed: bool = False

    def ask(self, *, is_urgent: bool = False) -> None:
        """The message is out of date; an urgent write goes before those of other messages."""
        if not self._wanted:
            self._wanted, self._asked = True, asyncio.get_running_loop().time()
        if is_urgent and not self._is_urgent:
            self._is_urgent = True
            self._hurry()
        self._go()

    def overtake(self) -> None:
        self._wanted = self._is_urgent = False

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
        if not self._wanted or self._task or self._rest or self._holds or self._closed:
            return
        loop = asyncio.get_running_loop()
        if loop.time() < self._rests_until:
            self._rest = loop.call_at(self._rests_until, self._rested)
        else:
            self._task = loop.create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        pause = 0.0
        self._slot = slot = self.slot()
        slot.is_urgent = slot.is_urgent or self._is_urgent
        try:
            async with slot:
                self._began = loop.time()
                if not self._holds:  # else a press has come while the slot was waited for: its answer goes first
                    self._wanted = self._is_urgent = False
                    asked = self._asked
                    await self.write(slot)
                    if slot.requests:
                        metrics.SHOWN_AGE_SECONDS.labels(self.shows).observe(loop.time() - asked)
            self._failures = 0
            if slot.requests:
                pause = max(self._began + self.interval(self._is_urgent), slot.rests_until) - loop.time()
        except Exception as error:  # noqa: BLE001 - nobody awaits this task: the log is where it shows
            if isinstance(error, FAILED):
                _log.warning("message.not_written", **facts(error))
            elif isinstance(error, StoreError):
                _log.warning("message.not_written", problem=str(error))
            else:
                _log.exception("message.not_written")
            self._failures += 1
            self._wanted = self._wanted or self._failures <= MOST_RETRIES
            pause = self.interval(self._is_urgent) * 4 ** min(self._failures, MOST_RETRIES)
        finally:
            self._slot = self._task = None
            self._rests_until = loop.time() + pause
            self._go()

    def _hurry(self) -> None:
        """Shorten a wait for a slot or a rest; not the rest after a failure."""
        if self._slot is not None:
            self._slot.hurry()
        elif not self._failures:
            self._rests_until = min(self._rests_until, self._began + self.interval(self._is_urgent))
            if self._rest is not None:
                self._rest.cancel()
                self._rest = None

    def _rested(self) -> None:
        self._rest = None
        self._go()


class LastSent:
    """The content that was sent last; unknown after a failed request, and after two at once, in whatever order."""

    def __init__(self) -> None:
        self._content: int | None = None  # of each open hand for as long as it is open: a hash takes little room
        self._compared: tuple[Content, int] | None = None
        self._under_way = 0
        self._is_mixed = False

    @property
    def is_known(self) -> bool:
        return self._content is not None

    def equals(self, content: Content) -> bool:
        if self._content is None:
            return False
        compared = _hash(content)
        is_equal = self._content == compared
        self._compared = None if is_equal else (content, compared)
        return is_equal

    @contextmanager
    def sending(self) -> Iterator[Callable[[Content], None]]:
        """Enclose a request; call the yielded function with the content once Discord has accepted it."""
        sent: list[Content] = []
        self._under_way += 1
        self._is_mixed = self._is_mixed or self._under_way > 1
        self._content = None
        try:
            yield sent.append
        finally:
            self._under_way -= 1
            self._content = self._hash_of(sent[-1]) if sent and not self._is_mixed else None
            self._is_mixed = self._under_way > 0

    def _hash_of(self, content: Content) -> int:
        """That of the comparison just before the request, where the same was sent."""
        compared, self._compared = self._compared, None
        return compared[1] if compared is not None and compared[0] is content else _hash(content)


def _hash(content: Content) -> int:
    return hash(orjson.dumps(content))
