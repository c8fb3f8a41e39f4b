"""What the ends of seasons ask to be done, kept until it is done. Duties are saved with the end that they belong to."""

import secrets
from typing import Any, Final

from sqlalchemy import ScalarSelect, Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder.season_duties import GRACE_MS, DutyProblem, DutyReport, Progress, SeasonDuty, Task, Trouble, until
from bot.ladder.seasons import Every, Schedule, Season, next_boundary
from bot.store.engine.database import Database
from bot.store.engine.models import LadderRow, SeasonDutyRow, SeasonRow, StandingRow
from bot.store.engine.sql import upsert

_NONCE_BYTES = 12
_DUE = SeasonDutyRow.progress == Progress.DUE.value
_WAS_DONE = SeasonDutyRow.told.is_not(None)
_AGAIN: Final = {"progress": Progress.DUE.value, "problem": None, "due_at": 0, "tries": 0}


class SqlSeasonDutyStore:
    """The `SeasonDutyStore` of `bot.tables.jobs.season_ends`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def settle(self, at: int) -> None:
        """See `SeasonDutyStore.settle`."""
        settled = select(SeasonDutyRow.season).where(
            SeasonDutyRow.guild_id == SeasonRow.guild_id, SeasonDutyRow.season == SeasonRow.number
        )
        over = select(SeasonRow).where(SeasonRow.ends_at <= at - GRACE_MS, ~settled.exists())
        async with self._database.transaction() as session:
            for row in (await session.scalars(over)).all():
                await settle_end(session, row.guild_id, season_of(row), at)

    async def due(self, at: int, guild_id: int | None = None, *, most: int) -> tuple[Task, ...]:
        """See `SeasonDutyStore.due`."""
        query = _with_seasons().where(SeasonDutyRow.due_at <= at)
        if guild_id is not None:
            query = query.where(SeasonDutyRow.guild_id == guild_id)
        query = query.order_by(SeasonDutyRow.guild_id, SeasonDutyRow.season, SeasonDutyRow.duty.desc()).limit(most)
        async with self._database.transaction() as session:
            return tuple(_task(row, season) for row, season in await session.execute(query))

    async def note(self, task: Task, report: DutyReport, due_at: int | None) -> None:
        """See `SeasonDutyStore.note`."""
        values = {
            "progress": report.progress.value,
            "problem": None if report.problem is None else report.problem.value,
            "due_at": due_at,
            "tries": task.tries + (report.problem is not None),
        }
        stands: dict[str, Any] = {}  # what has failed leaves what stands
        if report.progress in (Progress.DONE, Progress.NOTHING):
            stands = {"told": report.told, "channel_id": report.channel_id, "message_id": report.message_id}
        ours = update(SeasonDutyRow).where(
            SeasonDutyRow.guild_id == task.guild_id,
            SeasonDutyRow.duty == task.duty.value,
            SeasonDutyRow.season == task.season.number,
        )
        noted = ours.where(SeasonDutyRow.asked == task.asked).values(values | stands).returning(SeasonDutyRow.asked)
        async with self._database.transaction() as session:
            if await session.scalar(noted) is None and stands:
                await session.execute(ours.values(stands))
            if task.duty is SeasonDuty.CHAMPION:
                await _pass_on(session, task, report.progress)

    async def podium(self, guild_id: int, number: int) -> DutyReport:
        """See `SeasonDutyStore.podium`."""
        async with self._database.transaction() as session:
            row = await session.get(SeasonDutyRow, (guild_id, number, SeasonDuty.PODIUM.value))
        if row is None:
            return DutyReport(Progress.NOTHING)
        problem = None if row.problem is None else DutyProblem(row.problem)
        return DutyReport(Progress(row.progress), problem, row.channel_id, row.message_id, row.told)

    async def posted(self, guild_id: int, number: int, report: DutyReport) -> None:
        """See `SeasonDutyStore.posted`."""
        podium = update(SeasonDutyRow).where(
            SeasonDutyRow.guild_id == guild_id,
            SeasonDutyRow.season == number,
            SeasonDutyRow.duty == SeasonDuty.PODIUM.value,
        )
        stands = {"told": report.told, "channel_id": report.channel_id, "message_id": report.message_id}
        async with self._database.transaction() as session:
            await session.execute(podium.values(stands | _AGAIN | {"asked": SeasonDutyRow.asked + 1}))

    async def retry_now(self, guild_id: int, at: int) -> None:
        """See `SeasonDutyStore.retry_now`."""
        again = update(SeasonDutyRow).where(SeasonDutyRow.guild_id == guild_id, _DUE)
        async with self._database.transaction() as session:
            await session.execute(again.values(due_at=at))

    async def next_at(self, at: int) -> int | None:
        """See `SeasonDutyStore.next_at`.

        A season of the calendar is saved with its first result: its end is known before, as that of its calendar.
        """
        boundary = at - GRACE_MS
        async with self._database.transaction() as session:
            calendars = await session.execute(select(LadderRow.season_every, LadderRow.zone).distinct())
            schedules = {Schedule(), *(Schedule(Every(every), zone) for every, zone in calendars)}
            ends_at = await session.scalar(select(func.min(SeasonRow.ends_at)).where(SeasonRow.ends_at > boundary))
            due_at = await session.scalar(select(func.min(SeasonDutyRow.due_at)))
        ends = [end for end in (ends_at, next_boundary(schedules, boundary)) if end is not None]
        return min([end + GRACE_MS for end in ends] + ([] if due_at is None else [due_at]), default=None)

    async def troubles(self, guild_id: int) -> tuple[Trouble, ...]:
        """See `SeasonDutyStore.troubles`."""
        last = select(func.max(SeasonDutyRow.season)).where(SeasonDutyRow.guild_id == guild_id).scalar_subquery()
        query = _with_seasons().where(
            SeasonDutyRow.guild_id == guild_id,
            SeasonDutyRow.problem.is_not(None),
            _DUE | ((SeasonDutyRow.progress == Progress.GIVEN_UP.value) & (SeasonDutyRow.season == last)),
        )
        async with self._database.transaction() as session:
            rows = await session.execute(query.order_by(SeasonDutyRow.season, SeasonDutyRow.duty.desc()))
            return tuple(
                Trouble(task.season, task.duty, task.problem, row.progress != Progress.DUE.value, task.is_correction)
                for row, season in rows
                if (task := _task(row, season)).problem is not None
            )


async def settle_end(session: AsyncSession, guild_id: int, season: Season, at: int) -> None:
    """Write down, once, what is to be done now that a season is over."""
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


async def ask_again(session: AsyncSession, guild_id: int, since: int = 0) -> None:
    """The boards of a server's seasons, from one on, may have changed after their end.

    Podiums that were posted are due again, and so is the role where the champion has it for one of these seasons.
    """
    ours = update(SeasonDutyRow).where(SeasonDutyRow.guild_id == guild_id, SeasonDutyRow.season >= since)
    is_podium = SeasonDutyRow.duty == SeasonDuty.PODIUM.value
    stands = _WAS_DONE & (is_podium | (SeasonDutyRow.season == _crowned(guild_id)))
    await session.execute(ours.where(stands | _DUE).values(asked=SeasonDutyRow.asked + 1))
    await session.execute(ours.where(stands).values(_AGAIN))


async def ask_about(session: AsyncSession, user_id: int, guild_id: int | None = None) -> None:
    """The boards that a person is on, of a server or of all, will show somebody else now, or the person again."""
    ours = [StandingRow.user_id == user_id, StandingRow.is_ranked.is_(True)]
    ours += [] if guild_id is None else [StandingRow.guild_id == guild_id]
    first = select(StandingRow.guild_id, func.min(StandingRow.season)).where(*ours).group_by(StandingRow.guild_id)
    for server, since in (await session.execute(first)).all():
        await ask_again(session, server, since)


async def _pass_on(session: AsyncSession, task: Task, came: Progress) -> None:
    """What the role for the best of a season means for those of the seasons before."""
    champions = update(SeasonDutyRow).where(
        SeasonDutyRow.guild_id == task.guild_id, SeasonDutyRow.duty == SeasonDuty.CHAMPION.value
    )
    older = champions.where(SeasonDutyRow.season < task.season.number)
    if came is Progress.DONE:  # who was it before is so no more
        await session.execute(older.where(_DUE).values(progress=Progress.NOTHING.value, due_at=None))
        await session.execute(older.where(_WAS_DONE).values(told=""))
    elif came is Progress.NOTHING and task.is_correction:  # nobody was: then it is again who was it before
        before = champions.where(SeasonDutyRow.season == _crowned(task.guild_id))
        await session.execute(before.values(_AGAIN | {"asked": SeasonDutyRow.asked + 1}))


def _crowned(guild_id: int) -> ScalarSelect[int]:
    """The season whose best have the role of a server."""
    champions = (SeasonDutyRow.guild_id == guild_id, SeasonDutyRow.duty == SeasonDuty.CHAMPION.value)
    return select(func.max(SeasonDutyRow.season)).where(*champions, _WAS_DONE).scalar_subquery()


def season_of(row: SeasonRow) -> Season:
    return Season(row.number, row.starts_at, row.ends_at, row.name)


def _with_seasons() -> Select[SeasonDutyRow, SeasonRow]:
    same = (SeasonRow.guild_id == SeasonDutyRow.guild_id) & (SeasonRow.number == SeasonDutyRow.season)
    return select(SeasonDutyRow, SeasonRow).join(SeasonRow, same)


def _task(row: SeasonDutyRow, season: SeasonRow) -> Task:
    problem = None if row.problem is None else DutyProblem(row.problem)
    return Task(
        row.guild_id,
        season_of(season),
        SeasonDuty(row.duty),
        row.nonce,
        row.until,
        row.tries,
        problem,
        row.asked,
        row.told,
        row.channel_id,
        row.message_id,
    )
