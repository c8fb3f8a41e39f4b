"""Time limits of answers: a press is answered within a second, however slow the store is."""

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
"""Seconds between two reports on the progress of a long answer."""
PATIENCE_S: Final = 0.8
"""How many seconds all requests to the store before a first answer may take together."""

T = TypeVar("T")

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Turn:
    """The deadline of a first answer.

    - `until`: a time of the loop's clock.
    - `is_answered`: returns whether the bot has answered. After the press it is None, because tasks that the press has
      started keep this context, which must not keep the press in memory.
    """

    until: float
    is_answered: Callable[[], bool] | None


_turn: ContextVar[_Turn | None] = ContextVar("turn", default=None)
_going_on = Tasks()


class SlowStoreError(StoreError):
    """The store has not answered yet; `is_move` if the request was a player's move."""

    def __init__(self, *, is_move: bool = False) -> None:
        super().__init__(f"The database did not answer within {PATIENCE_S} s: is it busy, or cut off?")
        self.is_move = is_move


@contextmanager
def answer_deadline(is_answered: Callable[[], bool]) -> Iterator[None]:
    """Limit all requests to the store in the `with` block to `PATIENCE_S` together, until the answer was sent."""
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
    """Make a move at a table, and cancel it when the time of `answer_deadline` is over.

    Raises:
        SlowStoreError: It took too long. A move that was already being saved still counts once the store has it.
    """
    try:
        async with asyncio.timeout(_left()):
            return await move
    except TimeoutError:
        raise SlowStoreError(is_move=True) from None


async def continue_when_slow(work: Coroutine[Any, Any, T] | asyncio.Task[T], more_s: float = 0.0) -> T:
    """Return the result of work with the store; when the time of `answer_deadline` is over, let it go on alone.

    Args:
        work: Whatever is not a player's move.
        more_s: Further seconds to wait, for requests to Discord within the work.

    Raises:
        SlowStoreError: It is not done yet, and goes on in the background.
    """
    task = work if isinstance(work, asyncio.Task) else asyncio.create_task(work)
    await asyncio.wait({task}, timeout=_left() + more_s)
    if task.done():
        return task.result()
    _going_on.start(_finish(task))
    raise SlowStoreError


async def with_progress(interaction: discord.Interaction, work: Coroutine[Any, Any, T], say: Callable[[], str]) -> T:
    """Defer the answer, show what `say` returns while the work is running, and return its result."""
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=SAID_EVERY_S))[0]:
            await reply(interaction, say())
    finally:
        task.cancel()
    return task.result()


def progress_line(progress: Progress, t: Callable[..., str]) -> str:
    """Return a sentence about the progress of an export."""
    if not progress.total:
        return t("This waits for another export, or for the database.")
    return t("Reading matches: {done} of {total}.", done=progress.done, total=progress.total)


async def _finish(task: asyncio.Task[T]) -> None:
    try:
        await task
    except StoreError as error:
        _log.warning("late.not_saved", problem=str(error))
    except RulesError as error:  # the user has already read that the store is slow
        _log.info("late.refused", problem=error.problem.value)
    except (BannedError, RefusedError) as error:
        _log.info("late.refused", problem=type(error).__name__)
