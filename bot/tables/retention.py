"""Deletes old logs of matches once a day, as each server has chosen; in small batches, so that no move waits."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

import structlog

from bot.tables.clock import Clock
from bot.tables.worker import Worker

BATCH: Final = 2
"""How many matches are purged in one transaction."""
PAUSE_MS: Final = 1_000
"""Milliseconds between two batches."""
FIRST_MS: Final = 10 * 60_000
"""Milliseconds between a start of the bot and the first batch: right after a start there are many presses."""
DAILY_MS: Final = 24 * 60 * 60_000

_log = structlog.get_logger(__name__)


class Retention(Protocol):
    async def purge(self, at: int, most: int) -> tuple[int, ...]:
        """Delete the logs of at most `most` old matches, or raise StoreError. Returns their tables, none at the end."""

    async def count_old(self, guild_id: int, days: int, at: int) -> int:
        """How many matches a server would lose at the instant `at` if it kept them for `days`. Raises StoreError."""


class RetentionJob:
    """Works after `begin`."""

    def __init__(self, clock: Clock, retention: Retention, purged: Callable[[int], Awaitable[None]]) -> None:
        """`purged` is awaited with each table whose log was deleted."""
        self._clock = clock
        self._retention = retention
        self._purged = purged
        self._worker = Worker(clock, "retention", self._purge, retry_ms=DAILY_MS)
        self.stop: Final = self._worker.stop

    def begin(self) -> None:
        """Delete a first batch after a while; a second call does nothing."""
        if self._worker.is_stopped:
            self._worker.begin(self._clock.now() + FIRST_MS)

    async def _purge(self) -> int:
        ids = await self._retention.purge(self._clock.now(), BATCH)
        for table_id in ids:
            await self._purged(table_id)
        if ids:
            _log.info("retention.purged", tables=ids)
        return self._clock.now() + (PAUSE_MS if ids else DAILY_MS)
