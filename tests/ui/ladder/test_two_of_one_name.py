"""Two people of one name are told apart on boards, in their pictures and on the list of where points come from."""

from bot.ladder.columns import Board
from bot.records.history import BoardLine, BoardPage, PointSource, PointSources
from bot.ui.ladder.leaderboard import board_picture, disambiguate_lines, podium
from bot.ui.ladder.point_sources import watch_panel
from tests.ui.screens.ladder import SEASON
from tests.ui.walk import FR, words

ALEX = "Alex"


def lines(*pairs: tuple[int, ...]) -> tuple[BoardLine, ...]:
    return tuple(BoardLine(at, 1200 - at, users, (ALEX,) * len(users), 12, 7) for at, users in enumerate(pairs, 1))


def test_two_people_with_the_same_name_keep_their_numbers_in_all_lines() -> None:
    found = [line.names for line in disambiguate_lines(lines((7,), (8,), (7, 8)))]
    assert found == [(ALEX,), ("Alex (2)",), (ALEX, "Alex (2)")]


def test_a_picture_says_what_the_text_says() -> None:
    picture = board_picture(BoardPage(lines((7,), (8,)), False, False), Board.RATING, SEASON, FR)
    assert picture is not None
    assert [row.name for row in picture.rows] == [ALEX, "Alex (2)"]


def test_a_podium_numbers_people_with_the_same_name() -> None:
    page = BoardPage(lines((7,), (8,)), False, False)
    assert "Alex (2)" in words(podium(SEASON, {Board.RATING: page}, "Europe/Paris", FR))


def test_the_sources_of_points_number_people_with_the_same_name() -> None:
    (line,) = lines((7,))
    sources = PointSources(9, 1, (PointSource(8, ALEX, 1.0, 1, 1),), (PointSource(7, ALEX, 1.0, 1, 1),), ())
    told = words(watch_panel(SEASON, [(line, sources)], FR))
    assert (told.count("Alex"), told.count("Alex (2)")) == (3, 1)
