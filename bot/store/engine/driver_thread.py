"""SQLite's hot path: a whole transaction in one call to the thread of the connection.

`Database.run`, `change` and `query` take this path: moves, what presses and lobbies write, and nearly all queries. Code
that awaits between its statements uses `Database.transaction` or `reading`, whose sessions switch threads a dozen
times. Committing two events takes 0.6 ms of CPU here instead of 1.9 (on a busy machine, with connections for queries);
reading a row takes 0.2 ms instead of 0.9.

The price is a second SQLAlchemy engine over the raw connection, and internals of aiosqlite, which only this module
uses: `_execute` (calls a function in the thread), `_conn` (the connection there) and `_thread`. So pyproject.toml has
an upper bound for aiosqlite, and a start fails if a name is gone (`bot.base.libraries`). To do without, let
`Database.run` use `engine.begin()` with `run_sync`, as on PostgreSQL, and delete this module.
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
    """Return the internal names of aiosqlite that are looked up later, with the objects that have them."""
    connection = aiosqlite.connect(":memory:")
    return {"_conn": type(connection), "_execute": connection, "_thread": connection}


class DriverThread:
    """Keeps a connection of an engine out of its pool, until `paused` or `close` returns it."""

    def __init__(self, engine: AsyncEngine, begins: str, check: Callable[[], None]) -> None:
        """`begins` starts a transaction; `check` raises UnavailableError if what is committed would be lost."""
        self._engine = engine
        self._begins = begins
        self._check = check
        self._turn = asyncio.Lock()
        self._held: PoolProxiedConnection | None = None
        self._in_thread: tuple[sqlite3.Connection, Connection] | None = None

    async def run(self, work: Callable[[Connection], Made]) -> Made:
        """Run `work` in one transaction, and return its result."""
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
        """Give the connection back to the pool while the context is open, and make `run` wait."""
        async with self._turn:
            await self._let_go()
            yield

    async def close(self) -> None:
        """Give the connection back to the pool, unless it is in use: its thread may be stuck."""
        if not self._turn.locked():
            await self._let_go()

    def _do(self, raw: sqlite3.Connection, work: Callable[[Connection], Made]) -> Made:
        """Run `work` in the thread of the connection `raw`."""
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
        held_back, self._held = self._held, None
        if held_back is not None:
            await greenlet_spawn(held_back.close)


async def open_connection(*args: Any, **options: Any) -> aiosqlite.Connection:
    """Open a connection to SQLite; if that fails or is cancelled, wait for the end of its thread.

    The driver does not wait for it: a thread that goes on creates its file in a folder that is just being removed, and
    logs a traceback if it outlives the event loop.
    """
    connection = aiosqlite.connect(*args, **options)
    thread = connection._thread
    thread.daemon = True  # as SQLAlchemy has it
    try:
        return await connection
    except BaseException:
        await asyncio.to_thread(thread.join)
        raise
