"""Finished matches, move by move. One that was not played to its end stays closed: its hands were never laid open."""

from sqlalchemy import select

from bot.live.ports import PastMatch
from bot.store.codec import Codec
from bot.store.database import Database
from bot.store.entries import read_log
from bot.store.models import ResultRow, SeatRow, TableRow


class Archive:
    """The `Archive` of `bot.live.ports`."""

    def __init__(self, database: Database, codec: Codec | None = None) -> None:
        self._database = database
        self._codec = codec or Codec()

    async def finished(self, guild_id: int, channel_id: int | None, table_id: int | None = None) -> PastMatch | None:
        """See `Archive.finished`."""
        query = (
            select(TableRow.id)
            .join(ResultRow, ResultRow.table_id == TableRow.id)
            .where(TableRow.guild_id == guild_id)
            .order_by((TableRow.channel_id == channel_id).desc(), ResultRow.ended_at.desc(), TableRow.id.desc())
            .limit(1)
        )
        if table_id is not None:
            query = query.where(TableRow.id == table_id)
        async with self._database.transaction() as session:
            found = await session.scalar(query)
            if found is None:
                return None
            names = await session.scalars(select(SeatRow.name).where(SeatRow.table_id == found).order_by(SeatRow.seat))
            entries = await read_log(session, self._codec, found)
            return PastMatch(found, tuple(names), tuple(entry.event for entry in entries))
