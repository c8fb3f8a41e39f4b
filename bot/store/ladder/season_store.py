"""Seasons of a server, what it has chosen for its ladder, and which players have its role for the best of a season.

A season of the calendar is saved when it is first needed.
"""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, replace

import msgspec
from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder import seasons
from bot.ladder.eligibility import Gates, Setup
from bot.ladder.seasons import Every, Schedule, Season
from bot.records.seasons import Champion, ChampionStore, SeasonStore
from bot.store.engine.database import Database
from bot.store.ladder.season_duties import add_duties_of, season_of
from bot.store.schema.codec import encode
from bot.store.schema.ladder import ChampionRow, LadderRow, PlayerRow, SeasonRow
from bot.store.sql import Adapter, from_row, put


class SqlSeasonStore(Adapter, SeasonStore):
    def __init__(self, database: Database, *, changed: Callable[[], None] = lambda: None) -> None:
        """`changed` is called when the next end of a season may be another."""
        super().__init__(database)
        self._one_at_a_time = asyncio.Lock()  # from reading to saving; only this process writes
        self._changed = changed

    async def setup(self, guild_id: int) -> Setup:
        async with self._database.transaction() as session:
            return await setup_of(session, guild_id)

    async def choose(self, guild_id: int, change: Callable[[Setup], Setup], at: int) -> Setup:
        async with self._one_at_a_time, self._database.transaction() as session:
            before = await setup_of(session, guild_id)
            setup = change(before)
            season = await _find_saved(session, guild_id, at)
            values = {
                "guild_id": guild_id,
                "ranked_presets": encode(setup.gates.presets),
                "sign_required": setup.gates.sign_required,
                "season_every": setup.schedule.every.value,
                "zone": setup.schedule.zone,
            }
            await put(session, LadderRow, values)
            if season is not None and setup.schedule != before.schedule:
                await _save(session, guild_id, seasons.rescheduled(season, setup.schedule, at))
        self._changed()
        return setup

    async def running(self, guild_id: int, at: int) -> Season | None:
        async with self._database.transaction() as session:
            return await season_at(session, guild_id, at)

    async def listed(self, guild_id: int) -> tuple[Season, ...]:
        query = select(SeasonRow).where(SeasonRow.guild_id == guild_id).order_by(SeasonRow.number.desc())
        return tuple(season_of(row) for row in await self._scalars(query))

    async def start(self, guild_id: int, at: int, name: str | None) -> Season | None:
        async with self._database.transaction() as session:
            setup = await setup_of(session, guild_id)
            started = seasons.start(await _latest(session, guild_id), setup.schedule, at, name)
            if started is not None:
                await _save(session, guild_id, started)
            return started

    async def end(self, guild_id: int, at: int, number: int) -> Season | None:
        async with self._database.transaction() as session:
            running = await season_at(session, guild_id, at)
            if running is None or running.number != number:
                return None
            ended = await _change(session, guild_id, at, lambda season: replace(season, ends_at=at))
            if ended is not None:
                await add_duties_of(session, guild_id, ended, at)
        self._changed()
        return ended

    async def rename(self, guild_id: int, at: int, name: str) -> Season | None:
        async with self._database.transaction() as session:
            return await _change(session, guild_id, at, lambda season: replace(season, name=name))


async def setup_of(session: AsyncSession, guild_id: int) -> Setup:
    row = await session.get(LadderRow, guild_id)
    if row is None:
        return Setup()
    presets = msgspec.json.decode(row.ranked_presets, type=tuple[str, ...])
    return Setup(Gates(presets, row.sign_required), Schedule(Every(row.season_every), row.zone))


async def season_at(session: AsyncSession, guild_id: int, at: int) -> Season | None:
    """The season of an instant, saved or not; None between seasons."""
    return await _find_saved(session, guild_id, at) or await _next(session, guild_id, at)


async def saved_season(session: AsyncSession, guild_id: int, at: int) -> int:
    """The number of the season of an instant, after saving it; 0 between seasons."""
    season = await _find_saved(session, guild_id, at)
    if season is None:
        season = await _next(session, guild_id, at)
        if season is None:
            return 0
        await _save(session, guild_id, season)
    return season.number


async def gates_at(session: AsyncSession, guild_id: int, at: int) -> Gates | None:
    """What a server requires of a ranked table; None between seasons."""
    if await season_at(session, guild_id, at) is None:
        return None
    return (await setup_of(session, guild_id)).gates


async def _find_saved(session: AsyncSession, guild_id: int, at: int) -> Season | None:
    begun = await _latest(session, guild_id, SeasonRow.starts_at <= at)
    return begun if begun is not None and begun.holds(at) else None


async def _next(session: AsyncSession, guild_id: int, at: int) -> Season | None:
    """The season that the calendar begins for an instant that no saved season holds."""
    return seasons.season_at(await _latest(session, guild_id), (await setup_of(session, guild_id)).schedule, at)


async def _latest(session: AsyncSession, guild_id: int, *where: ColumnElement[bool]) -> Season | None:
    query = select(SeasonRow).where(SeasonRow.guild_id == guild_id, *where)
    row = await session.scalar(query.order_by(SeasonRow.number.desc()).limit(1))
    return None if row is None else season_of(row)


async def _change(session: AsyncSession, guild_id: int, at: int, change: Callable[[Season], Season]) -> Season | None:
    """The running season, changed and saved."""
    season = await season_at(session, guild_id, at)
    if season is None:
        return None
    changed = change(season)
    await _save(session, guild_id, changed)
    return changed


async def _save(session: AsyncSession, guild_id: int, season: Season) -> None:
    await put(session, SeasonRow, {"guild_id": guild_id, **asdict(season)})


class SqlChampionStore(Adapter, ChampionStore):
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
        return tuple(from_row(Champion, row) for row in await self._scalars(query))
