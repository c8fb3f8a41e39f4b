"""Background tasks, retries with backoff, work in batches, a lock per key, and an LRU cache."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

import structlog

from bot.base.errors import StoreError

RETRY_S: Final = 5.0
"""Seconds between two tries after the store has failed."""
FIRST_S: Final = 20.0
"""Seconds before the first retry with backoff."""

K = TypeVar("K")
T = TypeVar("T")

_log = structlog.get_logger(__name__)


async def retry_until_saved(
    work: Callable[[], Awaitable[T]], event: str, *, retry_s: float = RETRY_S, **log_fields: int
) -> T:
    """Run `work` until it succeeds; retry after each StoreError.

    Args:
        work: What to run.
        event: The log event of a failure; `log_fields` go with it.
        retry_s: Seconds between two tries.
    """
    while True:
        try:
            return await work()
        except StoreError as error:
            _log.warning(event, problem=str(error), **log_fields)
        await asyncio.sleep(retry_s)


async def run_in_batches(batch: Callable[[], Awaitable[bool]], pause_s: float = 0.0) -> None:
    """Call `batch` until it returns False: nothing is left. Urgent work runs in between.

    Args:
        batch: Does a part of the work, and returns whether there is more.
        pause_s: Seconds between two batches.
    """
    while await batch():  # noqa: ASYNC110 - it waits for nothing: others take their turn
        await asyncio.sleep(pause_s)


class Tasks:
    """Background tasks, kept until they are done: the event loop holds only weak references."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a coroutine that reports its own failures."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def wait(self) -> None:
        """Wait until all tasks are done."""
        await asyncio.gather(*self._tasks)

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()


class Backoff:
    """Exponential backoff: seconds that double after each failure, from `first` up to `longest`."""

    def __init__(self, first: float = FIRST_S, longest: float = 600.0) -> None:
        self._first = self._next = first
        self._longest = longest
        self._timer: asyncio.TimerHandle | None = None

    def next_delay(self) -> float:
        """Return the wait after one more failure, in seconds."""
        wait, self._next = self._next, min(2 * self._next, self._longest)
        return wait

    def schedule_retry(self, retry: Callable[[], object]) -> None:
        """Call `retry` after the next delay, in place of a retry that is scheduled already."""
        self.stop()
        self._timer = asyncio.get_running_loop().call_later(self.next_delay(), retry)

    def reset(self) -> None:
        """Cancel the scheduled retry and go back to the first delay."""
        self.stop()
        self._next = self._first

    def stop(self) -> None:
        """Cancel the scheduled retry."""
        if self._timer is not None:
            self._timer.cancel()


class Locks:
    """A lock per key, kept while somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: int) -> asyncio.Lock:
        """Return the lock of a key."""
        return self._locks.setdefault(key, asyncio.Lock())


class LruCache(dict[K, T]):
    """A dict of at most `max_size` values that evicts the least recently set one."""

    def __init__(self, max_size: int) -> None:
        super().__init__()
        self._max_size = max_size

    def __setitem__(self, key: K, value: T) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._max_size:
            del self[next(iter(self))]
