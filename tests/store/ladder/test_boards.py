"""Leaderboards: their order, their pages, who is on them and who is not."""

import pytest

from bot.ladder.columns import MATCH_BOARDS, TALLY, Board, SeatTally
from bot.ladder.formula import FORMULA, formula_with
from bot.ladder.seasons import Season
from bot.records.history import AfterKey, BeforeKey, BoardLine, PageNumber
from bot.store.engine.database import Database
from bot.store.ladder import boards as store_boards
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.recount import SqlRecount
from bot.store.privacy import SqlPersonalData
from bot.store.schema.ladder import PlayerRow
from tests.store.counted_matches import DAY, GUILD, NOW, SURE, Match, play, play_all, saved_seasons, standing

SEASON = Season(1, NOW, None)
WEEK = 7 * DAY


def wins(user: int, count: int, at: int = NOW) -> list[Match]:
    """Matches that a user wins with 90 against 91 and 92."""
    return [Match((user, 91, 90, 92), at=at + index) for index in range(count)]


async def prepared(database: Database, *matches: Match) -> SqlBoards:
    await saved_seasons(database, (NOW, None))
    await play_all(database, matches, formula=SURE)
    return SqlBoards(database, page_size=2, formula=SURE)


def told(lines: tuple[BoardLine, ...]) -> list[tuple[int, int, int]]:
    return [(line.place, line.value, *line.user_ids) for line in lines]  # type: ignore[misc]  # one user each


async def test_the_best_players_come_first_and_level_players_share_a_place(database: Database) -> None:
    boards = await prepared(database, *wins(1, 3), *wins(2, 2), *wins(3, 2), *wins(4, 1))
    first = await boards.board(GUILD, SEASON, Board.WINS, NOW)
    assert told(first.lines) == [(1, 8, 90), (2, 3, 1)]
    assert (first.has_before, first.has_after) == (False, True)
    assert (first.lines[1].names, first.lines[1].matches, first.lines[1].wins) == (("player 1",), 3, 3)
    second = await boards.board(GUILD, SEASON, Board.WINS, NOW, AfterKey(first.lines[-1].key))
    assert told(second.lines) == [(3, 2, 3), (3, 2, 2)]
    third = await boards.board(GUILD, SEASON, Board.WINS, NOW, AfterKey(second.lines[-1].key))
    assert told(third.lines) == [(5, 1, 4)]
    assert (third.has_before, third.has_after) == (True, False)
    back = await boards.board(GUILD, SEASON, Board.WINS, NOW, BeforeKey(third.lines[0].key))
    assert back == second
    start = await boards.board(GUILD, SEASON, Board.WINS, NOW, BeforeKey(second.lines[0].key))
    assert start == first
    assert await boards.board(GUILD, SEASON, Board.WINS, NOW, PageNumber(3)) == third


async def test_a_page_that_begins_among_level_players_knows_their_place(database: Database) -> None:
    boards = await prepared(database, *wins(1, 2), *wins(2, 2), *wins(3, 2))
    first = await boards.board(GUILD, SEASON, Board.WINS, NOW)
    second = await boards.board(GUILD, SEASON, Board.WINS, NOW, AfterKey(first.lines[-1].key))
    assert told(first.lines) + told(second.lines) == [(1, 6, 90), (2, 2, 3), (2, 2, 2), (2, 2, 1)]
    line = await boards.line(GUILD, SEASON, Board.WINS, NOW, 1)
    assert line == second.lines[1]
    assert await boards.line(GUILD, SEASON, Board.WINS, NOW, 91) is None, "no win, no line"
    assert await boards.line(GUILD, SEASON, Board.DUOS, NOW, 1) is None


