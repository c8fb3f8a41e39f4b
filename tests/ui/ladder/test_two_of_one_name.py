"""Two people of one name are told apart on boards, in their pictures and on the list of matches to look at."""

from bot.ladder.columns import Board
from bot.ladder.watch import Pattern, Watched
from bot.records.history import BoardLine, BoardPage
from bot.ui.ladder.about import watch_panel
from bot.ui.ladder.leaderboard import apart, board_picture, podium
from tests.ui.screens.ladder import SEASON
from tests.ui.walk import FR, words

ALEX = "Alex"


def lines(*pairs: tuple[int, ...]) -> tuple[BoardLine, ...]:
    return tuple(BoardLine(at, 1200 - at, users, (ALEX,) * len(users), 12, 7) for at, users in enumerate(pairs, 1))


def test_each_keeps_the_same_name_in_all_lines() -> None:
    found = [line.names for line in apart(lines((7,), (8,), (7, 8)))]
    assert found == [(ALEX,), ("Alex (2)",), (ALEX, "Alex (2)")]


def test_a_picture_says_what_the_text_says() -> None:
    picture = board_picture(BoardPage(lines((7,), (8,)), False, False), Board.RATING, SEASON, FR)
    assert picture is not None
    assert [row.name for row in picture.rows] == [ALEX, "Alex (2)"]


def test_the_podium() -> None:
    page = BoardPage(lines((7,), (8,)), False, False)
    assert "Alex (2)" in words(podium(SEASON, {Board.RATING: page}, "Europe/Paris", FR))


def test_the_list_of_matches_to_look_at() -> None:
    found = [Watched(user, ALEX, Pattern.FEW, (1,)) for user in (7, 8, 7)]
    assert words(watch_panel(found, FR)).count("Alex (2)") == 1
