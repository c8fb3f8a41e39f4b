"""Finished matches, move by move, and the messages in which rounds of them were shared.

A match that was broken off is left out: its hands were never shown.
"""

from dataclasses import astuple

from sqlalchemy import select

from bot.records.archive import Archive, PastMatch, SharedRound, SharedRounds
from bot.records.card_theme import Theme
from bot.records.player import Player
from bot.store.schema.codec import decode_numbers, read_log
from bot.store.schema.tables import ResultRow, SeatRow, ShareRow, TableRow
from bot.store.sql import Adapter
from bot.tables.lobby.lobby import Status


class SqlArchive(Adapter, Archive):
    async def read(self, table_id: int) -> PastMatch | None:
        query = select(TableRow.theme).join(ResultRow, ResultRow.table_id == TableRow.id)
        async with self._database.transaction() as session:
            theme = await session.scalar(query.where(TableRow.id == table_id, TableRow.status == Status.OVER.value))
            if theme is None:
                return None
            seats = await session.scalars(select(SeatRow).where(SeatRow.table_id == table_id).order_by(SeatRow.seat))
            people = tuple(Player(row.name, row.user_id, handed_over=decode_numbers(row.handed_over)) for row in seats)
            entries = await read_log(session, table_id)
            return PastMatch(table_id, Theme(theme), people, tuple(entry.event for entry in entries))


class SqlSharedRounds(Adapter, SharedRounds):
    async def message_of(self, shared: SharedRound) -> int | None:
        row = await self._get(ShareRow, *astuple(shared))
        return None if row is None else row.message_id

    async def keep(self, shared: SharedRound, message_id: int) -> None:
        table_id, number, channel_id = astuple(shared)
        await self._merge(ShareRow(table_id=table_id, round=number, channel_id=channel_id, message_id=message_id))
