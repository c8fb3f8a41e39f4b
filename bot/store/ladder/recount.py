"""Computes standings, pairs and ratings again from the record of finished matches.

A void match counts as if it had never been played. One short transaction takes it out of the sums and requests a
recount of the server's ratings (`RecountRow`). The recount runs in steps while play goes on: some matches are read in
one transaction, rated in a thread and written in another; then come the players' present ratings, in batches. The last
transaction checks that no match has ended meanwhile, marks the seasons whose boards may have changed, and deletes the
request. Until then boards and profiles show the old ratings.

Ratings before the first changed match stay: they are read from the plays. A recount starts over there after a stop
(`start`), when another match becomes void, and once the erasure of a player, which suspends it, is over. What is
written already is equal then, and is not written again.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

import structlog
from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session

from bot.base.clock import WallClock
from bot.base.errors import StoreError
from bot.base.worker import Worker
from bot.ladder.formula import FORMULA, Formula, RankedMatch, Rating, RunningRatings
from bot.records.seasons import Recount, VoidCode
from bot.store.engine.database import Database, Made
from bot.store.ladder.careers import read_career, write_career
from bot.store.ladder.count_match import play_values, player_values, rebuild_totals, standing_values, take_out
from bot.store.ladder.earlier_ratings import by_match, earlier_player, first_known, ranked_parts, rated_matches
from bot.store.ladder.recount_requests import is_erasing, request_recount
from bot.store.ladder.season_store import show_again
from bot.store.schema.ladder import PlayerRow, PlayRow, RecountRow, StandingRow, VoidRow
from bot.store.schema.tables import ResultRow
from bot.store.sql import Adapter, AnyRow, lock_table

MATCHES: Final = 50
"""Matches that are rated in one step."""
PEOPLE: Final = 20
"""Players whose present ratings are written in one transaction."""
STRANGERS: Final = 10
"""Players whose earlier ratings one transaction reads."""
RETRY_MS: Final = 30_000
"""The wait after a failure of the database."""

_COMPARED: Final = ("mu", "sigma", "rated_at", "is_provisional")
"""The columns of `StandingRow` that say whether a rating differs; idleness changes the others."""
_COMPARED_IN_PLAYS: Final = ("mu", "sigma", "ranked_number", "opponents", "day_start_rating")

_log = structlog.get_logger(__name__)


class Rerating:
    """Rates a server's ranked matches in the order in which they were counted, starting at the one with `number`.

    The ratings depend on the record of matches alone, not on how far an interrupted run came.
    """

    def __init__(self, formula: Formula, guild_id: int, number: int) -> None:
        self.unwritten: set[int] = set()
        """Players of the matches so far whose present ratings may differ from the stored ones."""
        self.in_season: dict[tuple[int, int], Rating] = {}
        """The ratings after the last match of a season so far, by user and season."""
        self._formula = formula
        self.guild_id: Final = guild_id
        self._number = number
        self._seasons: set[tuple[int, int]] = set()
        self._known: set[int] = set()
        self._running = RunningRatings(formula)
        self.present: Final = self._running.ratings
        """The ratings after the matches so far, by user."""

    def remember(self, parts: Sequence[AnyRow]) -> None:
        """Add matches before the first one to be rated, with the ratings that they had; later ones depend on them."""
        for match, after in rated_matches(parts):
            self._running.remember(match, after)

    def strangers(self, parts: Sequence[AnyRow]) -> Sequence[int]:
        """Return the players of these parts that `meet` has to read first."""
        if self._number <= 1:
            return ()
        self._seasons |= {(part.user_id, part.season) for part in parts}
        return sorted({part.user_id for part in parts} - self._known)

    def meet(self, session: Session, users: Sequence[int]) -> None:
        """Read the earlier ratings of some players."""
        for user_id in users:
            self._known.add(user_id)
            if (before := earlier_player(session, self.guild_id, user_id, self._number, self._formula)) is None:
                continue
            self._running.remember_player(user_id, before.rating, before.deserters)
            self.in_season |= {(user_id, season): rating for season, rating in before.in_season.items()}

    def may_differ(self, user_id: int, season: int) -> bool:
        """Return whether the player's rating in a season may have changed."""
        return self._number <= 1 or (user_id, season) in self._seasons

    def rate(self, parts: Iterable[AnyRow]) -> list[dict[str, Any]]:
        """Rate the next complete matches (rows of `ranked_parts`); call `meet` for their players first.

        Returns:
            The columns of each `PlayRow` whose stored rating differs.
        """
        return [values for match, own in by_match(list(parts)) for values in self._match(match, own)]

    def _match(self, match: RankedMatch | None, parts: Sequence[AnyRow]) -> list[dict[str, Any]]:
        self.unwritten |= {part.user_id for part in parts}
        if match is None:
            return []
        after = self._running.rate(match)
        self.in_season |= {(user_id, match.season): rating for user_id, rating in after.items()}
        changed = []
        for part in parts:
            values = play_values(after[part.user_id], self._formula)
            if any(getattr(part, name) != values[name] for name in _COMPARED_IN_PLAYS):
                changed.append({"table_id": part.table_id, "user_id": part.user_id, **values})
        return changed


