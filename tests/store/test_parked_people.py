"""Who is forgotten while something is parked for a younger schema does not come back with the next upgrade."""

from __future__ import annotations

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection, text

from bot.store.engine.database import Database
from bot.store.engine.models import Base
from bot.store.privacy.parking import keep_columns, parked, take_back
from bot.store.privacy.personal_data import SqlPersonalData
from tests.store import filled
from tests.store.test_every_revision import sync
from tests.store.test_finished import PEOPLE
from tests.store.test_privacy import ANA, NAME, a_past

REVISION = "9999"
USER = ANA.user_id
OTHER = PEOPLE[1].user_id


def park_all(connection: Connection) -> None:
    """As if a younger schema had other tables in the place of all of these."""
    for table in Base.metadata.tables:
        connection.execute(text(f"CREATE TABLE parked_{REVISION}_rows_{table} AS SELECT * FROM {table}"))  # noqa: S608


async def test_what_is_parked_forgets_like_the_tables_themselves(database: Database) -> None:
    await a_past(database)
    assert USER is not None
    await sync(database, park_all)
    rows = await sync(database, filled.dump)
    assert sum(str(USER) in str(row) for name in rows for row in rows[name] if name.startswith("parked_")) > 12
    assert await SqlPersonalData(database).forget(USER)
    after = await sync(database, filled.dump)
    for name in Base.metadata.tables:
        assert sorted(after[name], key=repr) == sorted(after[f"parked_{REVISION}_rows_{name}"], key=repr)
    assert str(USER) not in str(after)
    assert NAME not in str(after)


async def test_nobody_comes_back_with_what_is_put_back(database: Database) -> None:
    """Columns go back into the rows of the person, whoever stands there now."""

    def park(connection: Connection) -> None:
        with Operations.context(MigrationContext.configure(connection)):
            keep_columns(REVISION, "departures", "was_sent_away")
            keep_columns(REVISION, "plays", "rounds")
            keep_columns(REVISION, "standings", "wins")
        assert {name for name, _ in parked(connection)} == {"departures", "plays", "standings"}
        connection.execute(text("UPDATE departures SET was_sent_away = NOT was_sent_away"))
        connection.execute(text("UPDATE plays SET rounds = 0"))

    def upgrade(connection: Connection) -> None:
        with Operations.context(MigrationContext.configure(connection)):
            take_back(REVISION)

    await a_past(database)
    assert USER is not None
    before = await sync(database, filled.dump)
    await sync(database, park)
    assert await SqlPersonalData(database).forget(USER)
    assert str(USER) not in str(await sync(database, filled.dump))
    await sync(database, upgrade)
    after = await sync(database, filled.dump)
    assert after.keys() == before.keys()
    assert str(USER) not in str(after)
    for table, column in (("departures", "was_sent_away"), ("plays", "rounds")):
        assert sorted(row[column] for row in after[table]) == sorted(row[column] for row in before[table])


async def test_what_this_version_does_not_know_is_removed(database: Database) -> None:
    def park(connection: Connection) -> None:
        for statement in (
            f"CREATE TABLE parked_{REVISION}_rows_medals (winner_id BIGINT, judge_id BIGINT, said VARCHAR(99))",
            f"INSERT INTO parked_{REVISION}_rows_medals"  # noqa: S608 - our own words
            f" VALUES ({USER}, 1, 'a'), (2, {USER}, 'b'), (2, 3, 'to {NAME}')",
            f"CREATE TABLE parked_{REVISION}_columns_tables (id INTEGER, patron_id BIGINT, motto VARCHAR(99))",
            f"INSERT INTO parked_{REVISION}_columns_tables"  # noqa: S608 - our own words
            f" VALUES (1, {USER}, '<@{USER}>: {NAME}!'), (2, {OTHER}, 'x')",
        ):
            connection.execute(text(statement))

    await a_past(database)
    await sync(database, park)
    assert USER is not None
    assert await SqlPersonalData(database).forget(USER)
    after = await sync(database, filled.dump)
    assert after[f"parked_{REVISION}_rows_medals"] == [{"winner_id": 2, "judge_id": 3, "said": "to …"}]
    assert sorted(after[f"parked_{REVISION}_columns_tables"], key=repr) == [
        {"id": 1, "patron_id": 0, "motto": "…: …!"},
        {"id": 2, "patron_id": OTHER, "motto": "x"},
    ]
