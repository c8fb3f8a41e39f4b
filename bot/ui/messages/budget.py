"""Limits of requests: so many in any so many seconds. Nothing runs while nobody waits."""

import asyncio
import heapq
import itertools
from collections.abc import Callable
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Self

import aiohttp

from bot.ui.messages.told_limits import ToldLimit, told_by


class Budget:
    """At most `slots` requests in any `seconds`; without a limit for 0 slots.

    A request holds its slot until `seconds` after its answer: Discord counts it somewhere in between. Urgent requests
    get free slots first, others in turn.
    """

    def __init__(self, slots: int, seconds: float = 1.0) -> None:
        self._free = float(slots or "inf")
        self._seconds = seconds
        self._pauses = 0
        self._queue: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    def pause(self, seconds: float) -> None:
        """Let nothing begin for so long; what has begun goes on."""
        self._pauses += 1
        asyncio.get_running_loop().call_later(seconds, self._go_on)

    async def take(self, slot: "Slot") -> None:
        """Wait for a free slot."""
        if self._free > 0 and not self._queue and not self._pauses:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        slot.waits(self, turn)
        self.line_up(turn, is_urgent=slot.is_urgent)
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._return()
            raise

    def line_up(self, turn: asyncio.Future[None], *, is_urgent: bool) -> None:
        """Queue for a slot. What queues a second time, now as urgent, gets one slot only."""
        heapq.heappush(self._queue, (not is_urgent, next(self._numbers), turn))

    def give_back(self, *, was_used: bool) -> None:
        """Free a slot, when its request was just answered or if there was none."""
        if was_used:
            asyncio.get_running_loop().call_later(self._seconds, self._return)
        else:
            self._return()

    def _return(self) -> None:
        self._free += 1
        self._serve()

    def _go_on(self) -> None:
        self._pauses -= 1
        self._serve()

    def _serve(self) -> None:
        while self._queue and self._free > 0 and not self._pauses:
            *_, turn = heapq.heappop(self._queue)
            if not turn.done():
                self._free -= 1
                turn.set_result(None)


_current: ContextVar["Slot | None"] = ContextVar("slot", default=None)


class Slot:
    """Encloses requests, each of which has its slot in some budgets, in their order.

    On entering it waits for the slot of the first request. `requests` is the number of requests that were made.
    """

    def __init__(
        self,
        *budgets: Budget,
        is_urgent: bool = False,
        told: Callable[[ToldLimit], None] = lambda _: None,
    ) -> None:
        """`told` is called with what each answer says of the limits."""
        self.requests = 0
        self.rests_until = 0.0
        self.is_urgent = is_urgent
        self._budgets = budgets
        self._told = told
        self._taken: list[Budget] = []
        self._is_used = False
        self._waiting: tuple[Budget, asyncio.Future[None]] | None = None
        self._outer: Token[Slot | None] | None = None

    async def request(self) -> None:
        """To be called before each request; from the second on it waits for another slot."""
        if self._is_used:
            self._give_back()
            await self._take()
        self._is_used = True
        self.requests += 1

    def hurry(self) -> None:
        """Be urgent from now on."""
        if not self.is_urgent:
            self.is_urgent = True
            if self._waiting is not None:
                budget, turn = self._waiting
                budget.line_up(turn, is_urgent=True)

    def waits(self, budget: Budget, turn: asyncio.Future[None]) -> None:
        """The budget has no slot free: `turn` is done once it has."""
        self._waiting = budget, turn

    def answered(self, limit: ToldLimit) -> None:
        """A request was answered. `rests_until` is when Discord takes the next one of its kind, by the loop's clock."""
        self.rests_until = asyncio.get_running_loop().time() + limit.wait_s
        self._told(limit)

    async def __aenter__(self) -> Self:
        await self._take()
        self._outer = _current.set(self)
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        assert self._outer is not None, "it was entered"
        _current.reset(self._outer)
        self._give_back()

    async def _take(self) -> None:
        try:
            for budget in self._budgets:
                await budget.take(self)
                self._waiting = None
                self._taken.append(budget)
        except BaseException:
            self._give_back()
            raise

    def _give_back(self) -> None:
        for budget in self._taken:
            budget.give_back(was_used=self._is_used)
        self._taken.clear()
        self._is_used = False


def answer_trace() -> aiohttp.TraceConfig:
    """For the HTTP session of a client: tells each `Slot` what the answers to its requests say of the limits."""

    async def answered(_session: object, _context: object, answer: aiohttp.TraceRequestEndParams) -> None:
        slot = _current.get()
        if slot is not None:
            slot.answered(told_by(answer.response.status, answer.response.headers))

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(answered)
    return trace