class _OutdatedError(Exception):
    """Another recount has finished this one, or it must start over."""


class _StoppedError(Exception):
    """The bot is stopping; the next start does the rest."""


class SqlRecount(Adapter, Recount):
    """`Recount` in SQL, and `rebuild` for the command line."""

    def __init__(
        self, database: Database, *, formula: Formula = FORMULA, changed: Callable[[], None] = lambda: None
    ) -> None:
        """`changed` is called when boards of finished seasons may have changed."""
        super().__init__(database)
        self._formula = formula
        self._changed = changed
        self._turn = asyncio.Lock()
        self._is_stopping = False
        self._worker = Worker(WallClock(), "recount", self._finish_all, retry_ms=RETRY_MS)

    def start(self) -> None:
        """Resume interrupted recounts, and retry those that fail."""
        self._is_stopping = False
        self._worker.start()

    def wake(self) -> None:
        """Resume the recounts that an erasure had suspended."""
        self._worker.wake()

    async def stop(self) -> None:
        """Wait for the end of the running step."""
        self._is_stopping = True
        await self._worker.stop()
        async with self._turn:
            pass

    async def rebuild(self) -> int:
        """Compute all standings again and return the number of matches; after a StoreError, call it again.

        Raises:
            StoreError: The bot was stopped while it erased a person: nothing is computed, as the record has two ids for
                them.
        """
        if await self._scalar(select(is_erasing())):
            raise StoreError(
                "A person's data is only partly deleted yet: start the bot, which finishes that, then stop it and try"
                " again."
            )
        for guild_id in await self._scalars(select(ResultRow.guild_id).distinct()):
            for season in await self._database.change(partial(_request, guild_id=guild_id)):
                await self._database.change(partial(_rebuild_totals, guild_id=guild_id, season=season))
            known = select(PlayerRow.user_id).where(PlayerRow.guild_id == guild_id, PlayerRow.user_id > 0)
            for user_id in await self._scalars(known):
                await self._database.change(partial(_rebuild_career, guild_id=guild_id, user_id=user_id))
            await self.recompute(guild_id)
        return await self._scalar(select(func.count()).select_from(ResultRow)) or 0

    async def void(self, guild_id: int, *table_ids: int, by_id: int, reason: str, at: int) -> VoidCode:
        codes = [await self._void(guild_id, table_id, by_id, reason, at) for table_id in table_ids]
        if VoidCode.VOIDED not in codes:
            return codes[-1]
        try:
            await self.recompute(guild_id)
        except StoreError as error:  # the match is void all the same
            _log.warning("recount.interrupted", guild=guild_id, problem=str(error))
            self.start()
            self._worker.wake()
        except _StoppedError:
            pass
        return VoidCode.VOIDED

    async def _void(self, guild_id: int, table_id: int, by_id: int, reason: str, at: int) -> VoidCode:
        def void(session: Session) -> VoidCode:
            lock_table(session, ResultRow)
            result = session.get(ResultRow, table_id)
            if result is None or result.guild_id != guild_id:
                return VoidCode.NO_MATCH
            if session.get(VoidRow, table_id) is not None:
                return VoidCode.ALREADY_VOID
            session.add(VoidRow(table_id=table_id, guild_id=guild_id, by_id=by_id, reason=reason, at=at))
            request_recount(session, guild_id, number=result.number, season=result.season)
            take_out(session, result)
            return VoidCode.VOIDED

        return await self._database.change(void)

    async def recompute(self, guild_id: int) -> None:
        """Compute a server's ratings again, if that was requested and nobody is being erased.

        After a StoreError the rest is still to be done.
        """
        due = select(RecountRow).where(RecountRow.guild_id == guild_id, ~is_erasing())
        async with self._turn:
            while True:
                requested = await self._scalar(due)
                if requested is None:
                    return
                try:
                    await self._rate_again(requested)
                except _OutdatedError:
                    continue
                self._changed()

    async def _finish_all(self) -> None:
        problem = None
        with suppress(_StoppedError):
            for guild_id in await self._scalars(select(RecountRow.guild_id)):
                try:
                    await self.recompute(guild_id)
                except StoreError as error:  # the other servers do not wait for this one
                    problem = error
        if problem is not None:
            raise problem

    async def _rate_again(self, requested: RecountRow) -> None:
        """Rate some matches, or write some players' present ratings, in each turn of the loop.

        Raises:
            _StoppedError: The bot is stopping.
        """
        rerating, last = Rerating(self._formula, requested.guild_id, requested.number), requested.number - 1
        if last:
            await self._remember(rerating, requested)
        else:  # some may have no ranked match left
            rated = select(PlayerRow.user_id).where(PlayerRow.guild_id == requested.guild_id, PlayerRow.mu.is_not(None))
            rerating.unwritten |= set(await self._scalars(rated))
        careers = set(await self._scalars(_players_of_void_matches(requested)))
        while True:
            if self._is_stopping:
                raise _StoppedError
            upto, parts = await self._read(requested.guild_id, last)
            if upto is not None:
                strangers = rerating.strangers(parts)
                for first in range(0, len(strangers), STRANGERS):
                    await self._database.query(partial(rerating.meet, users=strangers[first : first + STRANGERS]))
                plays = await asyncio.to_thread(rerating.rate, parts)
                if plays:
                    await self._step(requested, partial(_write_plays, plays=plays))
                last = upto
            elif rerating.unwritten:
                people = sorted(rerating.unwritten)[:PEOPLE]
                write = partial(_write_ratings, rerating=rerating, users=people, formula=self._formula)
                await self._step(requested, write)
                rerating.unwritten -= set(people)
            elif careers:
                if await self._write_career(requested, min(careers)):
                    careers.remove(min(careers))
            elif await self._close(requested, last):
                return

    async def _remember(self, rerating: Rerating, requested: RecountRow) -> None:
        """Read the matches before the first one to be rated again, as far as it depends on them."""
        guild_id, number = requested.guild_id, requested.number
        known = partial(first_known, guild_id=guild_id, number=number, formula=self._formula)
        upto: int | None = await self._database.query(known) - 1
        while upto is not None and upto < number - 1:
            upto, parts = await self._database.query(partial(_next_parts, guild_id=guild_id, last=upto))
            await asyncio.to_thread(rerating.remember, [part for part in parts if part.number < number])

    async def _read(self, guild_id: int, last: int) -> tuple[int | None, Sequence[AnyRow]]:
        return await self._database.query(partial(_next_parts, guild_id=guild_id, last=last))

    async def _write_career(self, requested: RecountRow, user_id: int) -> bool:
        """Read a player's career again and write it, unless a match has ended meanwhile."""
        guild_id = requested.guild_id
        last = select(func.max(ResultRow.number)).where(ResultRow.guild_id == guild_id)
        before, career = await self._database.query(
            lambda session: (session.scalar(last), read_career(session, guild_id, user_id))
        )

        def write(session: Session) -> bool:
            is_whole = session.scalar(last) == before
            if is_whole:
                write_career(session, guild_id, user_id, career)
            return is_whole

        return await self._step(requested, write)

    async def _step(self, requested: RecountRow, work: Callable[[Session], Made]) -> Made:
        """Run some work while no match is counted.

        Raises:
            _OutdatedError: The recount is not to go on.
        """
        stamp = select(RecountRow.stamp).where(RecountRow.guild_id == requested.guild_id).with_for_update()

        def step(session: Session) -> Made:
            lock_table(session, ResultRow)
            if session.scalar(stamp) != requested.stamp:
                raise _OutdatedError
            return work(session)

        return await self._database.change(step)

    async def _close(self, requested: RecountRow, last: int) -> bool:
        """Finish the recount, unless a match has ended meanwhile."""
        guild_id = requested.guild_id

        def close(session: Session) -> bool:
            later = select(ResultRow.number).where(ResultRow.guild_id == guild_id, ResultRow.number > last)
            if session.scalar(later.limit(1)) is not None:
                return False
            show_again(session, guild_id, requested.season)
            session.execute(delete(RecountRow).where(RecountRow.guild_id == guild_id))
            return True

        return await self._step(requested, close)


