"""Finished matches, move by move. A match that was broken off is left out: its hands were never shown."""

from typing import Final

from sqlalchemy import select

from bot.records.archive import Archive, PastMatch, PastPlace
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.store.engine.database import Database
from bot.store.schema import ResultRow, SeatRow, TableRow
from bot.store.schema.event_log import read_log
from bot.tables.lobby.lobby import Status

MOST: Final = 8
"""Matches to choose from if no match is named."""


class SqlArchive(Archive):
    def __init__(self, database: Database) -> None:
        self._database = database

    async def finished(
        self, guild_id: int, channel_id: int | None, table_id: int | None = None
    ) -> tuple[PastPlace, ...]:
        query = select(TableRow.id, TableRow.channel_id)
        with_result = query.join(ResultRow, ResultRow.table_id == TableRow.id).where(
            ResultRow.guild_id == guild_id, TableRow.status == Status.OVER.value
        )
        if table_id is not None:
            queries = [with_result.where(ResultRow.table_id == table_id)]
        else:  # two queries, an index each; one order of both would sort all of a server's matches
            here = query.where(
                TableRow.guild_id == guild_id,
                TableRow.channel_id == channel_id,
                TableRow.ended_at.is_not(None),
                TableRow.status == Status.OVER.value,
            )
            queries = [
                here.order_by(TableRow.ended_at.desc(), TableRow.id.desc()),
                with_result.order_by(ResultRow.ended_at.desc(), ResultRow.table_id.desc()),
            ]
        found: dict[int, int] = {}
        async with self._database.transaction() as session:
            for each in queries:
                if len(found) < MOST:
                    for row in await session.execute(each.limit(MOST)):
                        found.setdefault(row.id, row.channel_id)
            sat = select(SeatRow.table_id, SeatRow.user_id).where(SeatRow.table_id.in_(found))
            seats = [(row.table_id, row.user_id) for row in await session.execute(sat)]
        return tuple(
            PastPlace(table, channel, frozenset(user for sat_at, user in seats if sat_at == table and user is not None))
            for table, channel in list(found.items())[:MOST]
        )

    async def read(self, table_id: int) -> PastMatch | None:
        query = select(TableRow.theme).join(ResultRow, ResultRow.table_id == TableRow.id)
        async with self._database.transaction() as session:
            theme = await session.scalar(query.where(TableRow.id == table_id, TableRow.status == Status.OVER.value))
            if theme is None:
                return None
            seats = await session.scalars(select(SeatRow).where(SeatRow.table_id == table_id).order_by(SeatRow.seat))
            people = tuple(Player(row.name, row.user_id) for row in seats)
            entries = await read_log(session, table_id)
            return PastMatch(table_id, Theme(theme), people, tuple(entry.event for entry in entries))
