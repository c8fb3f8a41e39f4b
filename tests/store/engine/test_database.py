"""The connection: its settings, work in one transaction, and its errors as sentences without secrets."""

import asyncio
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import Connection, make_url, text
from sqlalchemy.orm import Session
from sqlalchemy.util import greenlet_spawn

from bot.base.errors import StoreError
from bot.store.engine import database as database_module
from bot.store.engine.database import Database
from bot.store.engine.database_file import sibling
from bot.store.engine.failures import RejectedError, UnavailableError
from bot.store.migrate import migrate
from bot.store.schema.tables import RuleSetRow
from bot.store.tables.table_store import SqlTableStore
from tests.store.conftest import execute, opened, scalars
from tests.store.matches import lobby

pytestmark = pytest.mark.both_databases


async def complaint(address: str) -> str:
    async with opened(address) as database:
        with pytest.raises(StoreError) as caught:
            await migrate(database)
    return str(caught.value)


@pytest.mark.durable
async def test_sqlite_is_durable_and_strict(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database, database.transaction() as session:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        pragmas = {name: await session.scalar(text(f"PRAGMA {name}")) for name in names}
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}


@pytest.mark.parametrize("address", ["", "kems.db", "mysql://user:secret@host/name", "postgresql://u:secret@h:port/n"])
def test_a_missing_address_is_refused(address: str) -> None:
    with pytest.raises(StoreError, match="write sqlite:///") as caught:
        Database(address)
    assert "secret" not in str(caught.value)


async def test_a_connection_cancelled_while_opening_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    begun, connect = threading.Event(), sqlite3.connect

    def slowly(*args: Any, **options: Any) -> sqlite3.Connection:
        begun.set()
        time.sleep(0.3)
        return connect(*args, **options)

    monkeypatch.setattr(sqlite3, "connect", slowly)
    async with opened(f"sqlite:///{folder}/kems.db") as database:
        reading = asyncio.create_task(migrate(database))
        assert await asyncio.to_thread(begun.wait, 10)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
    for path in folder.iterdir():
        path.unlink()
    await asyncio.sleep(0.5)
    assert list(folder.iterdir()) == [], "nobody opens a file there any more"


async def test_a_path_where_no_database_can_be_created_is_refused(tmp_path: Path) -> None:
    assert "for the database is missing: make it" in await complaint(f"sqlite:///{tmp_path}/nowhere/kems.db")
    (tmp_path / "kems.db").write_text("a letter, and a rather long one, but no database at all\n" * 100)
    assert "is not a database file" in await complaint(f"sqlite:///{tmp_path}/kems.db")


async def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "kems.db")) as connection:
        connection.execute("CREATE TABLE something (id INTEGER)")
    assert "is read-only" in await complaint(f"sqlite:///file:{tmp_path}/kems.db?mode=ro&uri=true")