async def test_each_board_has_its_own_order(database: Database) -> None:
    """A board of a column of `SeatTally` ranks by that column alone, whose sums are those of all matches."""
    ranked = [board for board in MATCH_BOARDS if board.by in TALLY]
    tallies = tuple(SeatTally(**{board.by: (seat + n) % 4 for n, board in enumerate(ranked)}) for seat in range(4))
    boards = await prepared(database, Match((1, 2, 3, 4), tallies=tallies), Match((1, 2, 3, 4), tallies=tallies))
    found = {board: (await boards.board(GUILD, SEASON, board, NOW)).lines for board in MATCH_BOARDS}
    for board in ranked:
        sums = sorted(((2 * getattr(one, board.by), user) for user, one in enumerate(tallies, 1)), reverse=True)
        assert told(found[board]) == [(1, *sums[0]), (2, *sums[1])], board
    assert [(line.value, line.user_ids, line.names) for line in found[Board.DUOS]] == [
        (2, (1, 3), ("player 1", "player 3"))
    ]
    assert [line.user_ids for line in found[Board.RATING]] == [(3,), (1,)]
    assert found[Board.RATING][0].value > FORMULA.base


async def test_the_board_of_ratings_numbers_players_with_enough_matches_and_a_win(database: Database) -> None:
    """A leaver's loss lists nobody, nor does a match of newcomers; both count for the other boards."""
    await saved_seasons(database, (NOW, None))
    soon = formula_with(2, 1)
    again = [Match((1, 2, 3, 4), at=NOW + index) for index in range(2)]
    await play_all(database, [Match((5, 6, 7, 8)), *again], formula=soon)
    boards = SqlBoards(database, formula=soon)
    for _ in range(2):
        page = await boards.board(GUILD, SEASON, Board.RATING, NOW + DAY)
        assert sorted(line.user_ids[0] for line in page.lines) == [1, 3]
        assert [line.place for line in page.lines] == [1, 1]
        below = {line.user_ids[0]: line for line in await boards.unnumbered(GUILD, SEASON, NOW)}
        found = {user: (line.place, line.matches) for user, line in below.items()}
        assert found == dict.fromkeys((5, 6, 7, 8), (0, 1)) | dict.fromkeys((2, 4), (0, 2)), "2 and 4 have won nothing"
        for user in (2, 5):
            assert await boards.line(GUILD, SEASON, Board.RATING, NOW, user) == below[user]
        assert {line.user_ids[0] for line in (await boards.board(GUILD, SEASON, Board.WINS, NOW)).lines} == {1, 3, 5, 7}
        await SqlRecount(database, formula=soon).rebuild()


async def test_a_board_leaves_out_friendly_matches_other_seasons_and_other_servers(database: Database) -> None:
    await saved_seasons(database, (NOW, NOW + DAY), (NOW + DAY, None))
    await play(database, Match((1, 2, 3, 4), ranked=False))
    await play(database, Match((1, 2, 3, 4), guild=GUILD + 1))
    await play(database, Match((5, 6, 7, 8), at=NOW + DAY), formula=SURE)
    boards = SqlBoards(database, formula=SURE)
    for board in MATCH_BOARDS:
        page = await boards.board(GUILD, Season(1, NOW, NOW + DAY), board, NOW)
        assert {user for line in page.lines for user in line.user_ids} == ({1, 3} if board is Board.FRIENDLY else set())
    page = await boards.board(GUILD, Season(2, NOW + DAY, None), Board.RATING, NOW + DAY)
    assert {line.user_ids[0] for line in page.lines} == {5, 7}


async def test_the_board_of_friendly_matches_counts_the_days_with_a_win(database: Database) -> None:
    """Whoever wins ten matches in a day stands below the winner of one on each of two days."""
    won_by = [(1, 0)] * 10 + [(2, 0), (2, 1), (2, 1)]
    matches = [Match((user, 3), at=NOW + day * DAY + n, ranked=False) for n, (user, day) in enumerate(won_by)]
    boards = await prepared(database, *matches, *wins(4, 3))
    page = await boards.board(GUILD, SEASON, Board.FRIENDLY, NOW)
    assert told(page.lines) == [(1, 2, 2), (2, 1, 1)]
    assert [(line.matches, line.wins) for line in page.lines] == [(3, 3), (10, 10)]
    assert await boards.line(GUILD, SEASON, Board.FRIENDLY, NOW, 1) == page.lines[1]
    assert await boards.line(GUILD, SEASON, Board.FRIENDLY, NOW, 3) is None, "no win, no line"
    people = SqlPersonalData(database)
    await people.hide(GUILD, 2, "", is_hidden=True)
    assert told((await boards.board(GUILD, SEASON, Board.FRIENDLY, NOW)).lines) == [(1, 1, 1)]
    await people.erase(1)
    assert (await boards.board(GUILD, SEASON, Board.FRIENDLY, NOW)).lines == ()


