"""What the next run of the bot has to know to edit the ephemeral panels of this one."""

import asyncio
from collections.abc import Collection
from typing import Final

import structlog

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.discord.rate_limits.throttling import Coalescer, RequestPermit
from bot.tables.table_store import OpenPanel, PanelKey, PanelStore

FRESH_MS: Final = 14 * 60 * 1000
"""How long a panel is updated without a press of its owner: an interaction's token expires after 15 minutes."""
RENEW_MS: Final = 4 * 60 * 1000
"""A token that is newer by less than this is not saved: the older one still reaches the same message."""
SAVE_INTERVAL: Final = 1.0
"""Seconds between two batches."""

_log = structlog.get_logger(__name__)


class PanelMemory:
    """Saves the tokens of ephemeral panels for the next run, in batches for which no press waits.

    A panel whose batch a crash has prevented stays as it is until its owner presses again.
    """

    def __init__(self, store: PanelStore | None, clock: Clock) -> None:
        """Save into the store; without one, save nothing."""
        self.clock = clock
        self._store = store
        self._news: dict[PanelKey, OpenPanel | None] = {}
        self._noted: dict[PanelKey, OpenPanel] = {}  # the newest of each panel that the store has, or gets next
        self._renewed: dict[PanelKey, OpenPanel] = {}  # the same panels, reached by newer tokens
        self._lock = asyncio.Lock()
        self._writer = Coalescer(self._write, interval=lambda _is_urgent: SAVE_INTERVAL)

    def is_fresh(self, made_at: int, within_ms: int = FRESH_MS) -> bool:
        """Return whether the token of a press at that time is younger than `within_ms` (both in milliseconds)."""
        return self.clock.now() - made_at < within_ms

    def opened(self, key: PanelKey, panel: OpenPanel) -> None:
        """Record a panel that was opened, or a newer token of an open one."""
        if self._store is None:
            return
        noted = self._noted.get(key)
        if noted is not None and panel.made_at - noted.made_at < RENEW_MS and _shown(noted) == _shown(panel):
            self._renewed[key] = panel
            return
        self._noted[key] = panel
        self._renewed.pop(key, None)
        self._note(key, panel)

    def closed(self, key: PanelKey) -> None:
        """Record that a panel was closed."""
        self._noted.pop(key, None)
        self._renewed.pop(key, None)
        self._note(key, None)

    async def load(self, table_ids: Collection[int]) -> tuple[OpenPanel, ...]:
        """Return the saved panels of these tables; none if they cannot be read."""
        if self._store is None:
            return ()
        try:
            saved = await self._store.load(self.clock.now() - FRESH_MS, table_ids)
        except StoreError as error:
            _log.warning("panels.not_read", problem=str(error))
            return ()
        for key in [key for key in self._noted if key[0] in table_ids]:  # another process has saved there since
            del self._noted[key]
        self._noted |= {panel.key: panel for panel in saved}
        return saved

    async def save(self) -> None:
        """Save all changes at once, with the newest tokens."""
        self._news, self._renewed = {**self._renewed, **self._news}, {}
        await self._write(RequestPermit())

    async def close(self) -> None:
        """Save all changes, and stop."""
        async with self._lock:  # a running batch is not interrupted
            self._writer.close()
        await self.save()

    def _note(self, key: PanelKey, panel: OpenPanel | None) -> None:
        if self._store is not None:
            self._news[key] = panel
            self._writer.request_update()

    async def _write(self, permit: RequestPermit) -> None:
        async with self._lock:
            news, self._news = self._news, {}
            if self._store is None or not news:
                return
            permit.record_sent()
            opened = [panel for panel in news.values() if panel is not None]
            closed = [key for key, panel in news.items() if panel is None]
            try:
                await self._store.save(opened, closed, self.clock.now() - FRESH_MS)
            except StoreError as error:
                self._news = news | self._news  # they go with the next batch
                _log.warning("panels.not_saved", problem=str(error))


def _shown(panel: OpenPanel) -> tuple[object, ...]:
    """Return all fields of a panel but its token."""
    return panel.message_id, panel.seat, panel.page, panel.language, panel.round
