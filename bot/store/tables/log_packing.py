"""Packs the logs of matches that are over: one compressed value takes a tenth of the rows.

Each log is packed in a transaction of its own, after it was read, compressed and compared while others' moves run. An
interruption leaves nothing half done.
"""

import asyncio
from contextlib import suppress
from typing import Final

import structlog
from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from bot.base.clock import WallClock
from bot.base.errors import StoreError
from bot.base.worker import Worker
from bot.store.engine.cluster import is_served
from bot.store.engine.database import Database
from bot.store.engine.failures import RejectedError
from bot.store.schema.codec import StoredEvent, pack, read_stored, unpack
from bot.store.schema.tables import EventRow, LogRow, TableRow
from bot.store.sql import Adapter, changed_row_count
from bot.tables.lobby.lobby import Status

BATCH: Final = 50
"""Logs that are looked for at once."""
FIRST_MS: Final = 60_000
EVERY_MS: Final = 600_000
REST_S: Final = 0.02
"""Seconds between two logs."""
_CLOSED: Final = (Status.OVER.value, Status.CANCELLED.value)

_log = structlog.get_logger(__name__)


class _ChangedError(Exception):
    """The log is no longer the one that was read."""


class SqlLogPacking(Adapter):
    """A job that packs logs."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._damaged: set[int] = set()
        """Tables whose logs stay as they are: somebody may be able to mend them."""
        self._worker = Worker(WallClock(), "packing", self._pack_due, retry_ms=EVERY_MS, first_ms=FIRST_MS)
        self._is_stopping = False

    def start(self) -> None:
        """Start packing."""
        self._is_stopping = False
        self._worker.start()

    async def stop(self) -> None:
        """Wait for the end of the log that is being packed."""
        self._is_stopping = True
        await self._worker.stop()

    async def pack_all(self) -> int:
        """Pack the logs of all matches that are over, and return how many were packed."""
        count = 0
        while ids := await self._due():
            for table_id in ids:
                if self._is_stopping:
                    return count
                count += await self._pack(table_id)
                await asyncio.sleep(REST_S)
        return count

    async def _pack_due(self) -> int:
        count = await self.pack_all()
        if count:
            _log.info("packing.done", matches=count)
        return WallClock().now() + EVERY_MS

    async def _due(self) -> list[int]:
        """Return some tables whose matches are over and whose logs are still rows."""
        query = (
            select(EventRow.table_id)
            .join(TableRow, TableRow.id == EventRow.table_id)
            .where(
                EventRow.seq == 1,
                TableRow.status.in_(_CLOSED),
                EventRow.table_id.not_in(self._damaged),
                is_served(self._database.cluster, TableRow.guild_id),
            )
        )
        return list(await self._scalars(query.order_by(EventRow.table_id).limit(BATCH)))

    async def _pack(self, table_id: int) -> bool:
        """Pack one log, and return whether it was packed."""
        log = (await self._database.query(lambda session: read_stored(session, (table_id,))))[table_id]
        packed = None if isinstance(log, StoreError) else await asyncio.to_thread(_packed, log)
        if packed is None or isinstance(log, StoreError):
            self._damaged.add(table_id)
            _log.warning("packing.damaged_log", table=table_id)
            return False

        def replace(session: Session) -> None:
            session.execute(insert(LogRow).values(table_id=table_id, packed_events=packed))
            if changed_row_count(session, delete(EventRow).where(EventRow.table_id == table_id)) != len(log):
                raise _ChangedError

        with suppress(_ChangedError, RejectedError):  # it is looked for again
            await self._database.change(replace, tables=(table_id,))
            return True
        return False


def _packed(log: list[StoredEvent]) -> bytes | None:
    """Return the packed log; None if the same events would not come back from it."""
    packed = pack(log)
    try:
        return packed if unpack(packed) == log else None
    except StoreError:
        return None
