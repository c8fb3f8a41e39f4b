"""A first answer within a second, whatever the store does: nobody who pressed waits longer for it than this.

A press that is given up gets its sentence; where that leaves things is settled by the table.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import structlog

from bot.errors import StoreError

PATIENCE_S: Final = 0.8

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Turn:
    """Somebody waits for a first answer, no longer than until an instant of the loop's clock."""

    until: float
    is_answered: Callable[[], bool]


_turn: ContextVar[_Turn | None] = ContextVar("turn", default=None)
_log = structlog.get_logger(__name__)
_going_on: set[asyncio.Task[None]] = set()


class SlowStoreError(StoreError):
    """The store has not answered yet."""

    def __init__(self) -> None:
        super().__init__(f"The database did not answer within {PATIENCE_S} s: is it busy, or cut off?")


@contextmanager
def one_patience(is_answered: Callable[[], bool]) -> Iterator[None]:
    """Until the answer is given, all that is asked of the store meanwhile takes no longer together than one request."""
    turn = _turn.set(_Turn(asyncio.get_running_loop().time() + PATIENCE_S, is_answered))
    try:
        yield
    finally:
        _turn.reset(turn)


def _left() -> float:
    """How long the store may take now, in seconds."""
    turn = _turn.get()
    if turn is None or turn.is_answered():
        return PATIENCE_S
    return max(0.0, turn.until - asyncio.get_running_loop().time())


async def in_time(move: Coroutine[Any, Any, T]) -> T:
    """A move at a table. It is taken back when it takes too long: one that still waits for its turn is never made.

    Raises:
        SlowStoreError: it was not made; the one that was just being saved counts if the store gets to it.
    """
    try:
        async with asyncio.timeout(_left()):
            return await move
    except TimeoutError:
        raise SlowStoreError from None


async def or_later(work: Coroutine[Any, Any, T], *, late: Callable[[T], object] | None = None) -> T:
    """Anything else that is asked of the store. It is done all the same when that takes too long, and `late` is told.

    What `late` gives is awaited, if it is a coroutine.

    Raises:
        SlowStoreError: it has not been done yet.
    """
    task = asyncio.create_task(work)
    await asyncio.wait({task}, timeout=_left())
    if task.done():
        return task.result()
    rest = asyncio.create_task(_finish(task, late))
    _going_on.add(rest)
    rest.add_done_callback(_going_on.discard)
    raise SlowStoreError


async def _finish(task: asyncio.Task[T], late: Callable[[T], object] | None) -> None:
    try:
        result = await task
        rest = None if late is None else late(result)
        if asyncio.iscoroutine(rest):
            await rest
    except StoreError as error:
        _log.warning("late.not_saved", problem=str(error))
