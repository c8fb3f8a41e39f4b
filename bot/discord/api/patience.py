"""A press is answered within a second, however slow the store is: what takes longer goes on, or counts later."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import discord
import structlog

from bot.base.background import Tasks
from bot.base.errors import StoreError
from bot.discord.api.interactions import RefusedError
from bot.discord.api.responses import reply
from bot.game.rules.house_rules import RulesError
from bot.records.file_batches import Progress
from bot.tables.servers.bans import BannedError

SAID_EVERY_S: Final = 5.0
"""After so many seconds, each time, an answer that takes long says how far it is."""
PATIENCE_S: Final = 0.8
"""How long the requests to the store that a first answer needs may take together."""

T = TypeVar("T")

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Turn:
    """A first answer is due at the instant `until` of the loop's clock; `is_answered` is None once the turn is over.

    Tasks and timers that a press began keep its context: a turn that is over holds nothing of the press.
    """

    until: float
    is_answered: Callable[[], bool] | None


_turn: ContextVar[_Turn | None] = ContextVar("turn", default=None)
_going_on = Tasks()


class SlowStoreError(StoreError):
    """The store has not answered yet. `is_move`: what waits is a player's move."""

    def __init__(self, *, is_move: bool = False) -> None:
        super().__init__(f"The database did not answer within {PATIENCE_S} s: is it busy, or cut off?")
        self.is_move = is_move


@contextmanager
def answer_deadline(is_answered: Callable[[], bool]) -> Iterator[None]:
    """Until the answer is given, all requests to the store together take `PATIENCE_S` at most."""
    turn = _Turn(asyncio.get_running_loop().time() + PATIENCE_S, is_answered)
    former = _turn.set(turn)
    try:
        yield
    finally:
        turn.is_answered = None
        _turn.reset(former)


def _left() -> float:
    turn = _turn.get()
    if turn is None or turn.is_answered is None or turn.is_answered():
        return PATIENCE_S
    return max(0.0, turn.until - asyncio.get_running_loop().time())


async def cancel_when_slow(move: Coroutine[Any, Any, T]) -> T:
    """Make a move at a table; cancel it when it takes too long.

    Raises:
        SlowStoreError: it was not made; if it was just being saved, it counts once the store gets to it.
    """
    try:
        async with asyncio.timeout(_left()):
            return await move
    except TimeoutError:
        raise SlowStoreError(is_move=True) from None


async def continue_when_slow(work: Coroutine[Any, Any, T] | asyncio.Task[T], more_s: float = 0.0) -> T:
    """Do other work of the store, which goes on if it takes too long; Discord's part in it may take `more_s`.

    Raises:
        SlowStoreError: it has not been done yet.
    """
    task = work if isinstance(work, asyncio.Task) else asyncio.create_task(work)
    await asyncio.wait({task}, timeout=_left() + more_s)
    if task.done():
        return task.result()
    _going_on.start(_finish(task))
    raise SlowStoreError


async def with_progress(interaction: discord.Interaction, work: Coroutine[Any, Any, T], say: Callable[[], str]) -> T:
    """Do something long after the answer was deferred, and show meanwhile what `say` returns."""
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=SAID_EVERY_S))[0]:
            await reply(interaction, say())
    finally:
        task.cancel()
    return task.result()


def progress_line(progress: Progress, t: Callable[..., str]) -> str:
    """Return how far an export is."""
    if not progress.total:
        return t("This waits for another export, or for the database.")
    return t("Reading matches: {done} of {total}.", done=progress.done, total=progress.total)


async def _finish(task: asyncio.Task[T]) -> None:
    try:
        await task
    except StoreError as error:
        _log.warning("late.not_saved", problem=str(error))
    except RulesError as error:  # the presser has read already that the store is slow
        _log.info("late.refused", problem=error.problem.value)
    except (BannedError, RefusedError) as error:
        _log.info("late.refused", problem=type(error).__name__)
