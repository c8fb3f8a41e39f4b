"""Reads what everybody on a server may see: matches in channels that @everyone can read, and these channels."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from bot.records.history import MatchRecord
from bot.store.records.history import records_of
from bot.store.schema.tables import ResultRow, TableRow
from bot.store.sql import Adapter

_NEXT_OPEN: Final = select(func.min(TableRow.open_channel_id)).where(
    TableRow.guild_id == bindparam("guild_id"), TableRow.open_channel_id > bindparam("after")
)


class SqlPublished(Adapter):
    """What a site may publish."""

    async def servers(self) -> tuple[int, ...]:
        """Return the servers where a match has ended."""
        return tuple(await self._scalars(select(ResultRow.guild_id).distinct().order_by(ResultRow.guild_id)))

    async def matches(self, guild_id: int, most: int) -> tuple[MatchRecord, ...]:
        """Return the latest matches in channels that @everyone can read, latest first."""
        query = (
            select(ResultRow.table_id)
            .join(TableRow)
            .where(ResultRow.guild_id == guild_id, TableRow.open_channel_id.is_not(None))
            .order_by(ResultRow.ended_at.desc(), ResultRow.table_id.desc())
        )
        youngest = query.limit(most)
        return await self._database.query(lambda session: records_of(session, session.scalars(youngest).all()))

    async def are_open(self, table_ids: Collection[int]) -> bool:
        """Return whether @everyone can read the channel of each of these tables."""
        hidden = select(TableRow.id).where(TableRow.id.in_(table_ids), TableRow.open_channel_id.is_(None))
        return await self._scalar(hidden.limit(1)) is None

    async def open_channels(self, guild_id: int) -> frozenset[int]:
        """Return the channels and threads with matches that @everyone can read."""
        return await self._database.query(lambda session: open_channels(session, guild_id))


def open_channels(session: Session, guild_id: int) -> frozenset[int]:
    """Return the channels and threads with matches that @everyone can read.

    Each is found from the one before it, so the number of its tables does not matter.
    """
    found, last = set[int](), 0
    while (after := session.scalar(_NEXT_OPEN, {"guild_id": guild_id, "after": last})) is not None:
        found.add(last := after)
    return frozenset(found)
