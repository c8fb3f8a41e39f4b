"""The schema: from empty and back, the same as the models, and never a newer one."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select, text
from structlog.testing import capture_logs

from bot.live.ports import StoreError
from bot.live.themes import Theme
from bot.store.database import Database
from bot.store.event_store import EventStore
from bot.store.history import History
from bot.store.migrate import config_for, migrate
from bot.store.models import Base, ResultRow
from bot.store.recount import Recount
from bot.store.tables import Tables
from tests.store.conftest import downgrade, opened
from tests.store.ladder import standing
from tests.store.matches import PLACE, lobby
from tests.store.test_finished import begun, ended
from tests.store.test_history import played

HEAD = ScriptDirectory(str(Path(__file__).parents[2] / "migrations")).get_current_head()


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
        assert (logs[0]["before"], logs[0]["after"], logs[1]["schema"]) == ("empty", HEAD, HEAD)
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
        await session.execute(text(f"UPDATE alembic_version SET version_num = '{HEAD}'"))  # noqa: S608 - our own


async def test_a_failed_migration_changes_nothing(empty_address: str) -> None:
    async with opened(empty_address) as database:
        async with database.transaction() as session:
            await session.execute(text("CREATE TABLE rounds (dealer INTEGER)"))
        with pytest.raises(StoreError):
            await migrate(database)
        assert await tables(database) == {"rounds"}
        async with database.transaction() as session:
            await session.execute(text("DROP TABLE rounds"))


async def test_one_step_down_and_up_again_loses_no_match(database: Database) -> None:
    """Seats and events hang on their table: a step that rebuilt it would take them along."""
    live, log = Tables(database), EventStore(database)
    waiting = replace(lobby(), rule_set="Jeudi", theme=Theme.YOKAI)
    waiting = replace(waiting, id=await live.create(waiting))
    table_id, events, _ = await played(database, target=2)
    await downgrade(database, "0001")
    await migrate(database)
    known = replace(waiting, rule_set=None, theme=Theme.FRENCH)
    assert await live.load(waiting.id) == known, "what the older schema does not know is gone"
    assert tuple(entry.event for entry in await log.read(table_id, 1)) == events


async def test_matches_of_the_first_schema_are_counted_later(empty_address: str) -> None:
    """Upgraded with data, one step down and up again: the matches and their logs stay, and standings come from them."""
    async with opened(empty_address) as database:
        await migrate(database)
        table, events = await begun(database)
        await ended(database, table, events)
        other, _ = await begun(database)
        (match,) = (await History(database).history(PLACE.guild_id)).matches
        await downgrade(database, "0001")
        await migrate(database)
        (again,) = (await History(database).history(PLACE.guild_id)).matches
        assert match.result is not None
        assert again == replace(match, is_ranked=False, result=replace(match.result, season=0))
        saved = [await Tables(database).load(each.id) for each in (table, other)]
        assert [each and each.players for each in saved] == [table.players, other.players]
        assert len(await EventStore(database).read(table.id, 1)) == len(events)
        async with database.transaction() as session:
            result = (await session.scalars(select(ResultRow))).one()
            assert (result.guild_id, result.number, result.season) == (PLACE.guild_id, 1, 0)
        assert await Recount(database).rebuild() == 1
        found = await standing(database)
        assert len(found["plays"]) == len(found["standings"]) == 4
        assert not found["players"], "there was no ladder then"
