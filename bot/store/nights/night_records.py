"""Nights that were played."""

from sqlalchemy import select

from bot.nights.night import Night, NightStatus
from bot.records.nights import NightRecords
from bot.store.engine.database import Database
from bot.store.nights.reading import read_nights
from bot.store.schema import EntrantRow, NightRow

_FINISHED = (NightStatus.OVER.value, NightStatus.CANCELLED.value)


class SqlNightRecords(NightRecords):
    def __init__(self, database: Database) -> None:
        self._database = database

    async def night(self, guild_id: int, night_id: int) -> Night | None:
        query = select(NightRow).where(NightRow.id == night_id, NightRow.guild_id == guild_id)
        async with self._database.transaction() as session:
            return next(iter(await read_nights(session, query)), None)

    async def past(self, guild_id: int, most: int) -> tuple[Night, ...]:
        query = select(NightRow).where(NightRow.guild_id == guild_id, NightRow.status.in_(_FINISHED))
        async with self._database.transaction() as session:
            return tuple(await read_nights(session, query.order_by(NightRow.starts_at.desc()).limit(most)))

    async def of_person(self, guild_id: int, user_id: int, most: int) -> tuple[Night, ...]:
        query = (
            select(NightRow)
            .join(EntrantRow, EntrantRow.night_id == NightRow.id)
            .where(EntrantRow.user_id == user_id, NightRow.guild_id == guild_id)
            .where(NightRow.status == NightStatus.OVER.value)
        )
        async with self._database.transaction() as session:
            return tuple(await read_nights(session, query.order_by(NightRow.starts_at.desc()).limit(most)))
