"""Work that is done when somebody asks for it, at the instant that it named last, and again after a failure."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Final, Protocol

import structlog

from bot.base.clock import Clock
from bot.base.errors import StoreError

BROKEN_MS: Final = 30_000
"""After how long, at least, work is tried again that failed by a bug."""
LONGEST_MS: Final = 6 * 60 * 60 * 1000
"""The longest wait: clocks are set, and machines sleep."""


class Job(Protocol):
    """Work that goes on beside the tables."""

    def begin(self) -> None:
        """Begin; called again with each new connection."""

    async def stop(self) -> None:
        """End; the next `begin` goes on."""


class Worker:
    """Never does its work twice at once. It does nothing before `begin`."""

    def __init__(
        self,
        clock: Clock,
        name: str,
        work: Callable[[], Awaitable[int | None]],
        *,
        retry_ms: int,
        first_ms: int = 0,
        **about: int,
    ) -> None:
        """`work` returns when it is to be done again (milliseconds); None: not by itself.

        It is done first `first_ms` after `begin`, and again after `retry_ms` where it was not saved. `name` and `about`
        go to the log.
        """
        self._clock = clock
        self._name = name
        self._work = work
        self._retry_ms = retry_ms
        self._first_ms = first_ms
        self._log = structlog.get_logger(__name__).bind(**about)
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_wanted = False
        self.is_stopped = True

    def begin(self) -> None:
        """Work from now on; a second call does nothing."""
        if self.is_stopped:
            self.is_stopped = False
            if self._first_ms:
                self.wake_at(self._clock.now() + self._first_ms)
            else:
                self.wake()

    def wake(self) -> None:
        """Do the work now, or once more after the running turn."""
        self._is_wanted = True
        if self._task is None and not self.is_stopped:
            self._cancel_timer()
            self._task = asyncio.get_running_loop().create_task(self._run())

    def wake_at(self, at: int) -> None:
        """Do the work at an instant (milliseconds), unless it is asked for before."""
        self._cancel_timer()
        if self.is_stopped:
            return
        wait = max(at - self._clock.now(), 0)
        due = self.wake if wait <= LONGEST_MS else lambda: self.wake_at(at)
        self._timer = asyncio.get_running_loop().call_later(min(wait, LONGEST_MS) / 1000, due)

    def end(self) -> None:
        """Begin no other turn."""
        self.is_stopped = True
        self._cancel_timer()

    async def stop(self) -> None:
        """Finish the running turn and do nothing more until the next `begin`."""
        self.end()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _run(self) -> None:
        at: int | None = None
        while self._is_wanted and not self.is_stopped:
            self._is_wanted = False
            at = await self._turn()
        self._task = None
        if at is not None:
            self.wake_at(at)

    async def _turn(self) -> int | None:
        try:
            return await self._work()
        except StoreError as error:
            self._log.warning(f"{self._name}.not_saved", problem=str(error))
            return self._clock.now() + self._retry_ms
        except Exception:  # noqa: BLE001 - a timer's task has no caller: its bug can show in the log only
            self._log.exception(f"{self._name}.failed")
            return self._clock.now() + max(self._retry_ms, BROKEN_MS)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Workers:
    """One worker for each table, or for each night; `work` gets its id."""

    def __init__(
        self, clock: Clock, name: str, work: Callable[[int], Awaitable[int | None]], *, retry_ms: int, about: str
    ) -> None:
        """`about` is what the log calls the ids; see `Worker`."""
        self._new: Callable[[int], Worker] = lambda number: Worker(
            clock, name, partial(work, number), retry_ms=retry_ms, **{about: number}
        )
        self._workers: dict[int, Worker] = {}
        self._is_stopped = False

    def wake(self, number: int) -> None:
        self._worker(number).wake()

    def wake_at(self, number: int, at: int | None) -> None:
        """Do the work for an id at an instant (milliseconds); None: not any more."""
        if at is None:
            self.drop(number)
        else:
            self._worker(number).wake_at(at)

    def drop(self, number: int) -> None:
        """Forget an id. A turn that is under way goes on to its end."""
        worker = self._workers.pop(number, None)
        if worker is not None:
            worker.end()

    async def stop(self, numbers: Collection[int] | None = None) -> None:
        """Finish the turns that are under way and do nothing more, for some ids or for good."""
        self._is_stopped = self._is_stopped or numbers is None
        stopped = [worker for number, worker in self._workers.items() if numbers is None or number in numbers]
        await asyncio.gather(*(worker.stop() for worker in stopped))

    def _worker(self, number: int) -> Worker:
        if number not in self._workers:
            self._workers[number] = self._new(number)
            self._workers[number].is_stopped = self._is_stopped
        return self._workers[number]
