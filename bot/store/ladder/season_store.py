"""Seasons of a server, what it has chosen for its ladder, and which players have its role for the best of a season.

A season of the calendar is saved when it is first needed. Its duties are saved with its end and kept until they are
done.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, ScalarSelect, Select, Update, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder import seasons
from bot.ladder.seasons import (
    GRACE_MS,
    DutyProblem,
    DutyReport,
    Every,
    Gates,
    Progress,
    Schedule,
    Season,
    SeasonDuty,
    Setup,
    Task,
    Trouble,
    next_boundary,
    until,
)
from bot.records.seasons import Champion, ChampionStore, SeasonStore
from bot.store.engine.cluster import is_served
from bot.store.engine.database import Database
from bot.store.schema.codec import encode
from bot.store.schema.ladder import ChampionRow, LadderRow, PlayerRow, SeasonDutyRow, SeasonRow, StandingRow
from bot.store.schema.tables import EntrantRow, NightRow
from bot.store.sql import Adapter, from_row, put, upsert
from bot.tables.season_ends import SeasonDutyStore

_NONCE_BYTES = 12
_DUE = SeasonDutyRow.progress == Progress.DUE.value
_WAS_DONE = SeasonDutyRow.digest.is_not(None)
_IS_PODIUM = SeasonDutyRow.duty == SeasonDuty.PODIUM.value
_IS_CHAMPION = SeasonDutyRow.duty == SeasonDuty.CHAMPION.value
_AGAIN: Final = {"progress": Progress.DUE.value, "problem": None, "due_at": 0, "tries": 0}
_ASKED: Final = {"asked": SeasonDutyRow.asked + 1}


class SqlSeasonDutyStore(Adapter, SeasonDutyStore):
    async def add_duties(self, at: int) -> None:
        has_duties = select(SeasonDutyRow.season).where(
            SeasonDutyRow.guild_id == SeasonRow.guild_id, SeasonDutyRow.season == SeasonRow.number
        )
        over = select(SeasonRow).where(SeasonRow.ends_at <= at - GRACE_MS, ~has_duties.exists())
        async with self._database.transaction() as session:
            for row in (await session.scalars(over)).all():
                await add_duties_of(session, row.guild_id, season_of(row), at)

    async def due(self, at: int, guild_id: int | None = None, *, most: int) -> tuple[Task, ...]:
        query = _with_seasons().where(
            SeasonDutyRow.due_at <= at, is_served(self._database.cluster, SeasonDutyRow.guild_id)
        )
        if guild_id is not None:
            query = query.where(SeasonDutyRow.guild_id == guild_id)
        query = query.order_by(SeasonDutyRow.guild_id, SeasonDutyRow.season, SeasonDutyRow.duty.desc()).limit(most)
        return tuple(_task(row, season) for row, season in await self._rows(query))

    async def note(self, task: Task, report: DutyReport, due_at: int | None) -> None:
        values = {
            "progress": report.progress.value,
            "problem": None if report.problem is None else report.problem.value,
            "due_at": due_at,
            "tries": task.tries + (report.problem is not None),
        }
        stands: dict[str, Any] = {}  # a failure leaves the posted message as it is
        if report.progress in (Progress.DONE, Progress.NOTHING):
            stands = _stands(report)
        is_duty = SeasonDutyRow.duty == task.duty.value
        ours = _update(task.guild_id, is_duty, SeasonDutyRow.season == task.season.number)
        noted = ours.where(SeasonDutyRow.asked == task.asked).values(values | stands).returning(SeasonDutyRow.asked)
        async with self._database.transaction() as session:
            if await session.scalar(noted) is None and stands:
                await session.execute(ours.values(stands))
            if task.duty is SeasonDuty.CHAMPION:
                await _update_older_champions(session, task, report.progress)

    async def podium(self, guild_id: int, number: int) -> DutyReport:
        row = await self._get(SeasonDutyRow, guild_id, number, SeasonDuty.PODIUM.value)
        return (
            DutyReport(Progress.NOTHING)
            if row is None
            else from_row(DutyReport, row, progress=Progress(row.progress), problem=_problem(row))
        )

    async def posted(self, guild_id: int, number: int, report: DutyReport) -> None:
        podium = _update(guild_id, _IS_PODIUM, SeasonDutyRow.season == number)
        await self._change(podium.values(_stands(report) | _AGAIN | _ASKED))

    async def retry_now(self, guild_id: int, at: int) -> None:
        await self._change(_update(guild_id, _DUE).values(due_at=at))

    async def next_at(self, at: int) -> int | None:
        # A season of the calendar is saved with its first result; its end follows from the calendar even before.
        boundary = at - GRACE_MS
        async with self._database.reading() as session:
            calendars = await session.execute(select(LadderRow.season_every, LadderRow.zone).distinct())
            schedules = {Schedule(), *(Schedule(Every(every), zone) for every, zone in calendars)}
            ends_at = await session.scalar(select(func.min(SeasonRow.ends_at)).where(SeasonRow.ends_at > boundary))
            ours = is_served(self._database.cluster, SeasonDutyRow.guild_id)
            due_at = await session.scalar(select(func.min(SeasonDutyRow.due_at)).where(ours))
        ends = [end for end in (ends_at, next_boundary(schedules, boundary)) if end is not None]
        return min([end + GRACE_MS for end in ends] + ([] if due_at is None else [due_at]), default=None)

    async def troubles(self, guild_id: int) -> tuple[Trouble, ...]:
        last = select(func.max(SeasonDutyRow.season)).where(SeasonDutyRow.guild_id == guild_id).scalar_subquery()
        query = _with_seasons().where(
            SeasonDutyRow.guild_id == guild_id,
            SeasonDutyRow.problem.is_not(None),
            _DUE | ((SeasonDutyRow.progress == Progress.GIVEN_UP.value) & (SeasonDutyRow.season == last)),
        )
        rows = await self._rows(query.order_by(SeasonDutyRow.season, SeasonDutyRow.duty.desc()))
        return tuple(
            Trouble(task.season, task.duty, task.problem, row.progress != Progress.DUE.value, task.is_correction)
            for row, season in rows
            if (task := _task(row, season)).problem is not None
        )


async def add_duties_of(session: AsyncSession, guild_id: int, season: Season, at: int) -> None:
    """Save the duties of a season that is over; those that are saved already stay."""
    assert season.ends_at is not None
    for duty in SeasonDuty:
        new = upsert(session, SeasonDutyRow).values(
            guild_id=guild_id,
            season=season.number,
            duty=duty.value,
            progress=Progress.DUE.value,
            nonce=secrets.token_hex(_NONCE_BYTES),
            until=until(duty, season.ends_at, at),
            due_at=at,
            tries=0,
        )
        await session.execute(new.on_conflict_do_nothing())


async def reopen_duties(session: AsyncSession, guild_id: int, since: int = 0) -> None:
    """Make duties due again: the boards of a server's seasons from `since` on may have changed after their end.

    These are the podiums that were posted, and the champion's role if it was given for one of these seasons.
    """
    ours = _update(guild_id, SeasonDutyRow.season >= since)
    stands = _WAS_DONE & (_IS_PODIUM | (SeasonDutyRow.season == _champion_season(guild_id)))
    await session.execute(ours.where(stands | _DUE).values(_ASKED))
    await session.execute(ours.where(stands).values(_AGAIN))


async def reopen_duties_about(session: AsyncSession, user_id: int, guild_id: int | None = None) -> None:
    """Make duties due again for the seasons whose boards list a player, in one server or in all."""
    ours = [StandingRow.user_id == user_id, StandingRow.is_ranked.is_(True)]
    ours += [] if guild_id is None else [StandingRow.guild_id == guild_id]
    first = select(StandingRow.guild_id, func.min(StandingRow.season)).where(*ours).group_by(StandingRow.guild_id)
    for server, since in (await session.execute(first)).all():
        await reopen_duties(session, server, since)


async def _update_older_champions(session: AsyncSession, task: Task, came: Progress) -> None:
    """Adjust the champions of earlier seasons to what came of the duty of a later one."""
    champions = _update(task.guild_id, _IS_CHAMPION)
    older = champions.where(SeasonDutyRow.season < task.season.number)
    if came is Progress.DONE:  # the role has left the earlier champions
        await session.execute(older.where(_DUE).values(progress=Progress.NOTHING.value, due_at=None))
        await session.execute(older.where(_WAS_DONE).values(digest=""))
    elif came is Progress.NOTHING and task.is_correction:  # without a champion, the one before gets the role
        before = champions.where(SeasonDutyRow.season == _champion_season(task.guild_id))
        await session.execute(before.values(_AGAIN | _ASKED))


def _champion_season(guild_id: int) -> ScalarSelect[int]:
    """The season whose champion has the role of a server."""
    champions = (SeasonDutyRow.guild_id == guild_id, _IS_CHAMPION, _WAS_DONE)
    return select(func.max(SeasonDutyRow.season)).where(*champions).scalar_subquery()


def _stands(report: DutyReport) -> dict[str, Any]:
    return {"digest": report.digest, "channel_id": report.channel_id, "message_id": report.message_id}


def season_of(row: SeasonRow) -> Season:
    return from_row(Season, row)


def _update(guild_id: int, *where: ColumnElement[bool]) -> Update:
    return update(SeasonDutyRow).where(SeasonDutyRow.guild_id == guild_id, *where)


def _with_seasons() -> Select[SeasonDutyRow, SeasonRow]:
    same = (SeasonRow.guild_id == SeasonDutyRow.guild_id) & (SeasonRow.number == SeasonDutyRow.season)
    return select(SeasonDutyRow, SeasonRow).join(SeasonRow, same)


def _task(row: SeasonDutyRow, season: SeasonRow) -> Task:
    return from_row(Task, row, season=season_of(season), duty=SeasonDuty(row.duty), problem=_problem(row))


def _problem(row: SeasonDutyRow) -> DutyProblem | None:
    return None if row.problem is None else DutyProblem(row.problem)


class SqlSeasonStore(Adapter, SeasonStore):
    def __init__(self, database: Database, *, changed: Callable[[], None] = lambda: None) -> None:
        """`changed` is called when the next end of a season may be another."""
        super().__init__(database)
        self._one_at_a_time = asyncio.Lock()  # from reading to saving; only this process writes
        self._changed = changed

    async def setup(self, guild_id: int) -> Setup:
        async with self._database.reading() as session:
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
        async with self._database.reading() as session:
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
                nights = select(NightRow.id).where(NightRow.guild_id == champion.guild_id)
                signed_up = select(EntrantRow).where(
                    EntrantRow.user_id == champion.user_id, EntrantRow.night_id.in_(nights)
                )
                if await session.scalar(signed_up.limit(1).with_for_update()) is None:
                    return False
            await session.merge(ChampionRow(**asdict(champion)))
            return True

    async def remove(self, champion: Champion) -> None:
        one = delete(ChampionRow).where(
            ChampionRow.guild_id == champion.guild_id,
            ChampionRow.user_id == champion.user_id,
            ChampionRow.role_id == champion.role_id,
            ChampionRow.of_night.is_(champion.of_night),
        )
        await self._change(one)

    async def _read(self, condition: ColumnElement[bool]) -> tuple[Champion, ...]:
        query = (
            select(ChampionRow)
            .where(condition)
            .order_by(ChampionRow.guild_id, ChampionRow.user_id, ChampionRow.of_night)
        )
        return tuple(from_row(Champion, row) for row in await self._scalars(query))