async def test_a_player_who_opted_out_leaves_no_gap_in_places(database: Database) -> None:
    boards = await prepared(database, *wins(1, 3), *wins(2, 2), *wins(3, 1))
    async with database.transaction() as session:
        for user in (90, 2):
            (await session.get_one(PlayerRow, (GUILD, user))).is_hidden = True
    first = await boards.board(GUILD, SEASON, Board.WINS, NOW)
    assert told(first.lines) == [(1, 3, 1), (2, 1, 3)]
    third = await boards.line(GUILD, SEASON, Board.WINS, NOW, 3)
    assert third == first.lines[1]
    assert await boards.line(GUILD, SEASON, Board.WINS, NOW, 2) is None
    assert (await boards.board(GUILD, SEASON, Board.DUOS, NOW)).lines == ()


@pytest.mark.parametrize(
    ("weeks", "batch"),
    [(3, 1), (9, 500), *(pytest.param(weeks, batch, marks=pytest.mark.long) for weeks in (3, 9) for batch in (2, 3))],
)
async def test_idle_players_sink_on_the_running_board_alone(
    database: Database, weeks: int, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_boards, "BATCH", batch)
    end = NOW + 5 * WEEK
    await saved_seasons(database, (NOW, end))
    season = Season(1, NOW, end)
    await play_all(database, [Match((1, 2, 3, 4)), Match((5, 2, 6, 4), at=NOW + 3 * WEEK)], formula=SURE)
    boards = SqlBoards(database, formula=SURE)
    fresh = {line.user_ids[0]: line.value for line in (await boards.board(GUILD, season, Board.RATING, NOW)).lines}
    page = await boards.board(GUILD, season, Board.RATING, NOW + weeks * WEEK)
    later = {line.user_ids[0]: line.value for line in page.lines}
    assert list(later.values()) == sorted(later.values(), reverse=True)
    assert later[5] == fresh[5]
    assert later[1] < fresh[1]
    at_the_end = await boards.board(GUILD, season, Board.RATING, end + 50 * WEEK)
    if weeks > 5:
        assert at_the_end == page, "a season that is over changes no more"
    await SqlRecount(database, formula=SURE).rebuild()
    assert await boards.board(GUILD, season, Board.RATING, end + 50 * WEEK) == at_the_end


async def test_reading_a_board_twice_changes_nothing(database: Database) -> None:
    boards = await prepared(database, *wins(1, 1))
    await boards.board(GUILD, SEASON, Board.RATING, NOW + 4 * WEEK)
    kept = await standing(database)
    await boards.board(GUILD, SEASON, Board.RATING, NOW + 4 * WEEK)
    await boards.board(GUILD, SEASON, Board.RATING, NOW)
    assert await standing(database) == kept


async def test_players_with_few_matches_are_listed_apart_from_the_best_down(database: Database) -> None:
    await saved_seasons(database, (NOW, None))
    await play_all(database, [*wins(1, 3), *wins(2, 1)])
    boards = SqlBoards(database, page_size=3)
    assert (await boards.board(GUILD, SEASON, Board.RATING, NOW)).lines == ()
    found = await boards.unnumbered(GUILD, SEASON, NOW)
    assert [line.user_ids for line in found[:2]] == [(90,), (1,)]
    assert [(line.place, line.matches) for line in found] == [(0, 4), (0, 3), (0, 1)]
    assert [line.value for line in found] == sorted((line.value for line in found), reverse=True)
    await SqlPersonalData(database).hide(GUILD, 90, "", is_hidden=True)
    assert (await boards.unnumbered(GUILD, SEASON, NOW))[0].user_ids == (1,)
    assert await boards.unnumbered(GUILD, Season(2, NOW, None), NOW) == ()