def _next_parts(session: Session, guild_id: int, last: int) -> tuple[int | None, Sequence[AnyRow]]:
    """Return the number of the last of the next matches, None at the end, and the parts of the ranked ones."""
    numbers = select(ResultRow.number).where(ResultRow.guild_id == guild_id, ResultRow.number > last)
    upto = session.scalar(select(func.max(numbers.order_by(ResultRow.number).limit(MATCHES).subquery().c.number)))
    if upto is None:
        return None, []
    parts = ranked_parts(guild_id).where(ResultRow.number > last, ResultRow.number <= upto)
    return upto, session.execute(parts).all()


def _request(session: Session, guild_id: int) -> Sequence[int]:
    """Request a recount of everything of a server; return its seasons."""
    request_recount(session, guild_id, number=1, season=0)
    return session.scalars(select(ResultRow.season).where(ResultRow.guild_id == guild_id).distinct()).all()


def _rebuild_totals(session: Session, guild_id: int, season: int) -> None:
    lock_table(session, ResultRow)
    rebuild_totals(session, guild_id, season)


def _rebuild_career(session: Session, guild_id: int, user_id: int) -> None:
    write_career(session, guild_id, user_id, read_career(session, guild_id, user_id))


def _write_plays(session: Session, plays: Sequence[Mapping[str, Any]]) -> None:
    session.execute(update(PlayRow), plays)


