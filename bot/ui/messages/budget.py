"""Limits of requests: so many in any so many seconds. Nothing runs while nobody waits."""

import asyncio
import heapq
import itertools
from types import TracebackType
from typing import Self


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
                self._return(1)
            raise

    def line_up(self, turn: asyncio.Future[None], *, is_urgent: bool) -> None:
        """Queue for a slot. What queues a second time, now as urgent, gets one slot only."""
        heapq.heappush(self._queue, (not is_urgent, next(self._numbers), turn))

    def give_back(self, requests: int) -> None:
        """Free the slot of so many requests that were just answered; at once if there were none."""
        if requests:
            self._free -= requests - 1
            asyncio.get_running_loop().call_later(self._seconds, self._return, requests)
        else:
            self._return(1)

    def _return(self, slots: int) -> None:
        self._free += slots
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


class Slot:
    """Encloses a request, which waits for its slot in each of some budgets, in their order.

    `requests` is the number of requests that were made; with 0 the slot is free again at once.
    """

    def __init__(self, *budgets: Budget, is_urgent: bool = False) -> None:
        self.requests = 1
        self.is_urgent = is_urgent
        self._budgets = budgets
        self._taken: list[Budget] = []
        self._waiting: tuple[Budget, asyncio.Future[None]] | None = None

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

    async def __aenter__(self) -> Self:
        try:
            for budget in self._budgets:
                await budget.take(self)
                self._waiting = None
                self._taken.append(budget)
        except BaseException:
            self._give_back(0)
            raise
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self._give_back(self.requests)

    def _give_back(self, requests: int) -> None:
        for budget in self._taken:
            budget.give_back(requests)
        self._taken.clear()
