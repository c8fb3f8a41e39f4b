"""Deletes of old matches what their server does not want kept: logs, rounds, names, and who left them.

What each person did (`plays`) and the results stay as numbers, so standings and ratings stay, and can be made anew. Of
a match without a result nothing stays but its number, which must not be given again.
"""

from collections.abc import Sequence
from typing import Final

import structlog
from sqlalchemy import delete, exists, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import StoreError
from bot.store.engine.database import Database
from bot.store.engine.models import (
    DepartureRow,
    EventRow,
    PanelRow,
    PlayRow,
    ResultRow,
    RoundRow,
    SeatRow,
    ServerRow,
    TableRow,
)
from bot.store.records.finished import record_plays
from bot.store.tables.codec import Codec
from bot.tables.lobby import Status

DAY_MS: Final = 24 * 60 * 60 * 1000
NO_NAME: Final = ""
NOBODY: Final = 0
_CLOSED: Final = (Status.OVER.value, Status.CANCELLED.value, Status.EXPIRED.value)

_log = structlog.get_logger(__name__)


class SqlRetention:
    """The `Retention` of `bot.tables.jobs.retention`."""

    def __init__(self, database: Database, codec: Codec | None = None) -> None:
        self._database = database
        self._codec = codec or Codec()

    async def purge(self, at: int, most: int) -> tuple[int, ...]:
        """See `Retention.purge`."""
        due = select(ServerRow).where(ServerRow.retention_days.is_not(None), ServerRow.retained_until <= at)
        async with self._database.transaction() as session:
            for server in (await session.scalars(due.order_by(ServerRow.guild_id))).all():
                assert server.retention_days is not None, "it was asked for"
                ids = await _old(session, server.guild_id, at - server.retention_days * DAY_MS, most)
                if ids:
                    await self._count(session, ids)
                    await _delete(session, ids, at)
                    return tuple(ids)
        return ()

    async def _count(self, session: AsyncSession, ids: Sequence[int]) -> None:
        """Keep what people did in matches that ended before that was written down."""
        counted = exists().where(PlayRow.table_id == ResultRow.table_id)
        uncounted = select(ResultRow.table_id).where(ResultRow.table_id.in_(ids), ~counted)
        for table_id in (await session.scalars(uncounted)).all():
            try:
                await record_plays(session, self._codec, table_id)
            except StoreError as error:
                _log.warning("retention.not_counted", table=table_id, problem=str(error))


async def _old(session: AsyncSession, guild_id: int, before: int, most: int) -> Sequence[int]:
    """Tables that were closed for good before an instant, and still are whole."""
    query = (
        select(TableRow.id)
        .outerjoin(ResultRow, ResultRow.table_id == TableRow.id)
        .where(TableRow.guild_id == guild_id, TableRow.purged_at.is_(None), TableRow.opened_at < before)
        .where(TableRow.status.in_(_CLOSED), ResultRow.ended_at.is_(None) | (ResultRow.ended_at < before))
        .order_by(TableRow.opened_at)
        .limit(most)
    )
    return (await session.scalars(query)).all()


async def _delete(session: AsyncSession, ids: Sequence[int], at: int) -> None:
    for row in (EventRow, RoundRow, DepartureRow, PanelRow):
        await session.execute(delete(row).where(row.table_id.in_(ids)))
    has_result = exists().where(ResultRow.table_id == SeatRow.table_id)
    await session.execute(delete(SeatRow).where(SeatRow.table_id.in_(ids), ~has_result))
    people = update(SeatRow).where(SeatRow.table_id.in_(ids), SeatRow.user_id.is_not(None))
    await session.execute(people.values(name=NO_NAME, ballot=None))
    await session.execute(update(TableRow).where(TableRow.id.in_(ids)).values(host_id=NOBODY, purged_at=at))
