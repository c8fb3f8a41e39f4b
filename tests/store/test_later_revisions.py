"""A later revision changes tables that hold a history: every row is there afterwards, also after a kill in its midst.

The copy that was made before leads back.

SQLite makes a table again for most changes, and PostgreSQL alters it.
"""

import asyncio
import os
import shutil
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import (
    Boolean,
    Column,
    Double,
    Engine,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    event,
    func,
    insert,
    inspect,
    select,
)
from sqlalchemy import Connection as Sql
from sqlalchemy import table as sql_table

from bot.base.errors import StoreError
from bot.store import migrate
from bot.store.backup import keep_before_update, restore
from bot.store.engine.database import Database
from bot.store.schema import Base
from bot.store.schema.tables import OF_PROCESSES
from tests.rig.processes import Running
from tests.store import revisions
from tests.store.conftest import execute, opened, scalars
from tests.store.later_revision import HEAD, SCRIPTS, with_later_revision
from tests.store.revisions import FIRST, next_number

TABLES = [table.name for table in Base.metadata.sorted_tables]
ROWS = 3
_INDEXES = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql > '' ORDER BY name"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder in which copies of PostgreSQL are made."""
    monkeypatch.chdir(tmp_path)


def value(column: Column[Any], number: int) -> Any:
    match column.type:
        case LargeBinary():
            return bytes([number])
        case Boolean():
            return number % 2 > 0
        case Double():
            return number / 2
        case Integer():
            return number
        case _:
            return str(number)


def fill(connection: Sql) -> None:
    """A few rows of every table that there is, each of which refers to those of the same number."""
    there = MetaData()
    there.reflect(connection)
    for table in there.sorted_tables:
        if table.name == "alembic_version":
            continue
        rows = [{column.name: value(column, number) for column in table.columns} for number in range(1, ROWS + 1)]
        connection.execute(insert(table), rows)


