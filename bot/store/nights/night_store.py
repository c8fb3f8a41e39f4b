"""Running nights. A night is written by the process that serves its server, one version after the other."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import structlog
from sqlalchemy import CursorResult, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import StoreError
from bot.nights.night import Night
from bot.store.engine.database import Database
from bot.store.engine.sql import lock_table, shard_of, upsert
from bot.store.nights.codec import entrant_columns, night_columns, step_columns
from bot.store.nights.reading import read_nights
from bot.store.schema import EntrantRow, NightRow, NightStepRow, ResultRow, TableRow
from bot.store.schema.codec import decode_numbers
from bot.store.tables.fence import require_server
from bot.tables.lobby.lobby import Status
from bot.tables.nights.night_store import MatchScore, NightStore
from bot.tables.shards import ALL, Shard

_Part = type[EntrantRow] | type[NightStepRow]
_PARTS: Final[tuple[tuple[_Part, Callable[[Night], list[dict[str, Any]]]], ...]] = (
    (EntrantRow, entrant_columns),
    (NightStepRow, step_columns),
)
_log = structlog.get_logger(__name__)


class SqlNightStore(NightStore):
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, night: Night, former: Night | None = None) -> Night:
        async with self._database.transaction() as session:
            await require_server(session, self._database, night.guild_id)
            if former is not None:
                await _write(session, former)
            await lock_table(session, NightRow)  # two nights that are planned at once must not take the same number
            last = select(func.coalesce(func.max(NightRow.number), 0)).where(NightRow.guild_id == night.guild_id)
            numbered = replace(night, number=(await session.scalar(last) or 0) + 1)
            row = NightRow(**night_columns(numbered))
            session.add(row)
            await session.flush()
            created = replace(numbered, id=row.id)
            for kind, columns in _PARTS:
                if rows := columns(created):
                    await session.execute(insert(kind), rows)
            return created

    async def save(self, night: Night) -> None:
        async with self._database.transaction() as session:
            await require_server(session, self._database, night.guild_id)
            await _write(session, night)

    async def load(self, night_id: int) -> Night | None:
        async with self._database.transaction() as session:
            return next(iter(await read_nights(session, select(NightRow).where(NightRow.id == night_id))), None)

    async def load_live(self, shard: Shard = ALL) -> tuple[Night, ...]:
        live = select(NightRow).where(NightRow.is_live.is_(True)).order_by(NightRow.id)
        if shard != ALL:
            live = live.where(shard_of(NightRow.guild_id, shard.count) == shard.number)
        nights: list[Night] = []
        async with self._database.transaction() as session:
            for row in (await session.scalars(live)).all():
                try:
                    nights += await read_nights(session, select(NightRow).where(NightRow.id == row.id))
                except StoreError as problem:  # the others go on
                    _log.error("night.unreadable", problem=str(problem))
        return tuple(nights)

    async def score(self, table_id: int) -> MatchScore | None:
        query = (
            select(ResultRow.scores, ResultRow.games)
            .join(TableRow, TableRow.id == ResultRow.table_id)
            .where(ResultRow.table_id == table_id, TableRow.status == Status.OVER.value)
        )
        async with self._database.transaction() as session:
            row = (await session.execute(query)).first()
        return None if row is None else MatchScore(decode_numbers(row.scores), decode_numbers(row.games))


async def _write(session: AsyncSession, night: Night) -> None:
    """Write one version over the version before, and the entrants and steps that are not as they were."""
    former = (NightRow.id == night.id) & (NightRow.version == night.version - 1)
    result = await session.execute(update(NightRow).where(former).values(night_columns(night)))
    assert isinstance(result, CursorResult)
    if result.rowcount != 1:
        raise StoreError(f"Night {night.id} was changed meanwhile: this change is not saved. Try again.")
    for kind, columns in _PARTS:
        query = select(*kind.__table__.columns).where(kind.night_id == night.id)
        stored = {row["number"]: dict(row) for row in (await session.execute(query)).mappings()}
        for row in columns(night):
            if stored.get(row["number"]) != row:
                await _put(session, kind, row)


async def _put(session: AsyncSession, kind: _Part, row: dict[str, Any]) -> None:
    values = {name: value for name, value in row.items() if name not in ("night_id", "number")}
    new = upsert(session, kind).values(row)
    await session.execute(new.on_conflict_do_update(index_elements=["night_id", "number"], set_=values))
