"""What everybody on a server may see, on both databases."""

from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.privacy import SqlPersonalData
from bot.store.records.published import SqlPublished
from bot.store.tables.table_store import SqlTableStore
from tests.store.conftest import execute
from tests.store.counted_matches import DAY, GUILD, NOW, Match, play_all


async def test_matches_of_open_channels_the_youngest_first(database: Database, tables: SqlTableStore) -> None:
    published, boards = SqlPublished(database), SqlBoards(database)
    matches = [Match((1, 2, 3, 4), at=NOW - day * DAY, channel=5 + day) for day in range(5)]
    await play_all(database, [*matches, Match((1, 2, 3, 4), guild=9)])
    assert await published.servers() == (9, GUILD)
    assert await published.matches(GUILD, 9) == ()
    await execute(database, "UPDATE tables SET open_channel_id = 50 + id WHERE id <> 2")
    assert [match.id for match in await published.matches(GUILD, 3)] == [1, 3, 4]
    assert not await published.are_open((1, 2))
    assert await published.are_open((1, 3))
    await tables.keep_open(9, [], None)
    assert [match.id for match in await published.matches(GUILD, 9)] == [1, 3, 4, 5]
    await tables.keep_open(GUILD, [52, 53, 54, 55], 8)
    assert [match.id for match in await published.matches(GUILD, 9)] == [3, 5], "the fourth is a thread that is gone"
    assert await boards.hidden(GUILD) == frozenset()
    await SqlPersonalData(database).hide(GUILD, 3, "Chloé", is_hidden=True)
    assert await boards.hidden(GUILD) == {3}
    assert await boards.hidden(9) == frozenset()
