"""The schema: from empty and back, the same as the models, and no schema of another version is touched."""

import asyncio
import io
import os
import re
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import alembic.config
import pytest
from alembic import command
from sqlalchemy import Connection, inspect
from structlog.testing import capture_logs

from bot.base.errors import KemsError, StoreError
from bot.base.settings import Settings
from bot.operating import operations
from bot.store.backup import keep_before_update, restore
from bot.store.engine.database import Database
from bot.store.engine.failures import NewerSchemaError, NoCopyError
from bot.store.migrate import COPIES, MIGRATION_LOCK, config_for, lock_and_migrate, migrate, needs_migration
from bot.store.schema import Base
from bot.store.tables.table_store import SqlTableStore
from tests.databases import migrated
from tests.store.conftest import execute, opened, scalars, sync
from tests.store.later_revision import HEAD, SCRIPTS, with_later_revision
from tests.store.matches import lobby
from tests.store.revisions import FIRST, FROZEN, digest

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).parents[2]


def reflected(connection: Connection) -> dict[str, Any]:
    """Of each table, the columns, constraints and indexes, in no order. A default that no row class has is left out."""
    found, of = inspect(connection), {}
    for name, table in Base.metadata.tables.items():
        with_default = {column.name for column in table.columns if column.server_default is not None}
        columns = [
            (each["name"], str(each["type"]), each["nullable"], each["default"] if each["name"] in with_default else "")
            for each in found.get_columns(name)
        ]
        constraints = (found.get_pk_constraint(name), *found.get_foreign_keys(name), *found.get_check_constraints(name))
        of[name] = sorted(map(repr, (*columns, *constraints, *found.get_unique_constraints(name))))
        of[name] += sorted(
            f"{each['name']} {each['column_names']} {each['unique']} {[*map(str, each['dialect_options'].values())]}"
            for each in found.get_indexes(name)
        )
    return of


async def tables(database: Database) -> set[str]:
    return set(await sync(database, lambda connection: inspect(connection).get_table_names()))


async def test_migrations_run_up_from_empty_and_down_again(empty_address: str) -> None:
    async with opened(empty_address) as database:
        assert await needs_migration(database)
        with capture_logs() as logs:
            await migrate(database)
            await migrate(database)
        assert not await needs_migration(database)
        assert await tables(database) == {*Base.metadata.tables, "alembic_version"}
        assert [entry["event"] for entry in logs] == ["database.migrated", "database.up_to_date"]
        assert (logs[0]["before"], logs[0]["after"], logs[1]["schema"]) == ("empty", HEAD, HEAD)
        async with database.exclusive(MIGRATION_LOCK) as session:
            connection = await session.connection()
            await connection.run_sync(lambda raw: command.downgrade(config_for(raw), "base"))
        assert await tables(database) == {"alembic_version"}
        await migrate(database)
        assert await tables(database) == {*Base.metadata.tables, "alembic_version"}


@pytest.mark.parametrize("backend", ["postgres"])  # a SQLite file has one bot at a time
async def test_bots_that_start_at_once_migrate_an_empty_database_once(empty_address: str) -> None:
    async with opened(empty_address) as first, opened(empty_address) as second, opened(empty_address) as third:
        with capture_logs() as logs:
            await asyncio.gather(*(migrate(database) for database in (first, second, third)))
        told = [entry["event"] for entry in logs if entry["event"].startswith("database.")]
        assert sorted(told) == ["database.migrated", "database.up_to_date", "database.up_to_date"]


async def test_the_migrations_make_what_the_models_say(database: Database) -> None:
    def check(connection: Connection) -> None:
        config = config_for(connection)
        config.stdout = io.StringIO()
        command.check(config)

    async with database.exclusive(MIGRATION_LOCK) as session:
        await (await session.connection()).run_sync(check)


@pytest.mark.parametrize("revision", ["0001", "0020", "ffffffffffff"])
async def test_a_schema_of_another_version_is_refused_and_left_alone(empty_address: str, revision: str) -> None:
    """A database from before the first release had one of twenty revisions, 0001 to 0020."""
    async with opened(empty_address) as database:
        await execute(
            database,
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)",
            f"INSERT INTO alembic_version VALUES ('{revision}')",  # noqa: S608 - our own
            "CREATE TABLE tables (id INTEGER PRIMARY KEY, guild_id BIGINT NOT NULL)",
            "INSERT INTO tables VALUES (1, 2)",
        )
        for use in (migrate, needs_migration):
            with pytest.raises(StoreError) as refused:
                await use(database)
            assert str(refused.value) == (
                f"The database {database.where} has schema {revision}, which this version of the bot does not know: a"
                " newer version made it, or one from before the first release. Install that version again, or"
                " `kems restore` the copy that it made before its update (kems-before-update-*), or move the database"
                f" away and start with an empty one (schema {HEAD})."
            )
        assert await tables(database) == {"alembic_version", "tables"}
        assert await scalars(database, "SELECT guild_id FROM tables") == [2]
        assert await scalars(database, "SELECT version_num FROM alembic_version") == [revision]


