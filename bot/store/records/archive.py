"""Finished matches, move by move, and the messages in which rounds of them were shared.

A match that was broken off is left out: its hands were never shown.
"""

from dataclasses import astuple
from typing import Final

from sqlalchemy import select

from bot.records.archive import Archive, PastMatch, PastPlace, SharedRound, SharedRounds
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.store.schema import ResultRow, SeatRow, ShareRow, TableRow
from bot.store.schema.codec import read_log
from bot.store.sql import Adapter
from bot.tables.lobby.lobby import Status

MOST: Final = 8
"""Matches to choose from if no match is named."""


class SqlArchive(Adapter, Archive):
    async def finished(
        self, guild_id: int, channel_id: int | None, table_id: int | None = None
    ) -> tuple[PastPlace, ...]:
        query = select(TableRow.id, TableRow.channel_id).where(TableRow.status == Status.OVER.value)
        with_result = query.join(ResultRow, ResultRow.table_id == TableRow.id).where(ResultRow.guild_id == guild_id)
        if table_id is not None:
            queries = [with_result.where(ResultRow.table_id == table_id)]
        else:  # two queries, an index each; one order of both would sort all of a server's matches
            here = query.where(
                TableRow.guild_id == guild_id, TableRow.channel_id == channel_id, TableRow.ended_at.is_not(None)
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


class SqlSharedRounds(Adapter, SharedRounds):
    async def message_of(self, shared: SharedRound) -> int | None:
        row = await self._get(ShareRow, *astuple(shared))
        return None if row is None else row.message_id

    async def keep(self, shared: SharedRound, message_id: int) -> None:
        table_id, number, channel_id = astuple(shared)
        await self._merge(ShareRow(table_id=table_id, round=number, channel_id=channel_id, message_id=message_id))
