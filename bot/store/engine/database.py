"""The connections to SQLite or PostgreSQL, and their errors as sentences.

SQLite gets one connection that writes: before 3.51.3, two connections that write or checkpoint a WAL at the same
instant can corrupt it (sqlite.org/wal.html, "The WAL-reset bug"). Queries have connections of their own, which are
read-only and never checkpoint: a move waits for no query.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import structlog
from sqlalchemy import URL, Connection, Dialect, ExceptionContext, event, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.orm import Session
from sqlalchemy.pool import AsyncAdaptedQueuePool

from bot.base.errors import StoreError
from bot.store.engine.address import for_driver, parse_address
from bot.store.engine.cluster import SqlCluster
from bot.store.engine.database_file import DatabaseFile, file_of
from bot.store.engine.driver_thread import BEGIN, DriverThread, open_connection
from bot.store.engine.failures import UnavailableError, explain, failures
from bot.tables.cluster import SoleProcess

_Pragmas = dict[str, int | str]
_PRAGMAS: Final[_Pragmas] = {
    "busy_timeout": 5000,
    "journal_mode": "wal",
    "synchronous": 2,  # FULL
    "foreign_keys": 1,
    "secure_delete": 1,  # deleted data is overwritten with zeros
}
_READER_PRAGMAS: Final[_Pragmas] = {"busy_timeout": 5000, "query_only": 1}
_BEGIN_READING: Final = "BEGIN"
_READERS: Final = 4
"""Queries that SQLite runs at the same time; each has a thread and a page cache, made when it is needed."""
SAFE_SQLITE: Final = (3, 51, 3)
"""Before this version, a second program that writes the same file can damage it; `kems doctor` says so."""
_CONNECT_S: Final = 4.0
COMMAND_S: Final = 4.0
"""Seconds after which a connection that does not answer is dropped."""
LONG_COMMAND_S: Final = 3600.0
"""The same, for commands while no bot runs."""
_CHECK_S: Final = 0.9
"""A supervisor waits a second for an answer."""
_CLOSE_S: Final = 5
_TRY_AGAIN_S: Final = 0.25
_TRIES: Final = 120
_SCRUB_TRIES: Final = 20
_TRY_LOCK: Final = text("SELECT pg_try_advisory_xact_lock(:key)")

Made = TypeVar("Made")

_log = structlog.get_logger(__name__)


class Database:
    """A pool of connections. `cluster` says which servers' rows this process may write.

    Example:
        >>> async def main() -> None:
        ...     database = Database("sqlite:///kems.db")
        ...     print(await database.query(lambda session: session.scalar(text("SELECT 6 * 7"))))
        ...     await database.close()
        >>> asyncio.run(main())
        42
    """

    def __init__(self, address: str, *, command_s: float = COMMAND_S, sends_from: str = "") -> None:
        """Prepare the connections; nothing is connected yet.

        Args:
            address: As `DATABASE_URL`.
            command_s: Seconds that PostgreSQL may take for one command.
            sends_from: The address from which this process sends requests to Discord.

        Raises:
            StoreError: It is no address of a database.
        """
        url = parse_address(address)
        self.url: Final = url
        self.where: Final = url.set(drivername=url.get_backend_name(), query={}).render_as_string(hide_password=True)
        self.file: Final = file_of(url)
        self._running: set[asyncio.Future[None]] = set()
        self._is_closed = False
        self._checking: asyncio.Task[None] | None = None
        files = self._files = None if self.file is None else DatabaseFile(self.file, self.where)
        self.engine: Final = _sqlite_engine(url, files) if self.is_sqlite else _postgres_engine(url, command_s)
        self._check = (lambda: None) if files is None else files.check
        self._one_hop = DriverThread(self.engine, BEGIN, self._check) if self.is_sqlite else None
        if files is not None:
            self._readers = _sqlite_readers(url, files)
        else:
            # One snapshot for a whole transaction, as SQLite has it.
            snapshot = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            self._readers = self.engine.execution_options(**snapshot)
        self._reading = asyncio.Semaphore(_READERS)
        self._idle_readers: list[DriverThread] = []
        self.cluster: Final = (
            SoleProcess() if self.is_sqlite else SqlCluster(_postgres_engine(url, COMMAND_S), self.where, sends_from)
        )

    @property
    def is_sqlite(self) -> bool:
        """Whether it is SQLite."""
        return self.url.get_backend_name() == "sqlite"

    def check_exists(self, purpose: str) -> None:
        """Check that the database's file exists, since reading would create an empty one.

        Raises:
            StoreError: There is no database yet to `purpose`.
        """
        if self.file is not None and not self.file.exists():
            raise StoreError(f"There is no database {self.where} to {purpose}: has the bot run here?")

    async def lock(self, wait_s: float = 0.0) -> None:
        """Keep every other process of the bot out of this database, until `close` or the end of this process.

        Args:
            wait_s: How long to wait for a bot that is leaving, or was killed.

        Raises:
            UnavailableError: Another bot uses the database, or it cannot be used at all.
        """
        until = asyncio.get_running_loop().time() + wait_s
        is_told = False
        while not (
            await self.cluster.take_alone()
            if isinstance(self.cluster, SqlCluster)
            else self._files is None or self._files.lock()
        ):
            if asyncio.get_running_loop().time() >= until:
                owner = "" if self._files is None else self._files.owner()
                raise UnavailableError(
                    f"The database {self.where} is used by another bot{owner}: stop that one, or give this one a"
                    " database of its own."
                )
            if not is_told:
                _log.info("database.waiting", database=self.where, reason="another bot uses it", seconds=wait_s)
                is_told = True
            await asyncio.sleep(_TRY_AGAIN_S)

    @asynccontextmanager
    async def exclusive(self, key: int) -> AsyncIterator[AsyncSession]:
        """Open a transaction that may change tables; on PostgreSQL, no other one with this key is open meanwhile.

        On SQLite no other one is open in any case. There, foreign keys are off in it: most changes of a table rebuild
        it, and rows that refer to the dropped table would be deleted with it.

        Raises:
            UnavailableError: Somebody else has been in it for half a minute.
        """
        for _ in range(_TRIES):  # rather than waiting in the database, where a command may take seconds only
            async with self._without_foreign_keys(), self.transaction() as session:
                if self.is_sqlite or await session.scalar(_TRY_LOCK, {"key": key}):
                    yield session
                    return
            await asyncio.sleep(_TRY_AGAIN_S)
        raise UnavailableError(f"The database {self.where} is being migrated by somebody else: try again later.")

    @asynccontextmanager
    async def _without_foreign_keys(self) -> AsyncIterator[None]:
        """Switch foreign keys off; SQLite ignores the pragma inside a transaction."""
        if not self.is_sqlite:
            yield
            return
        await self._outside_transactions("foreign_keys=OFF")
        try:
            yield
        finally:
            await self._outside_transactions("foreign_keys=ON")

    async def _outside_transactions(self, pragma: str) -> None:
        """Set a pragma on SQLite's connection that writes."""
        async with self._operation(), self._pooled(), self.engine.connect() as connection:
            await _pragma(connection, pragma)

    async def check(self) -> None:
        """Check that the database accepts writes, by one that changes nothing.

        Raises:
            StoreError: Nothing can be saved.
            UnavailableError: Not within a second.
        """
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._write_nothing())
            self._checking.add_done_callback(lambda task: task.cancelled() or task.exception())
        done, _ = await asyncio.wait({self._checking}, timeout=_CHECK_S)
        if not done:
            raise UnavailableError(
                f"The database {self.where} has not answered for a second: does another program hold it?"
            )
        await self._checking

    async def _write_nothing(self) -> None:
        async with self.transaction() as session:
            await session.execute(text("PRAGMA user_version = 0" if self.is_sqlite else "SELECT pg_current_xact_id()"))

    async def is_empty(self) -> bool:
        """Return whether the database has none of the bot's tables."""
        async with self._operation(), self._pooled(), self.engine.connect() as connection:
            return not await connection.run_sync(lambda raw: inspect(raw).has_table("processes"))

    @asynccontextmanager
    async def transaction(
        self, *, tables: Collection[int] = (), server: int | None = None
    ) -> AsyncIterator[AsyncSession]:
        """Open a session in one transaction, which is committed at the end.

        If it only reads, use `reading`.

        Args:
            tables: The tables of the game whose rows it writes.
            server: Or the server whose rows it writes.

        Raises:
            RejectedError: A row broke a constraint, or another process serves one of the tables or the server.
            UnavailableError: The database cannot be used.
            StoreError: Any other failure.
        """
        async with (
            self._operation(),
            self._pooled(),
            AsyncSession(self.engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            if isinstance(self.cluster, SqlCluster) and (tables or server is not None):
                await self.cluster.fence(await session.connection(), tables, server)
            yield session

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Open a session in one read-only transaction: a snapshot of everything committed before.

        On SQLite it never blocks a writer, nor does a writer block it. If nothing else is awaited meanwhile, use
        `query`.

        Raises:
            UnavailableError: The database cannot be used.
            StoreError: Any other failure.
        """
        async with self._operation(), self._turn_to_read():
            if self._idle_readers:
                await self._idle_readers.pop().close()  # its connection goes back to the pool
            async with AsyncSession(self._readers, expire_on_commit=False) as session:
                yield session

    async def query(self, question: Callable[[Session], Made]) -> Made:
        """Run `question` in one read-only transaction and return its result.

        With SQLite all of it runs at once in the thread of a connection (`bot.store.engine.driver_thread`).

        Raises:
            StoreError: As `reading` does.
        """
        work = partial(_in_session, question)
        if self.is_sqlite and self._files is None:  # a database in memory has one connection
            return await self.run(work)
        async with self._operation(), self._turn_to_read():
            if not self.is_sqlite:
                async with self._readers.connect() as connection:
                    return await connection.run_sync(work)
            readers = self._idle_readers
            reader = readers.pop() if readers else DriverThread(self._readers, _BEGIN_READING, self._check)
            made = await reader.run(work)
            readers.append(reader)
            return made

    @asynccontextmanager
    async def _turn_to_read(self) -> AsyncIterator[None]:
        if not self.is_sqlite:
            yield
            return
        if self._files is None:  # a database in memory has one connection
            async with self._pooled():
                yield
            return
        if not self._files.is_open:  # the one that writes makes the WAL and its index, which a reader needs
            async with self._pooled(), self.engine.connect():
                pass
        async with self._reading:
            yield

    async def change(
        self, work: Callable[[Session], Made], *, tables: Collection[int] = (), server: int | None = None
    ) -> Made:
        """Run `work` with a session as its argument; otherwise like `run`."""
        return await self.run(partial(_in_session, work), tables=tables, server=server)

    async def run(
        self, work: Callable[[Connection], Made], *, tables: Collection[int] = (), server: int | None = None
    ) -> Made:
        """Run `work` in one transaction that writes rows of these tables, or of this server, and return its result.

        With SQLite all of it runs at once in the thread of the connection (`bot.store.engine.driver_thread`).

        Raises:
            StoreError: As `transaction` does.
        """
        async with self._operation():
            if self._one_hop is not None:
                return await self._one_hop.run(work)
            async with self.engine.begin() as connection:
                if isinstance(self.cluster, SqlCluster) and (tables or server is not None):
                    await self.cluster.fence(connection, tables, server)
                return await connection.run_sync(work)

    def _pooled(self) -> AbstractAsyncContextManager[None]:
        """Return the connection of SQLite to the pool meanwhile."""
        return nullcontext() if self._one_hop is None else self._one_hop.paused()

    async def scrub(self) -> None:
        """Remove overwritten data from SQLite's WAL. On PostgreSQL do nothing, since VACUUM does it.

        It waits for an instant at which nobody reads the file, and blocks nobody.

        Raises:
            UnavailableError: Another program reads the file all the while.
            StoreError: The WAL cannot be written back.
        """
        for _ in range(_SCRUB_TRIES):
            if self.file is None or await self._is_scrubbed():
                return
            await asyncio.sleep(_TRY_AGAIN_S)
        raise UnavailableError(
            f"Another program reads the database {self.where}, such as `kems backup`: until it ends, the file beside it"
            " keeps what was deleted."
        )

    async def _is_scrubbed(self) -> bool:
        """Truncate the WAL, which SQLite does if no reader needs it; return whether it was done."""
        async with self._operation(), self._pooled(), self.engine.connect() as connection:
            await _pragma(connection, "busy_timeout=0")
            try:
                ((is_busy, *_),) = await _pragma(connection, "wal_checkpoint(TRUNCATE)")
            finally:
                await _pragma(connection, f"busy_timeout={_PRAGMAS['busy_timeout']}")
            return not is_busy

    @asynccontextmanager
    async def _operation(self) -> AsyncIterator[None]:
        """Turn errors into StoreError; `close` waits for the end of the block.

        Raises:
            StoreError: The block failed, or the database is closed already.
        """  # noqa: DOC501 - `explain` makes one
        if self._is_closed:
            raise StoreError(f"The database {self.where} is closed already: the bot is stopping.")
        if isinstance(self.cluster, SqlCluster):
            self.cluster.check()
        ended = asyncio.get_running_loop().create_future()
        self._running.add(ended)
        try:
            yield
        except failures() as error:
            raise explain(error, self.where) from error
        finally:
            self._running.discard(ended)
            ended.set_result(None)

    async def close(self) -> None:
        """Refuse new transactions, wait a few seconds for running ones, close all connections and release the lock."""
        was_closed, self._is_closed = self._is_closed, True
        if self._running and not was_closed:
            await asyncio.wait(set(self._running), timeout=_CLOSE_S)
        if isinstance(self.cluster, SqlCluster):
            await self.cluster.close()
        if self._one_hop is not None:
            await self._one_hop.close()
        if self._files is not None:
            for reader in self._idle_readers:
                await reader.close()
            await self._readers.dispose()  # before the writer, which writes the WAL back as the last one that closes
        await self.engine.dispose()
        if self._files is not None:
            self._files.release()


def _require(cursor: Any, pragmas: _Pragmas, path: Path) -> None:
    """Check that SQLite has set these pragmas; it reports a failure in no error.

    Raises:
        UnavailableError: It has not set one.
    """
    for name, value in pragmas.items():
        cursor.execute(f"PRAGMA {name}")
        if cursor.fetchone() != (value,):
            raise UnavailableError(f"SQLite cannot set {name}={value} for {path}: put the database on a local disk.")


async def _pragma(connection: AsyncConnection, pragma: str) -> Sequence[Any]:
    """Run a pragma outside of a transaction, and return its rows."""
    driver = (await connection.get_raw_connection()).driver_connection
    assert driver is not None, "the connection is open"
    return [*await driver.execute_fetchall(f"PRAGMA {pragma}")]


def _in_session(work: Callable[[Session], Made], connection: Connection) -> Made:
    """Run the work with a session in the transaction of the connection, if there is one."""
    with Session(connection, expire_on_commit=False) as session:
        made = work(session)
        session.flush()
        return made


def _postgres_engine(url: URL, command_s: float) -> AsyncEngine:
    plain, options = for_driver(url)
    options |= {"timeout": _CONNECT_S, "command_timeout": command_s}
    engine = create_async_engine(plain, hide_parameters=True, pool_pre_ping=True, connect_args=options)

    @event.listens_for(engine.sync_engine, "handle_error")
    def disconnect_after_timeout(context: ExceptionContext) -> None:
        if isinstance(context.original_exception, TimeoutError):
            context.is_disconnect = True  # and the others of the pool go with it, instead of failing one by one

    return engine


def _sqlite_engine(url: URL, file: DatabaseFile | None) -> AsyncEngine:
    engine = _sqlite_pool(url, 1)
    _set_up(engine, _PRAGMAS, BEGIN, file)

    @event.listens_for(engine.sync_engine, "do_connect")
    def connect(dialect: Dialect, _record: object, args: list[Any], options: dict[str, Any]) -> Any:
        if file is not None:
            file.before_opening()
        return dialect.connect(*args, async_creator_fn=open_connection, **options)

    @event.listens_for(engine.sync_engine, "commit")
    def commit(_connection: Connection) -> None:
        if file is not None:
            file.check()  # SQLite would write to a file that nobody finds again

    return engine


def _sqlite_readers(url: URL, file: DatabaseFile) -> AsyncEngine:
    """Return an engine whose connections can only read. The one that writes is open already."""
    engine = _sqlite_pool(url, _READERS)
    _set_up(engine, _READER_PRAGMAS, _BEGIN_READING, file)

    @event.listens_for(engine.sync_engine, "do_connect")
    def connect(dialect: Dialect, _record: object, _args: object, options: dict[str, Any]) -> Any:
        file.check()
        options |= {"uri": True, "async_creator_fn": open_connection}
        return dialect.connect(f"{file.path.as_uri()}?mode=ro", **options)

    return engine


def _sqlite_pool(url: URL, size: int) -> AsyncEngine:
    return create_async_engine(
        url,
        hide_parameters=True,
        poolclass=AsyncAdaptedQueuePool,
        pool_size=size,
        max_overflow=0,
        pool_reset_on_return=None,  # `reset` does it
    )


def _set_up(engine: AsyncEngine, pragmas: _Pragmas, begins: str, file: DatabaseFile | None) -> None:
    """Prepare each connection, start its transactions, and check the file then."""

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # `start_transaction` below starts transactions, not the driver
        try:
            cursor = connection.cursor()
            for name, value in pragmas.items():
                cursor.execute(f"PRAGMA {name}={value}")
            if file is not None:
                _require(cursor, pragmas, file.path)
            cursor.close()
            if file is not None:
                file.record_identity()
        except BaseException:
            connection.close()  # not in the pool yet: otherwise its thread would outlive the event loop
            raise

    @event.listens_for(engine.sync_engine, "begin")
    def start_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begins)
        if file is not None:
            file.check()

    @event.listens_for(engine.sync_engine, "reset")
    def reset(connection: Any, _record: object, _state: object) -> None:
        if connection.driver_connection.in_transaction:  # a rollback is a hop to the thread of the connection
            connection.rollback()
