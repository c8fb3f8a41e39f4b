"""Which matches everybody may read, kept up to date as channels are hidden or deleted."""

from collections.abc import Collection
from typing import Final

import structlog

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.base.worker import Worker
from bot.tables.cluster import ShardResource
from bot.tables.hub import OpenChannels
from bot.tables.table_store import ServerFilter, TableStore

RETRY_MS: Final = 10_000
"""Milliseconds until a server's change that was not saved is retried."""

_log = structlog.get_logger(__name__)


class OpenMatches(Worker, ShardResource):
    """Hides the matches of hidden channels, one server after another; Discord reports a change only once."""

    def __init__(self, clock: Clock, store: TableStore) -> None:
        super().__init__(clock, "open_matches", self._hide, retry_ms=RETRY_MS)
        self._store = store
        self._due: dict[tuple[int, int | None], Collection[int]] = {}  # by server and thread that is gone

    def changed(self, now: OpenChannels) -> None:
        """Save which channels of a server @everyone can see."""
        self._due[now.guild_id, now.gone_thread_id] = now.channel_ids
        self.wake()

    async def release(self, servers: ServerFilter) -> None:
        """Drop these servers; the process that takes them over checks their channels."""
        self._due = {key: channel_ids for key, channel_ids in self._due.items() if not servers(key[0])}

    async def _hide(self) -> int | None:
        for key, channel_ids in tuple(self._due.items()):
            guild_id, gone_thread_id = key
            try:
                await self._store.save_open_channels(guild_id, channel_ids, gone_thread_id)
            except StoreError as error:
                _log.warning("open_matches.not_saved", server=guild_id, problem=str(error))
                continue
            if self._due.get(key) is channel_ids:
                del self._due[key]
        return self._clock.now() + RETRY_MS if self._due else None
