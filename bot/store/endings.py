"""What the ends of seasons ask to be done, kept until it is done. Duties are saved with the end that they belong to."""

import secrets

from sqlalchemy import Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.ladder.endings import GRACE_MS, Duty, Problem, Progress, Report, Task, Trouble, until
from bot.ladder.seasons import Every, Schedule, Season, next_boundary
from bot.store.database import Database
from bot.store.models import LadderRow, SeasonDutyRow, SeasonRow
from bot.store.sql import upsert

_NONCE_BYTES = 12
_DUE = SeasonDutyRow.progress == Progress.DUE.value


class Endings:
    """The `EndingBook` of `bot.live.season_ends`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def settle(self, at: int) -> None:
        """See `EndingBook.settle`."""
        settled = select(SeasonDutyRow.season).where(
            SeasonDutyRow.guild_id == SeasonRow.guild_id, SeasonDutyRow.season == SeasonRow.number
        )
        over = select(SeasonRow).where(SeasonRow.ends_at <= at - GRACE_MS, ~settled.exists())
        async with self._database.transaction() as session:
            for row in (await session.scalars(over)).all():
                await settle_end(session, row.guild_id, season_of(row), at)

    async def due(self, at: int, guild_id: int | None = None, *, most: int) -> tuple[Task, ...]:
        """See `EndingBook.due`."""
        query = _with_seasons().where(SeasonDutyRow.due_at <= at)
        if guild_id is not None:
            query = query.where(SeasonDutyRow.guild_id == guild_id)
        query = query.order_by(SeasonDutyRow.guild_id, SeasonDutyRow.season, SeasonDutyRow.duty.desc()).limit(most)
        async with self._database.transaction() as session:
            return tuple(_task(row, season) for row, season in await session.execute(query))

    async def note(self, task: Task, report: Report, due_at: int | None) -> None:
        """See `EndingBook.note`."""
        of_server = (SeasonDutyRow.guild_id == task.guild_id, SeasonDutyRow.duty == task.duty.value)
        values = {
            "progress": report.progress.value,
            "problem": None if report.problem is None else report.problem.value,
            "channel_id": report.channel_id,
            "message_id": report.message_id,
            "due_at": due_at,
            "tries": task.tries + (report.problem is not None),
        }
        ours = update(SeasonDutyRow).where(*of_server, SeasonDutyRow.season == task.season.number)
        older = update(SeasonDutyRow).where(*of_server, SeasonDutyRow.season < task.season.number, _DUE)
        async with self._database.transaction() as session:
            await session.execute(ours.values(values))
            if task.duty is Duty.CHAMPION and report.progress is Progress.DONE:  # who was it before is so no more
                await session.execute(older.values(progress=Progress.NOTHING.value, due_at=None))

    async def podium(self, guild_id: int, number: int) -> Report:
        """See `EndingBook.podium`."""
        async with self._database.transaction() as session:
            row = await session.get(SeasonDutyRow, (guild_id, number, Duty.PODIUM.value))
        if row is None:
            return Report(Progress.NOTHING)
        problem = None if row.problem is None else Problem(row.problem)
        return Report(Progress(row.progress), problem, row.channel_id, row.message_id)

    async def hurry(self, guild_id: int, at: int) -> None:
        """See `EndingBook.hurry`."""
        again = update(SeasonDutyRow).where(SeasonDutyRow.guild_id == guild_id, _DUE)
        async with self._database.transaction() as session:
            await session.execute(again.values(due_at=at))

    async def next_at(self, at: int) -> int | None:
        """See `EndingBook.next_at`.

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
        """See `EndingBook.troubles`."""
        last = select(func.max(SeasonDutyRow.season)).where(SeasonDutyRow.guild_id == guild_id).scalar_subquery()
        query = _with_seasons().where(
            SeasonDutyRow.guild_id == guild_id,
            SeasonDutyRow.problem.is_not(None),
            _DUE | ((SeasonDutyRow.progress == Progress.GIVEN_UP.value) & (SeasonDutyRow.season == last)),
        )
        async with self._database.transaction() as session:
            rows = await session.execute(query.order_by(SeasonDutyRow.season, SeasonDutyRow.duty.desc()))
            return tuple(
                Trouble(task.season, task.duty, task.problem, row.progress != Progress.DUE.value)
                for row, season in rows
                if (task := _task(row, season)).problem is not None
            )


async def settle_end(session: AsyncSession, guild_id: int, season: Season, at: int) -> None:
    """Write down, once, what is to be done now that a season is over."""
    assert season.ends_at is not None
    for duty in Duty:
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


def season_of(row: SeasonRow) -> Season:
    return Season(row.number, row.starts_at, row.ends_at, row.name)


def _with_seasons() -> Select[SeasonDutyRow, SeasonRow]:
    same = (SeasonRow.guild_id == SeasonDutyRow.guild_id) & (SeasonRow.number == SeasonDutyRow.season)
    return select(SeasonDutyRow, SeasonRow).join(SeasonRow, same)


def _task(row: SeasonDutyRow, season: SeasonRow) -> Task:
    problem = None if row.problem is None else Problem(row.problem)
    return Task(row.guild_id, season_of(season), Duty(row.duty), row.nonce, row.until, row.tries, problem)
