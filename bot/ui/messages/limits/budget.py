"""Limits of requests: so many in any so many seconds. Nothing runs while nobody waits."""

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Final, Self

import aiohttp

from bot import metrics
from bot.ui.messages.limits.told_limits import ToldLimit, told_by


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
        self._queue: list[tuple[bool, int, float, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    @property
    def free(self) -> float:
        """How many requests may begin now."""
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
        """Wait until there is room for all requests that the slot is planned for."""
        if self._has_room(slot.planned) and not self._queue and not self._pauses:
            self._free -= slot.planned
            return
        turn = asyncio.get_running_loop().create_future()
        slot.waits(self, turn)
        self.line_up(turn, slot)
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(slot.planned, 0)
            raise

    def line_up(self, turn: asyncio.Future[None], slot: "Slot") -> None:
        """Queue for room. What queues a second time, now as urgent, gets it once."""
        heapq.heappush(self._queue, (not slot.is_urgent, next(self._numbers), slot.planned, turn))

    def give_back(self, planned: int, requests: int) -> None:
        """Free the room of so many planned requests, after those that were made were answered."""
        self._free += planned
        if requests and self._most < float("inf"):
            self._free -= requests
            self._counted.append((asyncio.get_running_loop().time() + self._seconds, requests))
            self._await_first()
        self._serve()

    def _await_first(self) -> None:
        if self._counted and self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(self._counted[0][0], self._forget)

    def _forget(self) -> None:
        """Free the room of requests that count no more."""
        self._timer, now = None, asyncio.get_running_loop().time()
        while self._counted and self._counted[0][0] <= now:
            self._free += self._counted.popleft()[1]
        self._await_first()
        self._serve()

    def _has_room(self, planned: float) -> bool:
        """What is planned for more than there ever is takes all there is."""
        return self._free >= max(1, min(planned, self._most))

    def _go_on(self) -> None:
        self._pauses -= 1
        self._serve()

    def _serve(self) -> None:
        while self._queue and not self._pauses:
            *_, planned, turn = self._queue[0]
            if turn.done():
                heapq.heappop(self._queue)
            elif self._has_room(planned):
                heapq.heappop(self._queue)
                self._free -= planned
                turn.set_result(None)
            else:
                return


_WITHOUT_TOKEN: Final = frozenset({"webhooks", "interactions"})
"""Requests that carry an interaction's token, and not the bot's: other limits are theirs."""

_current: ContextVar["Slot | None"] = ContextVar("slot", default=None)


class Slot:
    """Encloses requests, which count in some budgets.

    On entering it waits until each budget, in their order, has room for all `planned` requests. `requests` counts those
    that were made, which may be fewer or more.
    """

    def __init__(
        self,
        *budgets: Budget,
        planned: int = 1,
        is_urgent: bool = False,
        told: Callable[[ToldLimit], None] = lambda _: None,
    ) -> None:
        """`told` is called with what each answer says of the limits."""
        self.planned = planned
        self.requests = self._given_back = 0
        self.rests_until = 0.0
        self.is_urgent = is_urgent
        self._budgets = budgets
        self._told = told
        self._taken: list[Budget] = []
        self._waiting: tuple[Budget, asyncio.Future[None]] | None = None
        self._outer: Slot | None = None

    def request(self) -> None:
        """To be called before each request."""
        self.requests += 1

    def hurry(self) -> None:
        """Be urgent from now on."""
        if not self.is_urgent:
            self.is_urgent = True
            if self._waiting is not None:
                budget, turn = self._waiting
                budget.line_up(turn, self)

    def waits(self, budget: Budget, turn: asyncio.Future[None]) -> None:
        """The budget has no room: `turn` is done once it has."""
        self._waiting = budget, turn

    def answered(self, limit: ToldLimit) -> None:
        """A request was answered. `rests_until` is when Discord takes the next one of its kind, by the loop's clock."""
        self.rests_until = asyncio.get_running_loop().time() + limit.wait_s
        self._told(limit)

    async def renew(self) -> None:
        """Wait for room for one more request than was planned.

        The slot gives its room back first: slots that keep theirs would wait for each other.
        """
        self._give_back()
        self.planned = 1
        await self._take()

    async def __aenter__(self) -> Self:
        await self._take()
        self._outer = _current.get()
        _current.set(self)
        return self

    async def _take(self) -> None:
        try:
            for budget in self._budgets:
                await budget.take(self)
                self._waiting = None
                self._taken.append(budget)
        except BaseException:
            self._give_back()
            raise

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        _current.set(self._outer)
        self._give_back()

    def _give_back(self) -> None:
        for budget in self._taken:
            budget.give_back(self.planned, self.requests - self._given_back)
        self._taken.clear()
        self._given_back = self.requests


def tell_slot(answer: aiohttp.ClientResponse) -> None:
    """Tell the `Slot` of a request what the answer says of the limits."""
    limit = told_by(answer.status, answer.headers)
    budget = "bot" if _WITHOUT_TOKEN.isdisjoint(answer.url.parts) else "interactions"
    metrics.REQUESTS.labels(budget, answer.status).inc()
    if limit.is_refused:
        metrics.RATE_LIMITED.labels("global" if limit.is_global else "shared" if limit.is_shared else "user").inc()
    if (slot := _current.get()) is not None:
        slot.answered(limit)
