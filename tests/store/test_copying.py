"""`kems copy-db`: an install goes from SQLite to PostgreSQL and back, and every row is the same."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

from bot.base.errors import StoreError
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.operating import operations
from bot.store import backup
from bot.store.engine.database import Database
from bot.store.nights import SqlNightStore
from bot.store.schema import Base
from bot.store.schema.tables import RuleSetRow
from bot.store.tables.table_store import SqlTableStore
from tests.databases import migrated
from tests.store.conftest import opened
from tests.store.counted_matches import NOW, Match, play
from tests.store.matches import lobby
from tests.tables.nights.evening import planned

pytestmark = pytest.mark.parametrize("backend", ["postgres"])


async def everything(database: Database) -> dict[str, list[tuple[object, ...]]]:
    async with database.transaction() as session:
        return {
            table.name: sorted((tuple(row) for row in await session.execute(select(table))), key=repr)
            for table in Base.metadata.sorted_tables
            if table.name not in ("processes", "leases", "identifies")
        }


async def filled(address: str) -> dict[str, list[tuple[object, ...]]]:
    async with opened(address) as database:
        for number in range(3):
            await play(database, Match((1, 2, 3, 4), at=NOW + number))
        await SqlTableStore(database).create(lobby())
        night = await SqlNightStore(database).create(Night(0, 1, 0, 900, "fr", planned(), seed=7))
        joined = sign_up.join(night, 100, "Léa", NOW)
        await SqlNightStore(database).save(replace(joined, version=1))
        words = ("Été", "ete", "Zoo", "🍀", "a")
        async with database.transaction() as session:
            rows = [{"guild_id": 1, "key": word, "name": word, "line": word} for word in words]
            await session.execute(insert(RuleSetRow), rows)
        return await everything(database)


async def test_every_row_is_the_same_after_copying_there_and_back(
    empty_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "BATCH", 2)
    there = migrated(tmp_path)
    before = await filled(there)
    assert sum(map(len, before.values())) > 40
    said = await operations.copy_db(there, empty_address)
    assert f"each row was compared ({sum(map(len, before.values())):,})" in said
    async with opened(empty_address) as database:
        assert await everything(database) == before
        assert (await SqlNightStore(database).create(Night(0, 2, 0, 900, "fr", planned(), seed=7))).id == 2
        last = max(row[0] for row in before["tables"])  # type: ignore[type-var]
        assert await SqlTableStore(database).create(lobby()) == last + 1  # type: ignore[operator]
        async with database.transaction() as session:
            await session.execute(text("DELETE FROM tables WHERE id > :last"), {"last": last})
            await session.execute(text("DELETE FROM nights WHERE id > 1"))
    back = f"sqlite:///{tmp_path}/back.db"
    await operations.copy_db(empty_address, back)
    async with opened(back) as database:
        assert await everything(database) == before


async def test_a_copy_needs_a_source_and_an_empty_target(address: str, tmp_path: Path) -> None:
    there = migrated(tmp_path)
    await filled(there)
    async with opened(address) as database:
        await SqlTableStore(database).create(lobby())
    with pytest.raises(StoreError, match="holds something already: name an empty one"):
        await operations.copy_db(there, address)
    with pytest.raises(StoreError, match="cannot be copied onto itself"):
        await operations.copy_db(there, there)
    with pytest.raises(StoreError, match=r"There is no database .* to copy"):
        await operations.copy_db(f"sqlite:///{tmp_path}/nothing.db", address)
    async with opened(there) as running:
        await running.lock()
        with pytest.raises(StoreError, match="is used by another bot"):
            await operations.copy_db(there, f"sqlite:///{tmp_path}/other.db")


async def test_a_copy_that_differs_is_not_kept(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = migrated(tmp_path)
    await filled(there)
    async with opened(there) as source, opened(address) as target:
        compare = backup._compare

        async def damaged(table, reader, writer, where):  # type: ignore[no-untyped-def]
            if table.name == "seats":
                await writer.execute(text("UPDATE seats SET team = team + 1 WHERE seat = 1"))
            await compare(table, reader, writer, where)

        monkeypatch.setattr(backup, "_compare", damaged)
        with pytest.raises(StoreError, match="The rows of seats are not the same in"):
            await backup.copy_database(source, target)
        assert not any((await everything(target)).values())
