"""Finished matches, move by move. One that was not played to its end stays closed: its hands were never laid open."""

from typing import Final

from sqlalchemy import select

from bot.live.people import Player
from bot.live.ports import PastMatch, PastPlace
from bot.live.themes import Theme
from bot.store.codec import Codec
from bot.store.database import Database
from bot.store.entries import read_log
from bot.store.models import ResultRow, SeatRow, TableRow

HANDFUL: Final = 8
"""Matches to choose from, where none is named."""


class Archive:
    """The `Archive` of `bot.live.ports`."""

    def __init__(self, database: Database, codec: Codec | None = None) -> None:
        self._database = database
        self._codec = codec or Codec()

    async def finished(
        self, guild_id: int, channel_id: int | None, table_id: int | None = None
    ) -> tuple[PastPlace, ...]:
        """See `Archive.finished`."""
        query = (
            select(TableRow.id, TableRow.channel_id)
            .join(ResultRow, ResultRow.table_id == TableRow.id)
            .where(TableRow.guild_id == guild_id)
            .order_by((TableRow.channel_id == channel_id).desc(), ResultRow.ended_at.desc(), TableRow.id.desc())
            .limit(HANDFUL)
        )
        if table_id is not None:
            query = query.where(TableRow.id == table_id)
        async with self._database.transaction() as session:
            places = [(row.id, row.channel_id) for row in await session.execute(query)]
            sat = select(SeatRow.table_id, SeatRow.user_id).where(SeatRow.table_id.in_(found for found, _ in places))
            seats = [(row.table_id, row.user_id) for row in await session.execute(sat)]
        return tuple(
            PastPlace(found, channel, frozenset(user for table, user in seats if table == found and user is not None))
            for found, channel in places
        )

    async def read(self, table_id: int) -> PastMatch | None:
        """See `Archive.read`."""
        query = select(TableRow.theme).join(ResultRow, ResultRow.table_id == TableRow.id)
        async with self._database.transaction() as session:
            theme = await session.scalar(query.where(TableRow.id == table_id))
            if theme is None:
                return None
            seats = await session.scalars(select(SeatRow).where(SeatRow.table_id == table_id).order_by(SeatRow.seat))
            people = tuple(Player(row.name, row.user_id) for row in seats)
            entries = await read_log(session, self._codec, table_id)
            return PastMatch(table_id, Theme(theme), people, tuple(entry.event for entry in entries))
