"""A season as a whole: the same as on its boards, however few rows are read at once."""

from sqlalchemy import update

from bot.ladder.columns import MATCH_BOARDS, Board
from bot.ladder.seasons import Season
from bot.records.season_files import SeasonRecord
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.recount import SqlRecount
from bot.store.privacy import SqlPersonalData
from bot.store.records.history import SqlSeasonRecords
from bot.store.schema.tables import SeatRow
from tests.store.counted_matches import DAY, GUILD, NOW, SURE, Match, once, play_all, saved_seasons

SEASON = Season(1, NOW, NOW + 9 * DAY)


async def prepared(database: Database) -> None:
    await once(database, "a season", make)


async def make(database: Database) -> None:
    await saved_seasons(database, (SEASON.starts_at, SEASON.ends_at), (NOW + 9 * DAY, None))
    matches = [Match((1, 2, 3, 4), (10, 4), at=NOW + day * DAY) for day in range(4)]
    matches += [
        Match((1, 5, 3, 4), (2, 10), at=NOW + 4 * DAY),
        Match((1, 2, 3, 4), (10, 4), at=NOW + 5 * DAY, ranked=False),
        Match((1, 2, 3, 4), (10, 4), at=NOW + 10 * DAY),
    ]
    await play_all(database, matches, formula=SURE)
    await SqlRecount(database, formula=SURE).void(GUILD, 2, by_id=9, reason="", at=NOW)


async def read(database: Database, batch_size: int = 400) -> SeasonRecord:
    return await SqlSeasonRecords(database, batch_size, formula=SURE).read(GUILD, SEASON, NOW + 20 * DAY)


async def test_an_export_contains_exactly_the_data_of_the_season(database: Database) -> None:
    await prepared(database)
    record = await read(database)
    assert [match.record.id for match in record.matches] == [1, 2, 3, 4, 5, 6]
    assert [match.record.void is not None for match in record.matches] == [False, True, False, False, False, False]
    assert [match.record.is_ranked for match in record.matches][-1] is False
    assert [(part.user_id, part.name, part.outcome) for part in record.matches[4].parts] == [
        (1, "player 1", -1),
        (5, "player 5", 1),
        (3, "player 3", -1),
        (4, "player 4", 1),
    ]
    sums = {(one.user_id, one.is_ranked): (one.matches, one.wins) for one in record.sums}
    assert sums[1, True] == (4, 3)
    assert sums[1, False] == (1, 1)
    assert sums[5, True] == (1, 1)
    for board in MATCH_BOARDS:
        page = await SqlBoards(database, page_size=100, formula=SURE).board(GUILD, SEASON, board, NOW + 20 * DAY)
        assert record.boards[board] == page.lines
    winners = {user for (user, is_ranked), (_, wins) in sums.items() if is_ranked and wins}
    assert {line.user_ids[0] for line in record.boards[Board.RATING]} == winners


async def test_an_export_in_small_pieces_is_the_same(database: Database) -> None:
    await prepared(database)
    whole = await read(database)
    for batch_size in (1, 2, 3):
        assert await read(database, batch_size) == whole, batch_size


async def test_a_robot_that_sat_there_at_the_end_has_a_part_and_no_outcome(database: Database) -> None:
    await prepared(database)
    async with database.transaction() as session:
        seat = update(SeatRow).where(SeatRow.table_id == 5, SeatRow.seat == 3)
        await session.execute(seat.values(user_id=None, name="Anatole"))
    parts = (await read(database)).matches[4].parts
    assert [(part.name, part.is_robot, part.outcome) for part in parts[3:]] == [
        ("player 4", False, 1),
        ("Anatole", True, None),
    ]


async def test_hidden_and_erased_players_have_no_name(database: Database) -> None:
    await prepared(database)
    await SqlPersonalData(database).hide(GUILD, 1, "player 1", is_hidden=True)
    await SqlPersonalData(database).erase(4)
    record = await read(database)
    assert {one.user_id for one in record.sums} == {2, 3, 5}
    assert not {1, 4}.intersection(user for lines in record.boards.values() for line in lines for user in line.user_ids)
    for match in record.matches:
        named = {part.user_id for part in match.parts}
        assert not {1, 4}.intersection(named)
        assert [part.name for part in match.parts if part.user_id is None] == ["", ""]
    assert "player 1" not in str(record)
    assert "player 4" not in str(record)
