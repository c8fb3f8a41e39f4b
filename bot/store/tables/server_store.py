"""The settings of servers, apart from their ladders."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy.ext.asyncio import AsyncSession

from bot.store.engine.database import Database
from bot.store.engine.sql import from_row
from bot.store.schema import ServerRow
from bot.store.schema.codec import decode_numbers, encode
from bot.tables.lobby.absence import Absence
from bot.tables.server_settings import ServerSettings, ServerStore


class SqlServerStore(ServerStore):
    def __init__(self, database: Database, *, changed: Callable[[int], None] = lambda _guild_id: None) -> None:
        """`changed` is called with the id of a server whose settings were changed."""
        self._database = database
        self._changed = changed
        self._one_at_a_time = asyncio.Lock()  # from reading to saving; only this process writes

    async def read(self, guild_id: int) -> ServerSettings:
        async with self._database.transaction() as session:
            return await _settings(session, guild_id)

    async def change(self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        async with self._one_at_a_time, self._database.transaction() as session:
            changed = change(await _settings(session, guild_id))
            values = asdict(changed) | {"table_channels": encode(changed.table_channels)}
            await session.merge(ServerRow(guild_id=guild_id, **values))
        self._changed(guild_id)
        return changed


async def _settings(session: AsyncSession, guild_id: int) -> ServerSettings:
    row = await session.get(ServerRow, guild_id)
    if row is None:
        return ServerSettings()
    channels, absence = decode_numbers(row.table_channels), Absence(row.absence)
    return from_row(ServerSettings, row, table_channels=channels, absence=absence)