def _players_of_void_matches(requested: RecountRow) -> Select[int]:
    """Return the query of players of void matches, from the first changed match on."""
    return (
        select(PlayRow.user_id)
        .join(ResultRow, ResultRow.table_id == PlayRow.table_id)
        .join(VoidRow, VoidRow.table_id == PlayRow.table_id)
        .where(VoidRow.guild_id == requested.guild_id, ResultRow.number >= requested.number, PlayRow.user_id > 0)
        .distinct()
    )


def _write_ratings(session: Session, rerating: Rerating, users: Collection[int], formula: Formula) -> None:
    """Write some players' present ratings and those of their seasons, if they differ from the stored ones."""
    guild_id, players, standings = rerating.guild_id, list[dict[str, Any]](), list[dict[str, Any]]()
    rated = [getattr(PlayerRow, name) for name in player_values(None)]
    stored = select(PlayerRow.user_id, *rated).where(PlayerRow.guild_id == guild_id, PlayerRow.user_id.in_(users))
    for user_id, *before in session.execute(stored):
        values = player_values(rerating.present.get(user_id))
        if before != list(values.values()):
            players.append({"guild_id": guild_id, "user_id": user_id, **values})
    rated = [getattr(StandingRow, name) for name in _COMPARED]
    stored = select(StandingRow.user_id, StandingRow.season, *rated).where(
        StandingRow.guild_id == guild_id, StandingRow.user_id.in_(users), StandingRow.is_ranked.is_(True)
    )
    for user_id, season, *before in session.execute(stored):
        if not rerating.may_differ(user_id, season):
            continue
        values = standing_values(rerating.in_season.get((user_id, season)), formula)
        if before != [values[name] for name in _COMPARED]:
            key = {"guild_id": guild_id, "user_id": user_id, "season": season, "is_ranked": True}
            standings.append(key | values)
    for row, changed in ((PlayerRow, players), (StandingRow, standings)):
        if changed:
            session.execute(update(row), changed)