async def rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All of them, by table, with the columns of this version."""
    return await database.run(
        lambda connection: {
            table.name: sorted(map(tuple, connection.execute(table.select())), key=repr)
            for table in Base.metadata.sorted_tables
        }
    )


def counted(connection: Sql) -> dict[str, int]:
    names = inspect(connection).get_table_names()
    return {name: connection.scalar(select(func.count()).select_from(sql_table(name))) or 0 for name in names}


async def is_killed(address: str, scripts: Path, at: str) -> bool:
    """Migrate in a process that dies when it is about to send a statement with these words."""
    code = await (await Running.start(_migrate, address, scripts, at)).code()
    assert code in (0, -signal.SIGKILL)
    return code != 0


def _migrate(_line: Connection, address: str, scripts: Path, at: str) -> None:
    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if at in statement:
            os.kill(os.getpid(), signal.SIGKILL)

    async def main() -> None:
        async with opened(address) as database:
            await migrate.migrate(database)

    migrate._SCRIPTS = scripts  # type: ignore[misc]
    event.listen(Engine, "before_cursor_execute", note)
    asyncio.run(main())


async def survives(address: str, scripts: Path, changed: list[str], killed_at: str) -> None:
    async with opened(address) as database:
        await migrate.migrate(database)
        await database.run(fill)
        before = await rows(database)
        indexes = await scalars(database, _INDEXES) if database.is_sqlite else []
    assert all(len(of_table) == ROWS for of_table in before.values())
    assert await is_killed(address, scripts, killed_at)
    async with opened(address) as database:
        assert await rows(database) == before
        assert await scalars(database, "SELECT version_num FROM alembic_version") == [HEAD]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(migrate, "_SCRIPTS", scripts)
            await migrate.migrate(database, keep_before_update)
        assert await rows(database) == before
        for name in changed:
            assert await scalars(database, f"SELECT later FROM {name}") == [7] * ROWS  # noqa: S608 - our own names
        if database.is_sqlite:
            assert await scalars(database, _INDEXES) == indexes
            assert await scalars(database, "PRAGMA foreign_keys") == [1], "they are followed again"
        await execute(database, "DELETE FROM tables WHERE id = 1")
        assert await scalars(database, "SELECT count(*) FROM seats") == [ROWS - 1]
    (copy,) = scripts.parent.glob(f"{migrate.COPIES}*")
    async with opened(address) as database:
        await restore(database, copy)
    async with opened(address) as database:
        after = await rows(database)
        assert [name for name in TABLES if name not in OF_PROCESSES and after[name] != before[name]] == []
        assert await scalars(database, "SELECT version_num FROM alembic_version") == [HEAD]


@pytest.mark.usefixtures("here", "postgres_programs")
@pytest.mark.both_databases
async def test_tables_that_are_made_again_keep_every_row(empty_address: str, tmp_path: Path) -> None:
    sqlite = empty_address.startswith("sqlite")
    at = "DROP TABLE tables" if sqlite else "ALTER TABLE tables ADD"
    await survives(empty_address, with_later_revision(tmp_path, TABLES), TABLES, at)


@pytest.mark.long
@pytest.mark.usefixtures("here", "postgres_programs")
@pytest.mark.parametrize("name", TABLES)
async def test_each_table_keeps_every_row_when_it_is_made_again(empty_address: str, name: str, tmp_path: Path) -> None:
    sqlite = empty_address.startswith("sqlite")
    at = f"DROP TABLE {name}" if sqlite else f"ALTER TABLE {name} ADD CONSTRAINT"
    await survives(empty_address, with_later_revision(tmp_path, [name]), [name], at)


@pytest.mark.parametrize("backend", ["sqlite"])  # PostgreSQL lets no statement do it
async def test_rows_with_dangling_references_stop_a_revision(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await database.run(fill)
    before = await rows(database)
    scripts = with_later_revision(tmp_path)
    (later,) = scripts.glob("versions/*_later.py")
    later.write_text(later.read_text() + '    op.execute("DELETE FROM tables WHERE id = 2")\n')  # noqa: S608 - our own
    monkeypatch.setattr(migrate, "_SCRIPTS", scripts)
    with pytest.raises(StoreError, match=r"^Rows of .*seats.* refer to rows that the database does not"):
        await migrate.migrate(database)
    assert await rows(database) == before


async def migrated_with_rows(database: Database) -> None:
    await migrate.migrate(database)
    await execute(database, *(f"DELETE FROM {name}" for name in OF_PROCESSES))  # noqa: S608 - our own names
    await database.run(fill)


@pytest.mark.both_databases
async def test_the_revisions_since_the_first_keep_every_row(
    empty_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is to be done as long as there is only the first; the next test writes a second one."""
    first = Path(shutil.copytree(SCRIPTS, tmp_path / "migrations", ignore=shutil.ignore_patterns("0*.py")))
    shutil.copy(FIRST, first / "versions")
    async with opened(empty_address) as database:
        with monkeypatch.context() as patch:
            patch.setattr(migrate, "_SCRIPTS", first)
            await migrated_with_rows(database)
        before = await database.run(counted)
        await migrate.migrate(database)
        assert {count for name, count in before.items() if name != "alembic_version"} == {ROWS}
        assert (await database.run(counted)).items() >= before.items()


@pytest.mark.both_databases
async def test_a_further_revision_is_written_with_values_for_existing_rows(
    empty_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = Path(shutil.copytree(SCRIPTS, tmp_path / "migrations"))
    changed = MetaData(naming_convention=Base.metadata.naming_convention)
    for table in Base.metadata.sorted_tables:
        table.to_metadata(changed)
    Table("added", changed, Column("id", Integer, primary_key=True))
    servers, kinds = changed.tables["servers"], {"flag": Boolean, "number": Integer, "words": Text, "share": Double}
    for name, kind in kinds.items():
        servers.append_column(Column(name, kind, nullable=False))
    Index("ix_servers_number", servers.c.number, sqlite_where=servers.c.flag.is_(True))
    monkeypatch.setattr(revisions, "FOLDER", scripts / "versions")
    number = next_number(revisions.FOLDER)
    async with opened(empty_address) as database:
        await migrated_with_rows(database)
        before = await rows(database)
        monkeypatch.setattr(migrate, "_SCRIPTS", scripts)
        with monkeypatch.context() as patch:
            patch.setattr(Base, "metadata", changed)
            file = await asyncio.to_thread(revisions.write_next, "Servers have a flag")
        assert file.name == f"{number}_servers_have_a_flag.py"
        await migrate.migrate(database)
        assert await rows(database) == before
        assert await scalars(database, "SELECT count(*) FROM added") == [0]
        assert (
            await scalars(database, "SELECT words FROM servers WHERE NOT flag AND number = 0 AND share = 0") == [""] * 3
        )
        indexes = {each["name"]: each for each in await database.run(lambda sql: inspect(sql).get_indexes("servers"))}
        assert str(next(iter(indexes["ix_servers_number"]["dialect_options"].values()))) == (
            "flag IS 1" if database.is_sqlite else "(flag IS TRUE)"
        )
