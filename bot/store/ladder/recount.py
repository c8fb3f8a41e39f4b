"""Everything that follows from the record of finished matches, made anew: standings, pairs and ratings.

A match that is declared void is left out, and then all is as if it had never been played. One short transaction takes
it out of the sums and writes down that the server's ratings are to be made anew from it on (`RecountRow`). They are
made in steps of some matches: read in a transaction, rated in a thread beside it, written in another; then the people's
present ratings, some at a time. So nobody waits for long. What ends meanwhile is counted on the ratings of that moment,
and its number is higher: it is rated again in its turn. The last transaction finds no match that has not been, makes
podiums due again and removes the `RecountRow`.

Until then boards and profiles show ratings of before. What is interrupted begins again with the next start (`begin`):
which matches are to be rated again follows from the record alone. So it does when somebody is forgotten meanwhile, or
when another match becomes void.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import structlog
from sqlalchemy import case, delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import StoreError
from bot.ladder.formula import FORMULA, Formula
from bot.records.seasons import VoidCode
from bot.store.engine.database import Database
from bot.store.engine.models import PlayerRow, PlayRow, RecountRow, ResultRow, StandingRow, TableRow, VoidRow
from bot.store.engine.sql import hold_back, upsert
from bot.store.ladder.count_match import player_values, standing_values
from bot.store.ladder.rebuild_totals import add_up_again
from bot.store.ladder.rerating import RatedPart, Rerating
from bot.store.ladder.season_duties import ask_again
from bot.store.records.finished import record_plays
from bot.store.tables.codec import Codec
from bot.tables.lobby import Status

MATCHES: Final = 100
"""Matches that are rated in one step."""
PEOPLE: Final = 100
"""People whose present ratings are written in one transaction."""
RETRY_S: Final = 30.0
"""Until what the database refused to do is tried again."""

_STAMP_BITS = 31

_log = structlog.get_logger(__name__)


class _OutdatedError(Exception):
    """Somebody else has finished the recount, or it must begin again."""


class _StoppedError(Exception):
    """The bot stops: the rest is for the next start."""


class SqlRecount:
    """Rebuilds, and the `Referee` of `bot.records.seasons`."""

    def __init__(
        self,
        database: Database,
        codec: Codec | None = None,
        *,
        formula: Formula = FORMULA,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`changed` is called when the boards of seasons that are over may have changed."""
        self._database = database
        self._codec = codec or Codec()
        self._formula = formula
        self._changed = changed
        self._turn = asyncio.Lock()
        self._stopping = asyncio.Event()
        self._finishing: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Finish what was interrupted, beside everything else."""
        if self._finishing is None or self._finishing.done():
            self._finishing = asyncio.get_running_loop().create_task(self._finish_all())

    async def stop(self) -> None:
        """Let the step that is under way end."""
        self._stopping.set()
        if self._finishing is not None:
            await self._finishing
        async with self._turn:
            pass

    async def rebuild(self) -> int:
        """Make the standings of all servers anew, and return how many matches were counted.

        What each person did is read from the logs of matches that ended before it was recorded.
        """
        async with self._database.transaction() as session:
            guilds = (await session.scalars(select(ResultRow.guild_id).distinct())).all()
        for guild_id in guilds:
            await self._fill(guild_id)
            async with self._database.transaction() as session:
                await _ask(session, guild_id, 0, 0)
                seasons = (await session.scalars(_seasons(guild_id))).all()
            for season in seasons:
                async with self._database.transaction() as session:
                    await hold_back(session, ResultRow)
                    await add_up_again(session, guild_id, season)
            await self.finish(guild_id)
        async with self._database.transaction() as session:
            return await session.scalar(select(func.count()).select_from(ResultRow)) or 0

    async def void(self, guild_id: int, table_id: int, *, by_id: int, reason: str, at: int) -> VoidCode:
        """See `Referee.void`."""
        async with self._database.transaction() as session:
            await hold_back(session, ResultRow)
            result = await session.get(ResultRow, table_id)
            if result is None or result.guild_id != guild_id:
                return VoidCode.NO_MATCH
            if await session.get(VoidRow, table_id) is not None:
                return VoidCode.ALREADY_VOID
            session.add(VoidRow(table_id=table_id, guild_id=guild_id, by_id=by_id, reason=reason, at=at))
            await _ask(session, guild_id, result.number, result.season)
            ours = update(PlayRow).where(PlayRow.table_id == table_id)
            void = ours.values(is_void=True, mu=None, sigma=None, shown=None).returning(PlayRow.user_id)
            users = (await session.scalars(void)).all()
            await add_up_again(session, guild_id, result.season, users)
        try:
            await self.finish(guild_id)
        except StoreError as error:  # it is void all the same, and the rest is done as soon as it can be
            _log.warning("recount.interrupted", guild=guild_id, problem=str(error))
            self.begin()
        except _StoppedError:
            pass
        return VoidCode.VOIDED

    async def finish(self, guild_id: int) -> None:
        """Make a server's ratings anew, if they are to be.

        Raises:
            StoreError: the rest is still to be done.
        """
        async with self._turn:
            while True:
                async with self._database.transaction() as session:
                    asked = await session.get(RecountRow, guild_id)
                if asked is None:
                    return
                try:
                    await self._rate_again(asked)
                except _OutdatedError:
                    continue
                self._changed()

    async def _finish_all(self) -> None:
        while not await self._is_all_finished():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), RETRY_S)

    async def _is_all_finished(self) -> bool:
        try:
            async with self._database.transaction() as session:
                guilds = (await session.scalars(select(RecountRow.guild_id))).all()
            for guild_id in guilds:
                await self.finish(guild_id)
        except StoreError as error:
            _log.warning("recount.interrupted", problem=str(error))
            return self._stopping.is_set()
        except _StoppedError:
            return True
        except Exception:  # noqa: BLE001 - nobody awaits it: the log is the only place where its bug can show
            _log.exception("recount.broken")
        return True

    async def _fill(self, guild_id: int) -> None:
        played = exists().where(PlayRow.table_id == ResultRow.table_id)
        query = (
            select(ResultRow.table_id)
            .join(TableRow, TableRow.id == ResultRow.table_id)
            .where(ResultRow.guild_id == guild_id, TableRow.purged_at.is_(None), ~played)
        )
        async with self._database.transaction() as session:
            missing = (await session.scalars(query)).all()
        for table_id in missing:
            async with self._database.transaction() as session:
                await record_plays(session, self._codec, table_id)

    async def _rate_again(self, asked: RecountRow) -> None:
        """Each turn of the loop takes some matches or some people off what is left to do."""
        rerating, last = Rerating(asked.since, self._formula), 0
        if asked.since == 0:  # also those who have a rating and no match
            async with self._database.transaction() as session:
                rated = select(PlayerRow.user_id).where(PlayerRow.guild_id == asked.guild_id, PlayerRow.mu.is_not(None))
                rerating.changed |= {user_id: set() for user_id in await session.scalars(rated)}
        while True:
            if self._stopping.is_set():
                raise _StoppedError
            upto, parts = await self._read(asked.guild_id, last)
            if upto is not None:
                plays = await asyncio.to_thread(rerating.take, parts)
                if plays:
                    async with self._step(asked) as session:
                        await session.execute(update(PlayRow), plays)
                last = upto
            elif rerating.changed:
                people = sorted(rerating.changed)[:PEOPLE]
                async with self._step(asked) as session:
                    await _write(
                        session, asked.guild_id, rerating, [user for user in people if user > 0], self._formula
                    )
                for user_id in people:
                    del rerating.changed[user_id]
            elif await self._close(asked, last):
                return

    async def _read(self, guild_id: int, last: int) -> tuple[int | None, list[RatedPart]]:
        """Who was in each of the next ranked matches, and the number of the last match looked at; None at the end."""
        numbers = select(ResultRow.number).where(ResultRow.guild_id == guild_id, ResultRow.number > last)
        upto = select(func.max(numbers.order_by(ResultRow.number).limit(MATCHES).subquery().c.number))
        query = (
            select(
                ResultRow.number,
                PlayRow.user_id,
                PlayRow.table_id,
                PlayRow.season,
                PlayRow.ended_at,
                PlayRow.team,
                PlayRow.place,
                PlayRow.has_left,
                PlayRow.is_void,
                TableRow.status != Status.OVER.value,
                PlayRow.mu,
                PlayRow.sigma,
            )
            .join(PlayRow, PlayRow.table_id == ResultRow.table_id)
            .join(TableRow, TableRow.id == ResultRow.table_id)
            .where(ResultRow.guild_id == guild_id, ResultRow.number > last, PlayRow.is_ranked.is_(True))
            .order_by(ResultRow.number, PlayRow.user_id)
        )
        async with self._database.transaction() as session:
            end = await session.scalar(upto)
            if end is None:
                return None, []
            return end, [RatedPart._make(row) for row in await session.execute(query.where(ResultRow.number <= end))]

    @asynccontextmanager
    async def _step(self, asked: RecountRow) -> AsyncIterator[AsyncSession]:
        """A transaction in which no match is counted, of a recount that is still asked for."""
        async with self._database.transaction() as session:
            await hold_back(session, ResultRow)
            query = select(RecountRow.stamp).where(RecountRow.guild_id == asked.guild_id)
            if await session.scalar(query.with_for_update()) != asked.stamp:
                raise _OutdatedError
            yield session

    async def _close(self, asked: RecountRow, last: int) -> bool:
        async with self._step(asked) as session:
            later = select(ResultRow.number).where(ResultRow.guild_id == asked.guild_id, ResultRow.number > last)
            if await session.scalar(later.limit(1)) is not None:
                return False
            await ask_again(session, asked.guild_id, asked.season)
            await session.execute(delete(RecountRow).where(RecountRow.guild_id == asked.guild_id))
            return True


async def begin_again(session: AsyncSession) -> None:
    """People are others than they were: what recounts know of them is not true any more."""
    await session.execute(update(RecountRow).values(stamp=secrets.randbits(_STAMP_BITS)))


async def _ask(session: AsyncSession, guild_id: int, since: int, season: int) -> None:
    """Ratings are to be made anew from a match on, and boards of seasons from one on may be others then."""
    new = upsert(session, RecountRow).values(
        guild_id=guild_id, since=since, season=season, stamp=secrets.randbits(_STAMP_BITS)
    )

    def first(name: str) -> Any:
        known, asked = getattr(RecountRow, name), new.excluded[name]
        return case((known < asked, known), else_=asked)

    values = {"since": first("since"), "season": first("season"), "stamp": new.excluded.stamp}
    await session.execute(new.on_conflict_do_update(index_elements=["guild_id"], set_=values))


def _seasons(guild_id: int) -> Any:
    return select(ResultRow.season).where(ResultRow.guild_id == guild_id).distinct()


async def _write(session: AsyncSession, guild_id: int, rerating: Rerating, users: list[int], formula: Formula) -> None:
    """Some people's present ratings, and those of the seasons in which they are others now."""
    players = [
        {"guild_id": guild_id, "user_id": user_id, **player_values(rerating.present(user_id))} for user_id in users
    ]
    standings = [
        {
            "guild_id": guild_id,
            "user_id": user_id,
            "season": season,
            "is_ranked": True,
            **standing_values(rating, formula),
        }
        for user_id in users
        for season in sorted(rerating.changed[user_id])
        if (rating := rerating.in_season(user_id, season)) is not None
    ]
    for row, values in ((PlayerRow, players), (StandingRow, standings)):
        if values:
            await session.execute(update(row), values)
