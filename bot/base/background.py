"""Tasks that nobody awaits."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

import structlog

from bot.base.errors import StoreError

RETRY_S: Final = 5.0
"""After how long the store is asked again for what it could not do."""

T = TypeVar("T")

_log = structlog.get_logger(__name__)


async def until_done(work: Callable[[], Awaitable[T]], event: str, **about: int) -> T:
    """Do what nobody asks for twice: again and again, until the store does it. `event` and `about` go to the log."""
    while True:
        try:
            return await work()
        except StoreError as error:
            _log.warning(event, problem=str(error), **about)
        await asyncio.sleep(RETRY_S)


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
