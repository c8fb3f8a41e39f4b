"""Work that is done in one transaction, in one hop to the database's thread."""

from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import Connection, text
from sqlalchemy.util import greenlet_spawn

from bot.errors import StoreError
from bot.store.engine.database import Database
from bot.store.engine.failures import UnavailableError

_WRITE = text("INSERT INTO rule_sets (guild_id, key, name, line) VALUES (1, 'a', 'A', 'classic')")


def write(connection: Connection) -> int:
    return connection.execute(_WRITE).rowcount


async def counted(database: Database) -> int:
    async with database.transaction() as session:
        return int(await session.scalar(text("SELECT count(*) FROM rule_sets")) or 0)


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


async def test_nothing_is_written_to_a_file_that_was_deleted(database: Database) -> None:
    if database.file is None:
        pytest.skip("a PostgreSQL database has no file here")
    assert await database.run(write) == 1
    Path(database.file).unlink()
    with pytest.raises(UnavailableError):
        await database.run(write)


async def test_work_waits_for_a_transaction_that_is_under_way(database: Database) -> None:
    async with database.transaction() as session:
        await session.execute(_WRITE)
    assert await database.run(lambda connection: connection.scalar(text("SELECT count(*) FROM rule_sets"))) == 1


async def test_one_hop_to_the_thread(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    if not database.is_sqlite:
        pytest.skip("PostgreSQL has no thread")
    await database.run(write)
    hops = []
    plain = aiosqlite.Connection._execute

    async def counting(connection: aiosqlite.Connection, *args: Any, **options: Any) -> Any:
        hops.append(args[0])
        return await plain(connection, *args, **options)

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counting)
    await database.run(lambda connection: connection.execute(text("SELECT 1")).scalar())
    assert [getattr(hop, "__name__", "") for hop in hops] == ["_do"]


async def test_a_connection_that_comes_back_in_a_transaction_is_rolled_back(database: Database) -> None:
    if not database.is_sqlite:
        pytest.skip("PostgreSQL's driver sees to it")
    pooled = await database.engine.raw_connection()
    assert pooled.driver_connection is not None
    for statement in ("BEGIN", str(_WRITE)):
        await pooled.driver_connection.execute(statement)
    await greenlet_spawn(pooled.close)
    assert await counted(database) == 0
    assert await database.run(write) == 1
