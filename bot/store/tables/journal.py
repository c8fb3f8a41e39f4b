"""The durable log: appends of all tables, committed in groups.

An append starts the writer task if none is running. The writer commits all appends that have gathered and ends when
none is left; no task idles. If a commit fails, each of its appends is tried by itself, so that one bad append does not
fail the others, unless the database is unavailable.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import insert

from bot import metrics
from bot.errors import StoreError
from bot.game.events import Event, MatchEnded
from bot.ladder.formula import FORMULA, Formula
from bot.store.engine.database import Database
from bot.store.engine.failures import UnavailableError
from bot.store.schema.codec import event_rows, read_log
from bot.store.schema.tables import EventRow
from bot.store.sql import Adapter
from bot.store.tables.results import record_end
from bot.tables.table_store import Entry, Journal

BUSY: Final = 32
"""Appends in one commit from which on the writer is busy ..."""
GATHER_S: Final = 0.005
"""... and lets appends gather this long before the next commit (measured: p99 34 ms against 186)."""

_INSERT: Final = insert(EventRow.__table__)  # type: ignore[arg-type]  # a declarative class has a plain table

Key = TypeVar("Key")
F = TypeVar("F", bound=asyncio.Future[Any])

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Append:
    table_id: int
    events: tuple[Event, ...]
    rows: tuple[dict[str, Any], ...]
    saved: asyncio.Future[None]


class SqlJournal(Adapter, Journal):
    def __init__(self, database: Database, formula: Formula = FORMULA) -> None:
        super().__init__(database)
        self._formula = formula
        self._waiting: list[_Append] = []
        self._pending: dict[int, asyncio.Future[None]] = {}
        self._writer: asyncio.Task[None] | None = None
        self._readings: dict[tuple[int, int], asyncio.Task[tuple[Entry, ...]]] = {}

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

    async def read(self, match_id: int, first_seq: int) -> tuple[Entry, ...]:
        # A reader that is cancelled does not wait for a database that is locked; the next one gets what it asked for.
        key = (match_id, first_seq)
        reading = self._readings.get(key)
        if reading is None:
            reading = self._readings[key] = asyncio.get_running_loop().create_task(self._read(match_id, first_seq))
            reading.add_done_callback(lambda done: _forget(self._readings, key, done))
        return await asyncio.shield(reading)

    async def _read(self, match_id: int, first_seq: int) -> tuple[Entry, ...]:
        if (pending := self._pending.get(match_id)) is not None:
            await asyncio.wait({pending})  # so that no entry can appear behind the last one
        async with self._database.transaction() as session:
            return await read_log(session, match_id, first_seq)

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
        """Commit all of these appends or none; the error, if it fails."""
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
        async with self._database.transaction(tables=tables) as session:
            await session.execute(_INSERT, rows)
            for table_id, event in ends:
                await record_end(session, self._formula, table_id, event)


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
