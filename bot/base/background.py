"""Tasks that nobody awaits, what is tried again or done in portions, and a lock for each key."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

import structlog

from bot.base.errors import StoreError

RETRY_S: Final = 5.0
"""After how long the store is asked again for what it could not do."""
FIRST_S: Final = 20.0
"""After how long what failed is tried again, unless a backoff says otherwise."""

K = TypeVar("K")
T = TypeVar("T")

_log = structlog.get_logger(__name__)


async def until_done(work: Callable[[], Awaitable[T]], event: str, *, retry_s: float = RETRY_S, **about: int) -> T:
    """Do what nobody asks for twice: again and again, until the store does it. `event` and `about` go to the log."""
    while True:
        try:
            return await work()
        except StoreError as error:
            _log.warning(event, problem=str(error), **about)
        await asyncio.sleep(retry_s)


async def in_portions(portion: Callable[[], Awaitable[bool]], rest_s: float = 0.0) -> None:
    """Do something long while a portion says that there is more; what is urgent passes in between."""
    while await portion():  # noqa: ASYNC110 - it waits for nothing: others take their turn
        await asyncio.sleep(rest_s)


class Tasks:
    """Keeps tasks until they are done: the event loop alone would not."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin work that reports its own failures."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self) -> None:
        await asyncio.gather(*self._tasks)

    def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()


class Backoff:
    """How long to wait before the next try: twice as long after each failure, from `first` up to `longest`."""

    def __init__(self, first: float = FIRST_S, longest: float = 600.0) -> None:
        self._first = self._next = first
        self._longest = longest
        self._timer: asyncio.TimerHandle | None = None

    def failed(self) -> float:
        """The wait after one more failure."""
        wait, self._next = self._next, min(2 * self._next, self._longest)
        return wait

    def try_later(self, retry: Callable[[], object]) -> None:
        """Call it after one more failure, in place of what is to be called; the waits are seconds."""
        self.stop()
        self._timer = asyncio.get_running_loop().call_later(self.failed(), retry)

    def succeeded(self) -> None:
        self.stop()
        self._next = self._first

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class Locks:
    """A lock for each key, kept for as long as somebody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def of(self, key: int) -> asyncio.Lock:
        return self._locks.setdefault(key, asyncio.Lock())


class Latest(dict[K, T]):
    """At most `most` values: a further one takes the place of the one that was set first."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: T) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]
