"""SQLite that answers in the event loop's own thread, and engines that share what they have compiled.

Half of what a statement costs a test is its way to the driver's thread and back. Here its result comes one turn of the
loop later, with all rows. `tests/store` and `tests/rig` try the driver with its thread.
"""

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import aiosqlite
import pytest
from sqlalchemy import Engine
from sqlalchemy.connectors.asyncio import AsyncAdapt_dbapi_cursor
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.util import LRUCache, await_only

from bot.store.engine import database

Made = TypeVar("Made")

_PATIENCE_TURNS = 1_000
"""A test's own connection may write just then; a wait in the driver would keep it from going on."""
_compiled: dict[type[object], LRUCache[Any, Any]] = defaultdict(lambda: LRUCache(2_000))


def answer_in_loop(patch: pytest.MonkeyPatch) -> None:
    """Do SQLite's work in the loop, with nothing between its writes and the disk but the system."""
    patch.setattr(database, "_PRAGMAS", {**database._PRAGMAS, "busy_timeout": 0, "synchronous": 0})
    patch.setattr(aiosqlite.Connection, "_execute", _execute)
    patch.setattr(aiosqlite.Connection, "_connect", _connect)
    patch.setattr(AsyncAdapt_aiosqlite_connection, "_cursor_cls", _Cursor)
    patch.setattr(AsyncAdapt_aiosqlite_connection, "rollback", _roll_back)
    patch.setattr(aiosqlite.core, "SimpleQueue", _DoneAtOnce)
    patch.setattr(aiosqlite.core, "Thread", _NoThread)
    patch.setattr(database, "_READERS", 1)  # the first statement of each connection reads the whole schema


def answers_in_loop() -> bool:
    """Whether SQLite does its work in the loop just now."""
    return aiosqlite.Connection._execute is _execute


class _DoneAtOnce:
    """In place of the queue to the driver's thread: what opens and closes a connection is put there by itself."""

    def put_nowait(self, item: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        future, work = item
        try:
            done = work()
        except Exception as error:
            if future is None:
                raise
            future.set_exception(error)
        else:
            if future is not None:
                future.set_result(done)


class _NoThread:
    """In place of the driver's thread, which has nothing to do."""

    def __init__(self, **_options: Any) -> None: ...

    def start(self) -> None: ...

    def join(self) -> None: ...


class _Cursor(AsyncAdapt_dbapi_cursor):
    """A statement takes one turn of the loop. What changes nothing takes none, nor do rows, nor the end."""

    __slots__ = ()
    _awaitable_cursor_close = False

    def _make_new_cursor(self, connection: Any) -> Any:
        return connection

    def _aenter_cursor(self, cursor: Any) -> Any:
        with self._explained():
            return cursor._conn.cursor()

    def execute(self, operation: Any, parameters: Any = ()) -> Any:
        with self._explained():
            if operation == "BEGIN" or operation.startswith("PRAGMA"):
                self._cursor.execute(operation, parameters or ())
            else:
                await_only(self._connection._execute(self._cursor.execute, operation, parameters or ()))
            self._rows.clear()
            if self._cursor.description:
                self._rows.extend(self._cursor.fetchall())

    def executemany(self, operation: Any, seq_of_parameters: Any) -> Any:
        with self._explained():
            await_only(self._connection._execute(self._cursor.executemany, operation, seq_of_parameters))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError) as error:  # the latter says that the connection is closed
            self._adapt_connection._handle_exception(error)


def _roll_back(self: AsyncAdapt_aiosqlite_connection) -> None:
    if self._connection._connection:
        self._connection._conn.rollback()


async def _execute(self: aiosqlite.Connection, work: Callable[..., Made], *arguments: Any, **options: Any) -> Made:
    if not self._running or not self._connection:
        raise ValueError("Connection closed")
    for _ in range(_PATIENCE_TURNS):
        await asyncio.sleep(0)
        try:
            return work(*arguments, **options)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
    return work(*arguments, **options)


async def _connect(self: aiosqlite.Connection) -> aiosqlite.Connection:
    try:
        self._connection = self._connector()
    except BaseException:
        self.stop()
        raise
    return self


def share_compiled_statements(patch: pytest.MonkeyPatch) -> None:
    """Compile a statement once for all engines of SQLite; each has a cache and a dialect of its own otherwise."""
    patch.setattr(Engine, "_compiled_cache", property(_cache_of, lambda _engine, _own_cache: None), raising=False)
    patch.setattr(SQLiteDialect, "__eq__", lambda self, other: type(self) is type(other))
    patch.setattr(SQLiteDialect, "__hash__", lambda self: hash(type(self)))


def _cache_of(engine: Engine) -> LRUCache[Any, Any]:
    return _compiled[type(engine.dialect)]
