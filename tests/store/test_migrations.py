"""The schema: from empty and back, the same as the models, and never a newer one."""

from __future__ import annotations

import io

import pytest
from alembic import command
from sqlalchemy import Connection, inspect, text
from structlog.testing import capture_logs

from bot.live.ports import StoreError
from bot.store.database import Database
from bot.store.migrate import config_for, migrate
from bot.store.models import Base
from tests.store.conftest import downgrade, opened


async def tables(database: Database) -> set[str]:
    async with database.transaction() as session:
        connection = await session.connection()
        return set(await connection.run_sync(lambda sync: inspect(sync).get_table_names()))


async def test_up_from_empty_and_down_again(empty_address: str) -> None:
    async with opened(empty_address) as database:
        with capture_logs() as logs:
            await migrate(database)
            await migrate(database)
        assert await tables(database) == {*Base.metadata.tables, "alembic_version"}
        assert [entry["event"] for entry in logs] == ["database.migrated", "database.up_to_date"]
        assert (logs[0]["before"], logs[0]["after"], logs[1]["schema"]) == ("empty", "0001", "0001")
        await downgrade(database)
        assert await tables(database) == {"alembic_version"}


async def test_the_migrations_make_what_the_models_say(database: Database) -> None:
    def check(connection: Connection) -> None:
        config = config_for(connection)
        config.stdout = io.StringIO()
        command.check(config)

    async with database.transaction() as session:
        await (await session.connection()).run_sync(check)


async def test_a_newer_schema_is_left_alone(database: Database) -> None:
    async with database.transaction() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"schema 9999, which this version of the bot does not know: install"):
        await migrate(database)
    async with database.transaction() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '0001'"))


async def test_a_failed_migration_changes_nothing(empty_address: str) -> None:
    async with opened(empty_address) as database:
        async with database.transaction() as session:
            await session.execute(text("CREATE TABLE rounds (dealer INTEGER)"))
        with pytest.raises(StoreError):
            await migrate(database)
        assert await tables(database) == {"rounds"}
        async with database.transaction() as session:
            await session.execute(text("DROP TABLE rounds"))