def test_the_first_revision_stays_as_it_is() -> None:
    assert digest() == FROZEN, f"Databases have {FIRST.name}: take its change back, and run `make schema`."


async def test_the_revisions_make_every_constraint_index_and_default_of_the_models(empty_address: str) -> None:
    async with opened(empty_address) as database:
        await migrate(database)
        of_revisions = await sync(database, reflected)
        async with database.exclusive(MIGRATION_LOCK) as session:
            connection = await session.connection()
            await connection.run_sync(lambda raw: command.downgrade(config_for(raw), "base"))
            await connection.run_sync(Base.metadata.create_all)
        of_models = await sync(database, reflected)
    assert sum(map(len, of_models.values())) > 10 * len(of_models)
    assert of_revisions == of_models


@pytest.mark.parametrize("address", ["sqlite:///{}/none.db", "postgresql://nobody@127.0.0.1:1/none"])
def test_the_sql_of_the_revisions_is_printed_without_a_database(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DATABASE_URL", address.format(tmp_path))
    alembic.config.main(["upgrade", "initial", "--sql"])  # a later one may make a table of SQLite again
    said = capsys.readouterr().out
    assert said.count("CREATE TABLE") == len(Base.metadata.tables) + 1
    assert said.count(" INDEX ") == sum(len(table.indexes) for table in Base.metadata.tables.values())
    assert (said.strip().startswith("BEGIN;"), said.strip().endswith("COMMIT;")) == (True, True)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.usefixtures("postgres_programs")
async def test_a_revision_changes_only_older_databases_and_copies_them_before(
    empty_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    address = empty_address
    async with opened(address) as database:
        await migrate(database)
        await SqlTableStore(database).create(lobby())
    monkeypatch.setattr("bot.store.migrate._SCRIPTS", with_later_revision(tmp_path))
    async with opened(address) as database:
        assert await needs_migration(database)
        with capture_logs() as logs:
            await lock_and_migrate(database, keep_before_update)
            await migrate(database, keep_before_update)
        assert [entry["event"] for entry in logs] == ["database.copied", "database.migrated", "database.up_to_date"]
        assert "later" in await tables(database)
        assert await scalars(database, "SELECT version_num FROM alembic_version") == ["later"]
    (copy,) = tmp_path.glob(f"{COPIES}*")
    assert logs[0]["file"] == str(copy)

    monkeypatch.setattr("bot.store.migrate._SCRIPTS", SCRIPTS)
    async with opened(address) as database:
        with pytest.raises(NewerSchemaError, match="has schema later"):
            await migrate(database)
        await restore(database, copy)
    async with opened(address) as database:
        assert await scalars(database, "SELECT version_num FROM alembic_version") == [HEAD]
        assert await scalars(database, "SELECT count(*) FROM tables") == [1]


async def test_readers_of_an_older_database_ask_for_a_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = migrated(tmp_path)
    settings = Settings(_env_file=None, database_url=address)
    monkeypatch.setattr("bot.store.migrate._SCRIPTS", with_later_revision(tmp_path))
    sentence = re.escape(f"The database {address} has tables of an older version: run `kems migrate` first.")
    now = datetime.now().astimezone()
    with pytest.raises(KemsError, match=sentence):
        await operations.explain_presses(settings, 1, f"{now:%H:%M}", 1)
    with pytest.raises(KemsError, match=sentence):  # which reads a copy
        await operations.write_site(settings, tmp_path / "site", server=None, title="", language=None, most=1)


@pytest.mark.parametrize("backend", ["postgres"])  # SQLite needs no program
async def test_no_table_is_migrated_when_no_copy_can_be_made(
    empty_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(empty_address) as database:
        await migrate(database, keep_before_update)
        monkeypatch.setattr("bot.store.migrate._SCRIPTS", with_later_revision(tmp_path))
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(NoCopyError) as refused:
            await migrate(database, keep_before_update)
        assert str(refused.value) == (
            f"The database {database.where} stays as it is, because no copy of it can be made before its tables change."
            " pg_dump is not installed: install PostgreSQL's client programs, or work on its server."
            " `kems migrate --no-backup` changes them without a copy."
        )
        assert refused.value.status == os.EX_CONFIG
        assert "later" not in await tables(database)


async def test_a_failed_migration_changes_nothing(empty_address: str) -> None:
    async with opened(empty_address) as database:
        await execute(database, "CREATE TABLE seats (seat INTEGER)")
        with pytest.raises(StoreError):
            await migrate(database)
        assert await tables(database) == {"seats"}


def test_the_command_line_of_alembic_upgrades_and_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(alembic.config.Config, "print_stdout", lambda _, line, *told: said.append(line % told))
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'kems.db'}")
    for command_line in (["upgrade", "head"], ["current"], ["check"]):
        alembic.config.main(command_line)
    current, checked = said
    assert "(head)" in current
    assert "No new upgrade operations" in checked
