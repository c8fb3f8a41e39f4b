"""The durable log: appends of all tables, with group commit.

An append starts the writer task if none is running. The writer commits all appends that have gathered and ends when
none is left; no task idles. If a commit fails, each of its appends is tried by itself, so that one bad append does not
fail the others, unless the database is unavailable.

Results as rows are read from the log. The transaction that ends a match also counts it, once.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from bot.base import metrics
from bot.base.errors import StoreError
from bot.game.events import Event, MatchEnded
from bot.game.evolve import evolve_all
from bot.game.state import State
from bot.ladder.columns import SeatTally
from bot.ladder.formula import FORMULA, Formula
from bot.ladder.outcomes import is_early, leader, outcome, places
from bot.ladder.seasons import match_weight
from bot.ladder.tally import tally
from bot.store.engine.database import Database
from bot.store.engine.failures import UnavailableError
from bot.store.ladder.count_match import count_match
from bot.store.ladder.season_store import saved_season
from bot.store.schema.codec import decode_numbers, decode_rules, encode, event_rows, read_log
from bot.store.schema.ladder import Play
from bot.store.schema.tables import NOT_RESERVED, DepartureRow, EventRow, ResultRow, SeatRow, TableRow
from bot.store.sql import Adapter, lock_table, plain, upsert
from bot.tables.lobby.lobby import Status
from bot.tables.table_store import Journal, LogEntry

BUSY: Final = 32
"""Appends in one commit from which on the writer counts as busy ..."""
GATHER_S: Final = 0.005
"""... and lets appends gather this long before the next commit (measured: p99 34 ms against 186)."""

_INSERT: Final = insert(plain(EventRow))

Key = TypeVar("Key")
F = TypeVar("F", bound=asyncio.Future[Any])

_log = structlog.get_logger(__name__)


def record_break_off(session: Session, formula: Formula, table_id: int, at: int, ended_by: int | None) -> None:
    """Save the result of a ranked match that was broken off, if it counts as lost for a player.

    If only players of trailing teams have caused the end, the leading team wins. Otherwise the match is lost for the
    player `ended_by` alone, who ended it on purpose, or if that is None, for all who have left it.
    """
    table = session.get_one(TableRow, table_id)
    season = saved_season(session, table.guild_id, at)
    gone = _quitters(session, table_id)
    if not table.is_ranked or not season:
        return
    state = evolve_all(None, [entry.event for entry in read_log(session, table_id)])
    winner, teams = leader(state.games, state.scores), len(state.scores)
    if ended_by is None:
        first = {row.seat: row for row in reversed(gone)}
        losers = [row for row in gone if first[row.seat] is row]
        causes = [row for row in losers if row.at == at]
    else:
        losers = causes = [row for row in gone if row.user_id == ended_by]
    if winner is not None and causes and all(row.seat % teams != winner for row in causes):
        _record_result(session, formula, table, winner, at, season)
    elif losers:
        _record_result(session, formula, table, None, at, season, losers)


def record_end(session: Session, formula: Formula, table_id: int, event: MatchEnded) -> None:
    """Save and count the result of a match that has ended."""
    table = session.get_one(TableRow, table_id)
    table.status = Status.OVER.value
    reserved = update(SeatRow).where(SeatRow.table_id == table_id, SeatRow.reserved_for_id.is_not(None))
    session.execute(reserved.values(NOT_RESERVED))
    season = saved_season(session, table.guild_id, event.at)
    _record_result(session, formula, table, event.winner, event.at, season)


def _record_result(
    session: Session,
    formula: Formula,
    table: TableRow,
    winner: int | None,
    at: int,
    season: int,
    losers: Collection[DepartureRow] = (),
) -> None:
    """Save and count a result, once. `losers` are those of a match that was broken off and nobody has won."""
    lock_table(session, ResultRow)  # two matches that end at once must not take the same number
    table_id = table.id
    events = [entry.event for entry in read_log(session, table_id)]
    state = evolve_all(None, events)
    recorded = func.coalesce(func.max(ResultRow.number), 0) + 1
    values = {
        "table_id": table_id,
        "guild_id": table.guild_id,
        "number": select(recorded).where(ResultRow.guild_id == table.guild_id).scalar_subquery(),
        "season": season,
        "winner": winner,
        "scores": encode(state.scores),
        "games": encode(state.games),
        "rounds": state.round,
        "ended_at": at,
    }
    new = upsert(session, ResultRow).values(values).on_conflict_do_nothing()
    result = session.scalar(new.returning(ResultRow))
    if result is not None:
        plays = _losses(table, result, losers) if losers else _plays(session, table, result, events)
        weight = match_weight(decode_rules(table.rules))
        count_match(session, result, plays, formula, is_broken_off=bool(losers), weight=weight)


def _plays(session: Session, table: TableRow, result: ResultRow, events: Sequence[Event]) -> list[Play]:
    """Return the part of each player in a match that somebody has won, or that was played to its end.

    A player who left and did not come back has lost, and the log does not count for them. A match is not ranked for a
    player who took a seat over.
    """
    seats = session.scalars(select(SeatRow).where(SeatRow.table_id == table.id).order_by(SeatRow.seat)).all()
    gone = _quitters(session, table.id)
    placed = places(result.winner, decode_numbers(result.games), decode_numbers(result.scores))
    is_ranked = table.is_ranked and result.season > 0 and result.rounds > 0  # time may be called before the first deal
    tallies = tally(events, [decode_numbers(row.handover_times) for row in seats])
    first = {row.seat: row for row in reversed(gone)}

    def play(row: SeatRow | DepartureRow, user_id: int, counted: SeatTally, *, has_left: bool, is_ranked: bool) -> Play:
        team = row.seat % len(placed)
        score = outcome(placed, team, has_left=has_left)
        return Play(user_id, row.name, row.seat, team, placed[team], score, has_left, is_ranked, counted)

    def stayed_till_the_end(row: SeatRow, user_id: int) -> Play:
        part = play(row, user_id, tallies[row.seat], has_left=False, is_ranked=is_ranked and row.seat not in first)
        is_won_bare = row.has_no_marks and part.outcome == 1
        return replace(part, tally=replace(part.tally, wins_without_marks=int(is_won_bare)))

    stayed = [stayed_till_the_end(row, row.user_id) for row in seats if row.user_id is not None and not row.is_away]
    left = [
        replace(
            play(row, row.user_id, SeatTally(), has_left=True, is_ranked=is_ranked and first[row.seat] is row),
            has_left_early=is_early(_state_at(events, row.at), row.seat % len(placed)),
        )
        for row in gone
    ]
    return [*stayed, *left]


def _state_at(events: Iterable[Event], at: int) -> State:
    return evolve_all(None, (event for number, event in enumerate(events) if not number or event.at <= at))


def _losses(table: TableRow, result: ResultRow, losers: Collection[DepartureRow]) -> list[Play]:
    """Return the parts of those who have lost a ranked match that was broken off; nobody else has a part in it."""
    placed = places(None, decode_numbers(result.games), decode_numbers(result.scores))
    teams = len(placed)
    return [
        Play(row.user_id, row.name, row.seat, row.seat % teams, placed[row.seat % teams], -1, True, True, SeatTally())
        for row in losers
    ]


def _quitters(session: Session, table_id: int) -> Sequence[DepartureRow]:
    """Return the players who left a match and are not back, in the order in which they left."""
    present = select(SeatRow.user_id).where(
        SeatRow.table_id == table_id, SeatRow.is_away.is_(False), SeatRow.user_id.is_not(None)
    )
    gone = select(DepartureRow).where(DepartureRow.table_id == table_id, DepartureRow.user_id.not_in(present))
    return session.scalars(gone.order_by(DepartureRow.at)).all()


@dataclass(frozen=True, slots=True)
class _Append:
    table_id: int
    events: tuple[Event, ...]
    rows: tuple[dict[str, Any], ...]
    saved: asyncio.Future[None]


class SqlJournal(Adapter, Journal):
    """`Journal` in SQL."""

    def __init__(self, database: Database, formula: Formula = FORMULA) -> None:
        super().__init__(database)
        self._formula = formula
        self._waiting: list[_Append] = []
        self._pending: dict[int, asyncio.Future[None]] = {}
        self._writer: asyncio.Task[None] | None = None
        self._readings: dict[tuple[int, int], asyncio.Task[tuple[LogEntry, ...]]] = {}

    async def append(self, match_id: int, first_seq: int, events: Sequence[Event], press_id: int | None) -> None:
        # An append that is cancelled may be written all the same.
        loop = asyncio.get_running_loop()
        rows = event_rows(match_id, first_seq, events, press_id)
        saved = loop.create_future()
        self._waiting.append(_Append(match_id, tuple(events), rows, saved))
        self._pending[match_id] = saved
        saved.add_done_callback(lambda done: _forget(self._pending, match_id, done))
        if self._writer is None:
            self._writer = loop.create_task(self._write_all())
        await asyncio.shield(saved)

    async def read(self, match_id: int, first_seq: int) -> tuple[LogEntry, ...]:
        # A reader that is cancelled does not wait for a database that is locked; the next one gets what it asked for.
        key = (match_id, first_seq)
        reading = self._readings.get(key)
        if reading is None:
            reading = self._readings[key] = asyncio.get_running_loop().create_task(self._read(match_id, first_seq))
            reading.add_done_callback(lambda done: _forget(self._readings, key, done))
        return await asyncio.shield(reading)

    async def _read(self, match_id: int, first_seq: int) -> tuple[LogEntry, ...]:
        if (pending := self._pending.get(match_id)) is not None:
            await asyncio.wait({pending})  # so that no entry can appear behind the last one
        return await self._database.change(lambda session: read_log(session, match_id, first_seq))

    async def close(self) -> None:
        """Wait until everything that was appended is written."""
        if self._writer is not None:
            await asyncio.wait({self._writer})

    async def _write_all(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._write(batch)
                if len(batch) >= BUSY:
                    await asyncio.sleep(GATHER_S)
        finally:
            self._writer = None
            left, self._waiting = self._waiting, []
            _resolve(left, StoreError("The bot stopped before the move was saved."))

    async def _write(self, batch: list[_Append]) -> None:
        error = await self._try(batch)
        if error is None or isinstance(error, UnavailableError) or len(batch) == 1:
            _resolve(batch, error)
            return
        for index, item in enumerate(batch):
            error = await self._try([item])
            _resolve([item], error)
            if isinstance(error, UnavailableError):  # the others would fail in the same way, each after a timeout
                _resolve(batch[index + 1 :], error)
                return

    async def _try(self, batch: list[_Append]) -> StoreError | None:
        """Commit all of these appends or none; return the error, if it fails."""
        metrics.MOVES_WAITING.set(len(self._waiting))
        try:
            with metrics.COMMIT_SECONDS.time():
                await self._commit(batch)
            metrics.COMMIT_MOVES.observe(len(batch))
        except StoreError as error:
            return error
        except BaseException as error:
            problem = StoreError(f"The move was not saved ({type(error).__name__}).")
            if isinstance(error, Exception):
                _log.warning(
                    "journal.not_saved", tables=[item.table_id for item in batch], problem=type(error).__name__
                )
                return problem
            _resolve(batch, problem)
            raise
        return None

    async def _commit(self, batch: list[_Append]) -> None:
        rows, tables = [row for item in batch for row in item.rows], {item.table_id for item in batch}
        ends = [(item.table_id, event) for item in batch for event in item.events if isinstance(event, MatchEnded)]
        if not ends:
            await self._database.run(lambda connection: connection.execute(_INSERT, rows), tables=tables)
            return

        def commit(session: Session) -> None:
            session.execute(_INSERT, rows)
            for table_id, event in ends:
                record_end(session, self._formula, table_id, event)

        await self._database.change(commit, tables=tables)


def _forget(running: dict[Key, F], key: Key, done: asyncio.Future[Any]) -> None:
    if running.get(key) is done:
        del running[key]
    if not done.cancelled():
        done.exception()  # retrieved, even if the caller was cancelled


def _resolve(batch: list[_Append], error: StoreError | None) -> None:
    for item in batch:
        if item.saved.done():
            continue
        if error is None:
            item.saved.set_result(None)
        else:
            item.saved.set_exception(error)
