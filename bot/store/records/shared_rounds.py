"""The messages in which rounds of finished matches were shared."""

from dataclasses import astuple

from bot.records.shared_rounds import SharedRound, SharedRounds
from bot.store.engine.database import Database
from bot.store.schema import ShareRow


class SqlSharedRounds(SharedRounds):
    def __init__(self, database: Database) -> None:
        self._database = database

    async def message_of(self, shared: SharedRound) -> int | None:
        async with self._database.transaction() as session:
            row = await session.get(ShareRow, astuple(shared))
            return None if row is None else row.message_id

    async def keep(self, shared: SharedRound, message_id: int) -> None:
        table_id, number, channel_id = astuple(shared)
        async with self._database.transaction() as session:
            await session.merge(ShareRow(table_id=table_id, round=number, channel_id=channel_id, message_id=message_id))
