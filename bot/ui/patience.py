"""A first answer within a second, whatever the store does: nobody who pressed waits longer for it than this.

A press that is given up gets its sentence; where that leaves things is settled by the table and the house.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

import structlog

from bot.live.ports import StoreError

PATIENCE_S: Final = 0.8

T = TypeVar("T")

_log = structlog.get_logger(__name__)
_going_on: set[asyncio.Task[None]] = set()


class SlowStoreError(StoreError):
    """The store has not answered yet."""

    def __init__(self) -> None:
        super().__init__(f"The database did not answer within {PATIENCE_S} s: is it busy, or cut off?")


async def in_time(move: Coroutine[Any, Any, T]) -> T:
    """A move at a table. It is taken back when it takes too long: one that still waits for its turn is never made.

    Raises:
        SlowStoreError: it was not made; the one that was just being saved counts if the store gets to it.
    """
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await move
    except TimeoutError:
        raise SlowStoreError from None


async def or_later(work: Coroutine[Any, Any, T], *, late: Callable[[T], None] | None = None) -> T:
    """Anything else that is asked of the store. It is done all the same when that takes too long, and `late` is told.

    Raises:
        SlowStoreError: it has not been done yet.
    """
    task = asyncio.create_task(work)
    await asyncio.wait({task}, timeout=PATIENCE_S)
    if task.done():
        return task.result()
    rest = asyncio.create_task(_finish(task, late))
    _going_on.add(rest)
    rest.add_done_callback(_going_on.discard)
    raise SlowStoreError


async def _finish(task: asyncio.Task[T], late: Callable[[T], None] | None) -> None:
    try:
        result = await task
    except StoreError as error:
        _log.warning("late.not_saved", problem=str(error))
        return
    if late is not None:
        late(result)
