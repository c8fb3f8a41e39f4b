"""SQLite's hot path: a whole transaction in one hop to the thread of the connection.

`Database.run`, `change` and `ask` take this path: moves, what presses and lobbies write, and nearly all questions. What
awaits something between its statements goes through `Database.transaction` or `reading`, whose sessions make a dozen
hops. Two events are committed for 0.6 ms of CPU here instead of 1.9 (on a busy machine, with connections for questions
beside); a row is read for 0.2 ms instead of 0.9.

The price is a second SQLAlchemy engine over the raw connection, and what aiosqlite does not promise, which stands in
this module alone: `_execute` (calls a function in the thread), `_conn` (the connection there) and `_thread`. So
pyproject.toml has an upper bound for aiosqlite, and a start fails when a name is gone (`bot.base.libraries`). Then give
`Database.run` the way of PostgreSQL, `engine.begin()` with `run_sync`, and drop what is here.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import aiosqlite
from sqlalchemy import Connection, PoolProxiedConnection, create_engine
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import StaticPool
from sqlalchemy.util import greenlet_spawn

BEGIN: Final = "BEGIN IMMEDIATE"
"""Takes the write lock at once; a reader that becomes a writer would fail instead of waiting."""

Made = TypeVar("Made")


def names() -> Mapping[str, object]:
    """The names of aiosqlite that are looked up in objects, and what has them."""
    connection = aiosqlite.connect(":memory:")
    return {"_conn": type(connection), "_execute": connection, "_thread": connection}


class OneHop:
    """Keeps a connection of an engine out of its pool, until `paused` or `close` gives it back."""

    def __init__(self, engine: AsyncEngine, begins: str, check: Callable[[], None]) -> None:
        """`begins` is how a transaction does; `check` raises UnavailableError when what is committed would be lost."""
        self._engine = engine
        self._begins = begins
        self._check = check
        self._turn = asyncio.Lock()
        self._held: PoolProxiedConnection | None = None
        self._in_thread: tuple[sqlite3.Connection, Connection] | None = None

    async def run(self, work: Callable[[Connection], Made]) -> Made:
        """Do some work in one transaction, and return what it returns."""
        async with self._turn:
            if self._held is None:
                self._held = await self._engine.raw_connection()
            driver = self._held.driver_connection
            assert driver is not None, "the connection is open"
            try:
                made: Made = await driver._execute(self._do, driver._conn, work)
            except BaseException:
                await self._let_go()
                raise
            return made

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Keep `run` out meanwhile, with the connection in the pool."""
        async with self._turn:
            await self._let_go()
            yield

    async def close(self) -> None:
        """Give the connection back, unless its thread is stuck."""
        if not self._turn.locked():
            await self._let_go()

    def _do(self, raw: sqlite3.Connection, work: Callable[[Connection], Made]) -> Made:
        """In the thread of the connection `raw`."""
        if self._in_thread is None or self._in_thread[0] is not raw:
            engine = create_engine(
                "sqlite://",
                creator=lambda: raw,
                poolclass=StaticPool,
                hide_parameters=True,
                isolation_level="AUTOCOMMIT",  # it begins and ends no transaction
                pool_reset_on_return=None,  # it comes back when `raw` has been closed
            )
            self._in_thread = raw, engine.connect()
        connection = self._in_thread[1]
        if not connection.in_transaction():  # a session that finds one under way does not end it
            connection.begin()
        raw.execute(self._begins)
        try:
            self._check()
            made = work(connection)
            self._check()
            raw.execute("COMMIT")
        except BaseException:
            if raw.in_transaction:  # SQLite has rolled back by itself where the disk is full
                raw.execute("ROLLBACK")
            raise
        return made

    async def _let_go(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            await greenlet_spawn(held.close)


async def open_connection(*args: Any, **options: Any) -> aiosqlite.Connection:
    """A connection to SQLite. Where that fails or is cancelled, its thread has ended.

    The driver does not wait for it: a thread that goes on creates its file in a folder that is just being removed, and
    logs a traceback where it outlives the event loop.
    """
    connection = aiosqlite.connect(*args, **options)
    thread = connection._thread
    thread.daemon = True  # as SQLAlchemy has it
    try:
        return await connection
    except BaseException:
        await asyncio.to_thread(thread.join)
        raise
