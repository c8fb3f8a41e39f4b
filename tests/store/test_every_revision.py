"""Every step of the schema with data in every table: to the youngest one, and down and up again, nothing is lost.

A new revision is covered by being there: `filled` makes rows for tables and columns that it does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from bot.records.history import MatchRecord
from bot.store.engine.database import Database
from bot.store.engine.migrate import config_for, migrate
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.privacy.personal_data import SqlPersonalData
from bot.store.records.history import SqlHistory
from bot.store.tables.journal import SqlJournal
from bot.store.tables.server_store import SqlServerStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.table_store import SavedTable
from tests.store import filled
from tests.store.conftest import downgrade, opened
from tests.store.filled import ANA, AT, GUILD, OPEN, OVER, PLAYING, VOID
from tests.store.matches import lobby

STEPS = ScriptDirectory(str(Path(__file__).parents[2] / "migrations"))
REVISIONS = [step.revision for step in reversed(list(STEPS.walk_revisions()))]
HINT = "drop with `drop_tables` and `drop_columns` of bot.store.privacy.parking, and end the upgrade with `take_back`"

T = TypeVar("T")


async def sync(database: Database, work: Callable[[Connection], T]) -> T:
    async with database.transaction() as session:
        return await (await session.connection()).run_sync(work)


async def upgrade(database: Database, revision: str) -> None:
    await sync(database, lambda connection: command.upgrade(config_for(connection), revision))


@pytest.mark.parametrize("revision", REVISIONS)
async def test_nothing_is_lost_from_here_to_the_youngest_nor_one_step_down_and_up(
    empty_address: str, revision: str
) -> None:
    async with opened(empty_address) as database:
        await upgrade(database, revision)
        await sync(database, filled.fill)
        before = await sync(database, filled.dump)
        assert all(before.values()), "every table has rows"
        await downgrade(database, "-1")
        await upgrade(database, revision)
        again = await sync(database, filled.dump)
        assert not filled.lost(before, again), HINT
        assert again.keys() == before.keys(), "what was parked is gone when it has been taken back"
        await migrate(database)
        assert not filled.lost(before, await sync(database, filled.dump))
        await sync(database, lambda connection: command.check(config_for(connection)))
        await is_read_by_the_bot(database)


async def is_read_by_the_bot(database: Database) -> None:
    live = await SqlTableStore(database).load_live()
    problems = [each for each in live if not isinstance(each, SavedTable)]
    assert not problems
    assert {each.lobby.id for each in live if isinstance(each, SavedTable)} >= {OPEN, PLAYING}
    assert (await SqlJournal(database).read(OVER, 1))[-1].event.at > AT
    history = SqlHistory(database)
    assert {match.id for match in (await history.history(GUILD)).matches} == {OVER, VOID}
    match = await history.match(OVER)
    assert isinstance(match, MatchRecord)
    assert [seat.name for seat in match.seats] == ["Ana", "Bruno", "", "Dora"]
    await history.stats(GUILD, ANA, AT)
    assert fields(await SqlSeasonStore(database).setup(GUILD))
    assert fields(await SqlServerStore(database).read(GUILD))
    assert len((await SqlPersonalData(database).export(ANA))["seats"]) == 5


async def test_an_end_that_is_still_to_be_told_stays_so(empty_address: str) -> None:
    async with opened(empty_address) as database:
        await migrate(database)
        await sync(database, filled.fill)
        async with database.transaction() as session:
            await session.execute(text("UPDATE tables SET message_final = false"))
        await downgrade(database, "0013")
        await migrate(database)
        assert not any(row["message_final"] for row in (await sync(database, filled.dump))["tables"])


async def test_all_the_way_down_and_up_again(empty_address: str) -> None:
    async with opened(empty_address) as database:
        await migrate(database)
        await sync(database, filled.fill)
        before = await sync(database, filled.dump)
        await downgrade(database)
        await migrate(database)
        again = await sync(database, filled.dump)
        assert (filled.lost(before, again), again.keys()) == ([], before.keys())
        assert await SqlTableStore(database).create(lobby()) > max(row["id"] for row in before["tables"])


async def test_what_an_older_version_does_meanwhile_is_kept(empty_address: str) -> None:
    """It deletes a match and one more ends: the deleted one stays away, the new one is numbered after the others."""
    async with opened(empty_address) as database:
        await migrate(database)
        await sync(database, filled.fill)
        before = await sync(database, filled.dump)
        await downgrade(database, "0003")
        async with database.transaction() as session:
            await session.execute(text("DELETE FROM tables WHERE id = :id"), {"id": VOID})
            columns = "table_id, winner, scores, games, rounds, ended_at"
            new = f"INSERT INTO results ({columns}) VALUES (:id, 0, '[10,4]', '[0,0]', 3, :at)"  # noqa: S608 - our own
            await session.execute(text(new), {"id": PLAYING, "at": AT - 5})
        await migrate(database)
        again = await sync(database, filled.dump)
        lost = {(name, row.get("table_id", row.get("id"))) for name, row in filled.lost(before, again)}
        assert {table_id for _, table_id in lost - {("tables", PLAYING)}} == {VOID}
        assert {row["id"]: row["ended_at"] for row in again["tables"]}[PLAYING] == AT - 5
        numbers = {row["table_id"]: (row["number"], row["season"]) for row in again["results"]}
        assert numbers == {OVER: (5, 1), PLAYING: (6, 0)}
        assert {row["table_id"] for row in again["plays"]} == {OVER}
        assert await SqlRecount(database).rebuild() == 2


async def test_no_gesture_keeps_a_number_that_leads_to_its_author(empty_address: str) -> None:
    async with opened(empty_address) as database:
        await upgrade(database, "0018")
        await sync(database, filled.fill)
        async with database.transaction() as session:
            gesture = "UPDATE events SET kind = 'GestureMade' WHERE press_id = :press"
            await session.execute(text(gesture), {"press": AT + PLAYING})
        await migrate(database)
        kept = [row["press_id"] for row in (await sync(database, filled.dump))["events"] if row["press_id"]]
        assert kept == [AT + OVER], "only of the match that begins with no gesture"