async def test_a_database_in_use_by_another_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "_PRAGMAS", {"busy_timeout": 50})
    other = sqlite3.connect(tmp_path / "kems.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert "is in use by another program" in await complaint(f"sqlite:///{tmp_path}/kems.db")
    other.close()


async def test_a_database_without_tables_is_refused(empty_address: str) -> None:
    async with opened(empty_address) as database:
        with pytest.raises(StoreError, match="has no tables yet: run `kems migrate`"):
            await SqlTableStore(database).create(lobby())


async def test_a_server_that_does_not_answer_is_reported_without_a_secret() -> None:
    said = await complaint("postgresql://kems:hunter2@127.0.0.1:9/kems?password=hunter3")
    where = "postgresql://kems:***@127.0.0.1:9/kems"
    assert said == f"The database {where} cannot be reached: is it running, and is the address right?"


@pytest.mark.postgres
async def test_an_unknown_database_or_user_is_reported(postgres: str) -> None:
    unknown = make_url(postgres).set(database="kems_unknown").render_as_string(hide_password=False)
    assert "does not know this database or user" in await complaint(unknown)


async def test_a_closed_database_stays_closed(address: str) -> None:
    """What is under way ends first; whatever comes later opens no new connection."""
    database = Database(address)
    is_in, may_end = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with database.transaction() as session:
            is_in.set()
            await may_end.wait()
            await session.execute(text("SELECT 1"))

    writing = asyncio.create_task(write())
    await is_in.wait()
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    with pytest.raises(StoreError, match="is closed already: the bot is stopping"):
        await SqlTableStore(database).load(1)
    assert not closing.done()
    may_end.set()
    await asyncio.gather(writing, closing)
    assert database.engine.pool.checkedin() == 0  # type: ignore[attr-defined]  # both pools count what they keep
    with pytest.raises(StoreError, match="is closed already"):
        await SqlTableStore(database).load(1)


_WRITE = text("INSERT INTO rule_sets (guild_id, key, name, line) VALUES (1, 'a', 'A', 'classic')")
_COUNT = text("SELECT count(*) FROM rule_sets")


def write(connection: Connection) -> int:
    return connection.execute(_WRITE).rowcount


def count(session: Session) -> int:
    return session.scalar(_COUNT) or 0


async def counted(database: Database) -> int:
    return (await scalars(database, "SELECT count(*) FROM rule_sets"))[0]


async def test_work_is_committed_and_its_outcome_returned(database: Database) -> None:
    assert await database.run(write) == 1
    assert await counted(database) == 1


@pytest.mark.parametrize("is_our_own", [False, True])
async def test_work_that_fails_leaves_nothing(database: Database, is_our_own: bool) -> None:
    def fail(connection: Connection) -> None:
        write(connection)
        if is_our_own:
            raise StoreError("The work says what is wrong.")
        connection.execute(text("SELECT * FROM nowhere"))

    with pytest.raises(StoreError, match="The work says" if is_our_own else "nowhere|has no tables"):
        await database.run(fail)
    assert await counted(database) == 0
    assert await database.run(write) == 1  # the connection is whole


async def test_a_session_that_fails_leaves_nothing(database: Database) -> None:
    def twice(session: Session) -> None:
        session.add(RuleSetRow(guild_id=1, key="b", name="B", line="classic"))
        session.execute(_WRITE)
        session.add(RuleSetRow(guild_id=1, key="a", name="A", line="classic"))

    with pytest.raises(RejectedError):
        await database.change(twice)
    assert await database.query(count) == 0
    await database.change(lambda session: session.add(RuleSetRow(guild_id=1, key="a", name="A", line="classic")))
    assert await database.query(count) == 1


async def test_work_waits_for_a_transaction_that_is_under_way(database: Database) -> None:
    await execute(database, _WRITE)
    assert await database.run(lambda connection: connection.scalar(text("SELECT count(*) FROM rule_sets"))) == 1


async def test_a_unit_of_work_switches_threads_once(sqlite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    await sqlite.run(write)
    assert await sqlite.query(count) == 1
    hops = []
    plain = aiosqlite.Connection._execute

    async def counting(connection: aiosqlite.Connection, *args: Any, **options: Any) -> Any:
        hops.append(args[0])
        return await plain(connection, *args, **options)

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counting)
    await sqlite.run(lambda connection: connection.execute(text("SELECT 1")).scalar())
    await sqlite.query(lambda session: (count(session), count(session)))
    assert [getattr(hop, "__name__", "") for hop in hops] == ["_do", "_do"]


async def test_a_connection_that_comes_back_in_a_transaction_is_rolled_back(sqlite: Database) -> None:
    """PostgreSQL's driver sees to it."""
    pooled = await sqlite.engine.raw_connection()
    for statement in ("BEGIN", str(_WRITE)):
        await pooled.driver_connection.execute(statement)
    await greenlet_spawn(pooled.close)
    assert await counted(sqlite) == 0
    assert await sqlite.run(write) == 1


async def test_a_query_waits_for_no_writer_and_no_writer_for_a_query(sqlite: Database) -> None:
    async with sqlite.transaction() as writing:
        await writing.execute(_WRITE)
        async with sqlite.reading() as question:
            assert await question.scalar(_COUNT) == 0
        assert await sqlite.query(count) == 0
    async with sqlite.reading() as question:
        assert await question.scalar(_COUNT) == 1, "it sees what was committed before it"
        assert await sqlite.run(lambda connection: connection.execute(text("DELETE FROM rule_sets")).rowcount) == 1
        assert await question.scalar(_COUNT) == 1, "it goes on seeing what it saw"


async def test_many_queries_run_at_once(sqlite: Database) -> None:
    async def ask() -> int:
        async with sqlite.reading() as question:
            await asyncio.sleep(0)
            return await question.scalar(_COUNT) or 0

    for _ in range(2):  # some find a connection that has answered the one way when they ask the other way
        both = (each for _ in range(10) for each in (sqlite.query(count), ask()))
        assert await asyncio.gather(*both) == [0] * 20
        assert await asyncio.gather(*(sqlite.query(count) for _ in range(20))) == [0] * 20


async def test_a_failed_query_keeps_no_connection(sqlite: Database) -> None:
    def fail(session: Session) -> int:
        return count(session) // 0

    for _ in range(9):
        with pytest.raises(ZeroDivisionError):
            await sqlite.query(fail)
    await sqlite.run(write)
    assert await sqlite.query(count) == 1, "no transaction that began before goes on"


async def test_a_query_cannot_write(database: Database) -> None:
    with pytest.raises(StoreError):
        async with database.reading() as question:
            await question.execute(_WRITE)
    with pytest.raises(StoreError):
        await database.query(lambda session: session.execute(_WRITE).rowcount)
    assert await counted(database) == 0
    assert await database.run(write) == 1, "the connections of a pool may write again"


async def test_a_checkpoint_empties_the_wal_while_queries_run(sqlite: Database) -> None:
    """A question that is under way ends first; the others wait."""
    await sqlite.run(write)
    may_end = asyncio.Event()

    async def ask() -> int:
        async with sqlite.reading() as question:
            await question.scalar(_COUNT)
            await may_end.wait()
            return await question.scalar(_COUNT) or 0

    asking = asyncio.create_task(ask())
    await asyncio.sleep(0.05)
    scrubbing = asyncio.create_task(sqlite.scrub())
    assert await sqlite.run(lambda connection: connection.scalar(_COUNT)) == 1, "nobody who writes waits for it"
    assert not scrubbing.done()
    may_end.set()
    await scrubbing
    assert await asking == 1
    assert sqlite.file is not None
    assert sibling(sqlite.file, "-wal").stat().st_size == 0


async def test_a_checkpoint_waits_for_no_other_program(sqlite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a copy that is just being made: moves and questions pass meanwhile."""
    monkeypatch.setattr(database_module, "_SCRUB_TRIES", 2)
    await sqlite.run(write)
    assert sqlite.file is not None
    with closing(sqlite3.connect(f"{sqlite.file.as_uri()}?mode=ro", uri=True, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM rule_sets").fetchone()
        async with asyncio.timeout(4):  # SQLite would wait for five seconds, each time
            with pytest.raises(UnavailableError, match="Another program reads the database"):
                await sqlite.scrub()
        assert await sqlite.run(lambda connection: connection.scalar(text("PRAGMA busy_timeout"))) == 5000
        assert sibling(sqlite.file, "-wal").stat().st_size > 0
    await sqlite.scrub()
    assert sibling(sqlite.file, "-wal").stat().st_size == 0


@pytest.mark.parametrize("is_asked", [True, False])
async def test_a_query_sees_one_state_of_the_database(address: str, database: Database, *, is_asked: bool) -> None:
    """Whatever is committed between two of its statements, by whomever."""

    async def write_elsewhere() -> None:
        async with opened(address) as other:
            await other.run(write)

    def meanwhile() -> None:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, write_elsewhere()).result()

    def twice(session: Session) -> list[int | None]:
        before = session.scalar(_COUNT)
        meanwhile()
        return [before, session.scalar(_COUNT)]

    if is_asked:
        seen = await database.query(twice)
    else:
        async with database.reading() as question:
            before = await question.scalar(_COUNT)
            meanwhile()
            seen = [before, await question.scalar(_COUNT)]
    assert seen == [0, 0]
    assert await database.query(lambda session: session.scalar(_COUNT)) == 1


async def test_a_disk_on_which_sqlite_cannot_share_a_wal_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite says so in the row that a pragma returns; here it is a mode that it does not know."""
    monkeypatch.setitem(database_module._PRAGMAS, "journal_mode", "shared")
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database:
        with pytest.raises(
            UnavailableError, match=r"cannot set journal_mode=shared for .*: put the database on a local"
        ):
            await database.check()


async def test_a_query_to_a_deleted_file_is_refused(sqlite: Database) -> None:
    await sqlite.run(write)
    assert sqlite.file is not None
    sqlite.file.unlink()
    with pytest.raises(StoreError, match="is gone: its file was deleted or replaced"):
        await SqlTableStore(sqlite).load(1)


async def test_the_writing_connection_closes_last(tmp_path: Path) -> None:
    """It writes the WAL back then, and deletes it."""
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database:
        await migrate(database)
        await database.run(write)
        async with database.reading() as question:
            assert await question.scalar(_COUNT) == 1
        assert await database.query(count) == 1
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".lock"] == ["kems.db"]
