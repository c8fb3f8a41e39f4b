"""The settings of servers, apart from their ladders."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy.ext.asyncio import AsyncSession

from bot.store.engine.database import Database
from bot.store.schema import ServerRow
from bot.store.schema.codec import decode_numbers, encode_numbers
from bot.tables.absence import Absence
from bot.tables.server_settings import ServerSettings, ServerStore


class SqlServerStore(ServerStore):
    """`ServerStore` in SQL."""

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
            values = asdict(changed) | {"table_channels": encode_numbers(changed.table_channels)}
            await session.merge(ServerRow(guild_id=guild_id, **values))
        self._changed(guild_id)
        return changed


async def _settings(session: AsyncSession, guild_id: int) -> ServerSettings:
    row = await session.get(ServerRow, guild_id)
    if row is None:
        return ServerSettings()
    return ServerSettings(
        language=row.language,
        table_channels=decode_numbers(row.table_channels),
        podium_channel=row.podium_channel,
        champion_role=row.champion_role,
        absence=Absence(row.absence),
        afk_seconds=row.afk_seconds,
        retention_days=row.retention_days,
        retained_until=row.retained_until,
    )
