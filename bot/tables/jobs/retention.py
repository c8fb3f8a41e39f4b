"""Deletes old logs of matches once a day, as each server has chosen; in small batches, so that no move waits."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import structlog

from bot.errors import StoreError
from bot.tables.clock import Clock

BATCH: Final = 2
"""How many matches are purged in one transaction."""
PAUSE_S: Final = 1.0
"""Seconds between two batches."""
FIRST_S: Final = 10 * 60.0
"""Seconds between a start of the bot and the first batch: right after a start there are many presses."""
DAILY_S: Final = 24 * 60 * 60.0

_log = structlog.get_logger(__name__)


class Retention(Protocol):
    async def purge(self, at: int, most: int) -> tuple[int, ...]:
        """Delete the logs of at most `most` old matches, or raise StoreError. Returns their tables, none at the end."""

    async def count_old(self, guild_id: int, days: int, at: int) -> int:
        """How many matches a server would lose at the instant `at` if it kept them for `days`. Raises StoreError."""


class RetentionJob:
    """One timer, which runs after `begin`."""

    def __init__(self, clock: Clock, retention: Retention, purged: Callable[[int], Awaitable[None]]) -> None:
        """`purged` is awaited with each table whose log was deleted."""
        self._clock = clock
        self._retention = retention
        self._purged = purged
        self._timer: asyncio.TimerHandle | None = None
        self._working: asyncio.Task[None] | None = None
        self._is_running = False

    def begin(self) -> None:
        """Start the timer; a second call does nothing."""
        if not self._is_running:
            self._is_running = True
            self._wait(FIRST_S)

    async def stop(self) -> None:
        """Stop the timer; a batch that is under way is finished first."""
        self._is_running = False
        if self._timer is not None:
            self._timer.cancel()
        if self._working is not None:
            await self._working

    def _wait(self, seconds: float) -> None:
        if self._is_running:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._fall_due)

    def _fall_due(self) -> None:
        self._working = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        ids: tuple[int, ...] = ()
        try:
            ids = await self._retention.purge(self._clock.now(), BATCH)
            for table_id in ids:
                await self._purged(table_id)
            if ids:
                _log.info("retention.purged", tables=ids)
        except StoreError as error:
            _log.warning("retention.failed", problem=str(error))
        except Exception:  # noqa: BLE001 - a timer's task has no caller: its bug can show in the log only
            _log.exception("retention.broken")
        self._wait(PAUSE_S if ids else DAILY_S)
