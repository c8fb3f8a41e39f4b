"""Seasons of a server, and what it has chosen for its ladder.

A season of the calendar is saved when it is first needed.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import msgspec
from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder import seasons
from bot.ladder.eligibility import Gates
from bot.ladder.seasons import Every, Schedule, Season
from bot.ladder.setup import Setup
from bot.records.seasons import SeasonStore
from bot.store.engine.database import Database
from bot.store.engine.sql import upsert
from bot.store.ladder.season_duties import add_duties_of, season_of
from bot.store.schema import LadderRow, SeasonRow
from bot.store.schema.codec import encode


class SqlSeasonStore(SeasonStore):
    def __init__(self, database: Database, *, changed: Callable[[], None] = lambda: None) -> None:
        """`changed` is called when the next end of a season may be another."""
        self._database = database
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
            await _save_setup(session, guild_id, setup)
            if season is not None and setup.schedule != before.schedule:
                await _save(session, guild_id, seasons.rescheduled(season, setup.schedule, at))
        self._changed()
        return setup

    async def running(self, guild_id: int, at: int) -> Season | None:
        async with self._database.transaction() as session:
            return await season_at(session, guild_id, at)

    async def listed(self, guild_id: int) -> tuple[Season, ...]:
        query = select(SeasonRow).where(SeasonRow.guild_id == guild_id).order_by(SeasonRow.number.desc())
        async with self._database.transaction() as session:
            return tuple(season_of(row) for row in await session.scalars(query))

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
    values = {"name": season.name, "starts_at": season.starts_at, "ends_at": season.ends_at}
    new = upsert(session, SeasonRow).values(guild_id=guild_id, number=season.number, **values)
    await session.execute(new.on_conflict_do_update(index_elements=["guild_id", "number"], set_=values))


async def _save_setup(session: AsyncSession, guild_id: int, setup: Setup) -> None:
    values = {
        "ranked_presets": encode(setup.gates.presets),
        "sign_required": setup.gates.sign_required,
        "season_every": setup.schedule.every.value,
        "zone": setup.schedule.zone,
    }
    new = upsert(session, LadderRow).values(guild_id=guild_id, **values)
    await session.execute(new.on_conflict_do_update(index_elements=["guild_id"], set_=values))
