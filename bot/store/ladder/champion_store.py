"""Which players have a server's role for the best of a season."""

from sqlalchemy import ColumnElement, delete, select

from bot.records.seasons import Champion, ChampionStore
from bot.store.engine.database import Database
from bot.store.engine.sql import from_row
from bot.store.schema import ChampionRow, PlayerRow


class SqlChampionStore(ChampionStore):
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_server(self, guild_id: int) -> tuple[Champion, ...]:
        return await self._read(ChampionRow.guild_id == guild_id)

    async def of_person(self, user_id: int) -> tuple[Champion, ...]:
        return await self._read(ChampionRow.user_id == user_id)

    async def add(self, champion: Champion) -> bool:
        async with self._database.transaction() as session:
            key = (champion.guild_id, champion.user_id)
            if await session.get(PlayerRow, key, with_for_update=True) is None:
                return False
            await session.merge(ChampionRow(guild_id=key[0], user_id=key[1], role_id=champion.role_id))
            return True

    async def remove(self, champion: Champion) -> None:
        one = delete(ChampionRow).where(
            ChampionRow.guild_id == champion.guild_id,
            ChampionRow.user_id == champion.user_id,
            ChampionRow.role_id == champion.role_id,
        )
        async with self._database.transaction() as session:
            await session.execute(one)

    async def _read(self, condition: ColumnElement[bool]) -> tuple[Champion, ...]:
        query = select(ChampionRow).where(condition).order_by(ChampionRow.guild_id, ChampionRow.user_id)
        async with self._database.transaction() as session:
            return tuple(from_row(Champion, row) for row in await session.scalars(query))
