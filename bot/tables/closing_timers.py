"""One timer for each table that is to be closed: a lobby that is not started, a match that is left."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot.background import Tasks
from bot.errors import StoreError
from bot.tables.clock import Clock

RETRY_S: Final = 60.0
"""After how long a closing that was not saved is tried again."""

_log = structlog.get_logger(__name__)


class ClosingTimers:
    """`close` is awaited with a table's id at its instant; it checks again whether the table is still to be closed."""

    def __init__(self, clock: Clock, close: Callable[[int], Awaitable[None]]) -> None:
        self._clock = clock
        self._close = close
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._closing = Tasks()
        self._is_stopped = False

    def set(self, table_id: int, at: int | None) -> None:
        """Close a table `at` this instant (milliseconds), in place of an earlier one; None: never."""
        timer = self._timers.pop(table_id, None)
        if timer is not None:
            timer.cancel()
        if at is not None:
            self._wait(table_id, max((at - self._clock.now()) / 1000, 0.0))

    async def stop(self) -> None:
        """Stop all timers; a closing that is under way is finished first."""
        self._is_stopped = True
        for table_id in tuple(self._timers):
            self.set(table_id, None)
        await self._closing.finish()

    def _wait(self, table_id: int, seconds: float) -> None:
        if not self._is_stopped:
            self._timers[table_id] = asyncio.get_running_loop().call_later(seconds, self._fall_due, table_id)

    def _fall_due(self, table_id: int) -> None:
        del self._timers[table_id]
        self._closing.begin(self._run(table_id))

    async def _run(self, table_id: int) -> None:
        try:
            await self._close(table_id)
        except StoreError as error:
            _log.warning("table.not_closed", table=table_id, problem=str(error))
            self._wait(table_id, RETRY_S)
        except Exception:  # noqa: BLE001 - a timer's task has no caller: its bug can show in the log only
            _log.exception("table.closing_failed", table=table_id)
