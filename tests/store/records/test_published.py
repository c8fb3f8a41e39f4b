"""What everybody on a server may see, on both databases."""

import pytest

from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.privacy import SqlPersonalData
from bot.store.records.published import SqlPublished
from bot.store.tables import table_store
from bot.store.tables.table_store import SqlTableStore
from tests.store.conftest import execute, recorded_statements
from tests.store.counted_matches import DAY, GUILD, NOW, Match, play_all


async def test_matches_of_open_channels_are_listed_latest_first(database: Database, tables: SqlTableStore) -> None:
    published, boards = SqlPublished(database), SqlBoards(database)
    matches = [Match((1, 2, 3, 4), at=NOW - day * DAY, channel=5 + day) for day in range(5)]
    await play_all(database, [*matches, Match((1, 2, 3, 4), guild=9)])
    assert await published.servers() == (9, GUILD)
    assert await published.matches(GUILD, 9) == ()
    await execute(database, "UPDATE tables SET open_channel_id = 50 + id WHERE id <> 2")
    assert [match.id for match in await published.matches(GUILD, 3)] == [1, 3, 4]
    assert not await published.are_open((1, 2))
    assert await published.are_open((1, 3))
    await tables.save_open_channels(9, [], None)
    assert [match.id for match in await published.matches(GUILD, 9)] == [1, 3, 4, 5]
    await tables.save_open_channels(GUILD, [52, 53, 54, 55], 8)
    assert [match.id for match in await published.matches(GUILD, 9)] == [3, 5], "the fourth is a thread that is gone"
    assert await boards.hidden(GUILD) == frozenset()
    await SqlPersonalData(database).hide(GUILD, 3, "Chloé", is_hidden=True)
    assert await boards.hidden(GUILD) == {3}
    assert await boards.hidden(9) == frozenset()


async def test_a_hidden_channel_is_closed_in_batches_and_unchanged_rows_are_not_written(
    database: Database, tables: SqlTableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_store, "_CLOSED_AT_ONCE", 2)
    published, others = SqlPublished(database), Match((1, 2, 3, 4), guild=9)
    await play_all(database, [*(Match((1, 2, 3, 4), at=NOW - day, channel=5) for day in range(5)), others])
    await execute(database, "UPDATE tables SET open_channel_id = 50 + id % 2")
    with recorded_statements(database) as statements:
        await tables.save_open_channels(GUILD, [50, 51], 77)
    assert not [statement for statement, _ in statements if statement.startswith(("UPDATE", "BEGIN IMMEDIATE"))]
    assert await published.open_channels(GUILD) == {50, 51}
    with recorded_statements(database) as statements:
        await tables.save_open_channels(GUILD, [50], None)
    assert sum(statement.startswith("UPDATE tables") for statement, _ in statements) == 2
    assert await published.open_channels(GUILD) == {50}
    assert [match.id for match in await published.matches(GUILD, 9)] == [2, 4]
    await tables.save_open_channels(GUILD, [50], 5)
    assert await published.open_channels(GUILD) == frozenset()
    assert await published.open_channels(9) == {50}
