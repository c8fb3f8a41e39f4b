"""Work that runs on request, at the time it returned last, and again after a failure."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import KW_ONLY, InitVar, dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final, Protocol

import structlog

from bot.base.clock import Clock
from bot.base.errors import StoreError

BROKEN_MS: Final = 30_000
"""Least wait before work that failed by a bug is tried again."""
LONGEST_MS: Final = 6 * 60 * 60 * 1000
"""Longest timer: clocks are set, and machines sleep."""


class Job(Protocol):
    """A background job of a running bot."""

    def start(self) -> None:
        """Start; called again with each new connection."""

    async def stop(self) -> None:
        """Stop; the next `start` resumes."""


@dataclass(eq=False)
class Worker:
    """Runs one piece of work, never twice at once. It does nothing before `start`.

    Args:
        clock: The clock of `work`'s instants.
        name: The prefix of log events, which have the `log_fields`.
        work: Returns the instant of its next run (milliseconds); None for none by itself.
        retry_ms: Wait after a StoreError.
        first_ms: Wait before the first run.

    Example:
        >>> from bot.base.clock import WallClock
        >>> async def sweep() -> int | None:
        ...     print("swept")
        ...     return None  # no further run by itself
        >>> async def main() -> None:
        ...     worker = Worker(WallClock(), "sweeper", sweep, retry_ms=30_000)
        ...     worker.start()
        ...     await asyncio.sleep(0.01)
        ...     await worker.stop()
        >>> asyncio.run(main())
        swept
    """

    _clock: Clock
    _name: str
    _work: Callable[[], Awaitable[int | None]]
    _: KW_ONLY
    retry_ms: int
    first_ms: int = 0
    log_fields: InitVar[Mapping[str, int]] = MappingProxyType({})
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)
    _is_wanted: bool = field(default=False, init=False)
    is_stopped: bool = field(default=True, init=False)

    def __post_init__(self, log_fields: Mapping[str, int]) -> None:
        self._log = structlog.get_logger(__name__).bind(**log_fields)

    def start(self) -> None:
        """Start working; a second call does nothing."""
        if self.is_stopped:
            self.is_stopped = False
            if self.first_ms:
                self.wake_at(self._clock.now() + self.first_ms)
            else:
                self.wake()

    def wake(self) -> None:
        """Run the work now, or once more after the current run."""
        self._is_wanted = True
        if self._task is None and not self.is_stopped:
            self._cancel_timer()
            self._task = asyncio.get_running_loop().create_task(self._run())

    def wake_at(self, at: int) -> None:
        """Run the work at an instant (milliseconds), unless it is woken earlier."""
        self._cancel_timer()
        if self.is_stopped:
            return
        wait = max(at - self._clock.now(), 0)
        due = self.wake if wait <= LONGEST_MS else lambda: self.wake_at(at)
        self._timer = asyncio.get_running_loop().call_later(min(wait, LONGEST_MS) / 1000, due)

    def request_stop(self) -> None:
        """Start no further run."""
        self.is_stopped = True
        self._cancel_timer()

    async def stop(self) -> None:
        """Finish the current run; nothing more runs until the next `start`."""
        self.request_stop()
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
            return self._clock.now() + self.retry_ms
        except Exception:  # noqa: BLE001 - a timer's task has no caller: its bug can show in the log only
            self._log.exception(f"{self._name}.failed")
            return self._clock.now() + max(self.retry_ms, BROKEN_MS)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Workers:
    """One worker per id, such as a table or a night; `work` gets the id."""

    def __init__(
        self, clock: Clock, name: str, work: Callable[[int], Awaitable[int | None]], *, retry_ms: int, label: str
    ) -> None:
        """Prepare workers; `label` names the ids in the log. For the other arguments see `Worker`."""
        self._new: Callable[[int], Worker] = lambda number: Worker(
            clock, name, partial(work, number), retry_ms=retry_ms, log_fields={label: number}
        )
        self._workers: dict[int, Worker] = {}
        self._is_stopped = False

    def wake(self, number: int) -> None:
        """Run the work of an id now, or once more after its current run."""
        self._worker(number).wake()

    def wake_at(self, number: int, at: int | None) -> None:
        """Run the work of an id at an instant (milliseconds); None cancels it."""
        if at is None:
            self.drop(number)
        else:
            self._worker(number).wake_at(at)

    def drop(self, number: int) -> None:
        """Forget an id. Its current run goes on to the end."""
        worker = self._workers.pop(number, None)
        if worker is not None:
            worker.request_stop()

    async def stop(self, numbers: Collection[int] | None = None) -> None:
        """Finish the current runs of these ids and start no more; without ids, stop all of them for good."""
        self._is_stopped = self._is_stopped or numbers is None
        stopped = [worker for number, worker in self._workers.items() if numbers is None or number in numbers]
        await asyncio.gather(*(worker.stop() for worker in stopped))

    def _worker(self, number: int) -> Worker:
        if number not in self._workers:
            self._workers[number] = self._new(number)
            self._workers[number].is_stopped = self._is_stopped
        return self._workers[number]
