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

from bot.errors import StoreError
from bot.ladder.season_duties import DutyReport, Progress
from bot.store.engine.database import Database
from bot.store.engine.migrate import config_for, migrate
from bot.store.engine.models import Base, ResultRow
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_duties import SqlSeasonDutyStore
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.records.history import SqlHistory
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from tests.store.conftest import downgrade, opened
from tests.store.ladder import GUILD, NOW, saved_seasons, standing
from tests.store.matches import PLACE
from tests.store.test_finished import begun, ended

HEAD = ScriptDirectory(str(Path(__file__).parents[2] / "migrations")).get_current_head()


async def tables(database: Database) -> set[str]:
    async with database.transaction() as session:
        connection = await session.connection()
        return set(await connection.run_sync(lambda sync: inspect(sync).get_table_names()))


async def forget_what_was_parked(database: Database) -> None:
    """As if the older version had made these tables."""
    for name in await tables(database):
        if name.startswith("parked_"):
            async with database.transaction() as session:
                await session.execute(text(f"DROP TABLE {name}"))


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


async def test_matches_of_the_first_schema_are_counted_later(empty_address: str) -> None:
    """Upgraded with data: the matches and their logs stay, and standings come from them."""
    async with opened(empty_address) as database:
        await migrate(database)
        table, events = await begun(database)
        await ended(database, table, events)
        other, _ = await begun(database)
        (match,) = (await SqlHistory(database).history(PLACE.guild_id)).matches
        await downgrade(database, "0001")
        await forget_what_was_parked(database)
        await migrate(database)
        (again,) = (await SqlHistory(database).history(PLACE.guild_id)).matches
        assert match.result is not None
        assert again == replace(match, is_ranked=False, result=replace(match.result, season=0))
        saved = [await SqlTableStore(database).load(each.id) for each in (table, other)]
        assert [each and each.players for each in saved] == [table.players, other.players]
        assert len(await SqlJournal(database).read(table.id, 1)) == len(events)
        async with database.transaction() as session:
            result = (await session.scalars(select(ResultRow))).one()
            assert (result.guild_id, result.number, result.season) == (PLACE.guild_id, 1, 0)
        assert await SqlRecount(database).rebuild() == 1
        found = await standing(database)
        assert len(found["plays"]) == len(found["standings"]) == 4
        assert not found["players"], "there was no ladder then"


async def test_seasons_that_ended_before_there_were_podiums_get_none(database: Database) -> None:
    await saved_seasons(database, (0, 10), (10, None))
    await downgrade(database, "0010")
    await migrate(database)
    book = SqlSeasonDutyStore(database)
    assert await book.podium(GUILD, 1) == DutyReport(Progress.NOTHING)
    await book.settle(NOW)
    assert await book.due(NOW, most=9) == ()
    await SqlSeasonStore(database).end(GUILD, NOW)
    assert {task.season.number for task in await book.due(NOW, most=9)} == {2}


async def test_a_podium_that_was_posted_before_podiums_were_corrected_can_be(database: Database) -> None:
    await saved_seasons(database, (0, 10))
    book = SqlSeasonDutyStore(database)
    await book.settle(NOW)
    podium, champion = await book.due(NOW, most=9)
    await book.note(podium, DutyReport(Progress.DONE, channel_id=5, message_id=6, told="that"), None)
    await downgrade(database, "0014")
    await forget_what_was_parked(database)
    await migrate(database)
    assert await book.podium(GUILD, 1) == DutyReport(Progress.DONE, channel_id=5, message_id=6, told="")
    assert await book.due(NOW, most=9) == (champion,)
