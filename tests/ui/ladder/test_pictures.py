"""Boards, podiums, curves and matches as pictures: what they say, in both languages, and the same in words."""

from dataclasses import replace

from bot.game.views import TableView
from bot.ladder.outcomes import rounds_of
from bot.ladder.seasons import Board
from bot.records.history import BoardPage, RatedAt, ResultRecord
from bot.records.pictures import BoardRow, CurvePicture, TeamColumn
from bot.ui.kit.picture_words import MAX_ALT, day, moment, rows_words
from bot.ui.kit.texts import Texts
from bot.ui.ladder.leaderboard import board_picture, podium_picture
from bot.ui.ladder.stats_panel import curve_picture, curve_words
from bot.ui.records.match_picture import match_picture, match_words
from tests.rules.table import Table
from tests.ui.ladder.test_panels import STATS, line
from tests.ui.records.test_history_panels import AT, HOSTILE, SPRING, match
from tests.ui.walk import BOTH, EN, FR

DAY = 24 * 3600 * 1000
PARIS = "Europe/Paris"


def test_a_board_has_the_places_of_its_page() -> None:
    page = BoardPage((line(11, 1), line(12, 2, 3, value=1100)), True, False)
    picture = board_picture(page, Board.RATING, SPRING, FR)
    assert picture is not None
    assert (picture.title, picture.subtitle) == ("Cote", "Saison 3 — Printemps")
    assert picture.rows == (
        BoardRow(11, "Ana1", "1200", "12 parties"),
        BoardRow(12, "Ana2 & Ana3", "1100", "12 parties"),
    )
    assert rows_words(picture) == (
        "Cote, Saison 3 — Printemps. 11. Ana1 — 1200 (12 parties) · 12. Ana2 & Ana3 — 1100 (12 parties)"
    )
    assert board_picture(BoardPage((), False, False), Board.WINS, SPRING, EN) is None


def test_a_podium_has_three_rows_and_level_ones_share_a_place() -> None:
    picture = podium_picture(SPRING, (line(1, 1), line(1, 2), line(3, 3, value=9), line(4, 4)), PARIS, EN)
    assert picture is not None
    assert [row.place for row in picture.rows] == [1, 1, 3]
    assert rows_words(picture).startswith(
        "Podium of the season, Season 3 — Printemps · Jan 15, 2027. 1. Ana1 — 1200 (12 matches) · 1."
    )
    assert podium_picture(SPRING, (), PARIS, EN) is None


def test_a_curve_needs_two_ranked_matches() -> None:
    one = RatedAt(AT, 1000)
    for course, ranked in (((), 0), ((one,), 1), ((one, replace(one, value=990)), 1)):  # the last one fell by idleness
        assert curve_picture(replace(STATS, course=course, ranked=ranked), None, PARIS, EN) is None


def test_a_curve_says_where_it_began_and_where_it_is() -> None:
    values = (1000, 1090, 980, 1042)
    stats = replace(STATS, course=tuple(RatedAt(AT + number * DAY, value) for number, value in enumerate(values)))
    picture = curve_picture(stats, SPRING, PARIS, EN)
    assert picture == CurvePicture("Ana", "Rating · Season 3 — Printemps", values, "Jan 15, 2027", "Jan 18, 2027")
    assert curve_words(picture, EN) == (
        "Ana, Rating · Season 3 — Printemps. From 1000 (Jan 15, 2027) to 1042 (Jan 18, 2027); highest 1090, lowest 980."
    )
    french = curve_picture(stats, None, PARIS, FR)
    assert french is not None
    assert (french.subtitle, french.first) == ("Cote · Toutes les saisons", "15 janv. 2027")


def test_days_are_those_of_the_servers_time_zone() -> None:
    almost_midnight = AT + 15 * 3600 * 1000 - 1  # 22:59:59.999 in London, 23:59:59.999 in Paris
    assert day(almost_midnight, PARIS, FR) == "15 janv. 2027"
    assert day(almost_midnight + 1, PARIS, FR) == "16 janv. 2027"
    assert day(almost_midnight + 1, "Europe/London", FR) == "15 janv. 2027"


def test_a_moment_says_whose_time_it_is() -> None:
    """A message beside the picture may tell its reader another day."""
    almost_midnight = AT + 15 * 3600 * 1000 - 1
    assert moment(almost_midnight, PARIS, FR) == "15 janv. 2027, 23:59 (Paris)"
    assert moment(almost_midnight, "Asia/Tokyo", FR) == "16 janv. 2027, 07:59 (Tokyo)"
    assert moment(almost_midnight, "UTC", FR) == "15 janv. 2027, 22:59 (UTC)"
    assert moment(almost_midnight, "Europe/London", EN).replace("\u202f", " ") == "Jan 15, 2027, 10:59 PM (London)"


def rounds(table: Table) -> tuple[TableView, ...]:
    return rounds_of((*table.opening, *table.log))


def two_rounds(**rules: int) -> Table:
    """B calls in vain, and again: two points for the other team."""
    table = Table(dealer="D", **rules)
    table.do("B kems")
    table.do("- next", "A open", "B kems")
    return table


def test_a_match_has_its_teams_and_the_score_after_each_round() -> None:
    record = replace(match(), result=ResultRecord(0, (2, 0), (0, 0), 2, AT, 3))
    picture = match_picture(record, rounds(two_rounds()), PARIS, FR)
    assert (picture.title, picture.subtitle) == ("Partie 7", "15 janv. 2027, 09:00 (Paris) · Classique · classée")
    assert picture.teams == (
        TeamColumn("Équipe 1", ("Ana", "Chloé"), (1, 2), is_winner=True, user_ids=(1000, 1002)),
        TeamColumn("Équipe 2", ("Bruno", "🤖 Dora"), (0, 0), is_winner=False, user_ids=(1001, None)),
    )
    assert match_words(picture, FR) == (
        "Partie 7, 15 janv. 2027, 09:00 (Paris) · Classique · classée."
        " Équipe 1 (Ana, Chloé) — 2 🏆 · Équipe 2 (Bruno, 🤖 Dora) — 0."
        " Manche par manche : 1 — 0, 2 — 0."
    )


def test_of_several_games_a_match_counts_those_that_were_won() -> None:
    views = rounds(two_rounds(target=1, best_of=3))
    record = replace(match(best_of="3"), result=ResultRecord(0, (1, 0), (2, 0), len(views), AT, 3))
    picture = match_picture(record, views, PARIS, EN)
    assert [team.scores for team in picture.teams] == [(1, 2), (0, 0)]


def test_a_match_that_ended_without_a_round_has_its_result() -> None:
    picture = match_picture(match(), (), PARIS, EN)
    assert [team.scores for team in picture.teams] == [(10,), (-1,)]


@BOTH
def test_whatever_people_are_called_the_words_fit(texts: Texts) -> None:
    lines = tuple(line(place, 2**62, 2**62 + 1, value=10**6, name=HOSTILE) for place in range(1, 21))
    board = board_picture(BoardPage(lines, True, True), Board.DUOS, replace(SPRING, name=HOSTILE), texts)
    assert board is not None
    assert len(rows_words(board)) <= MAX_ALT
    assert rows_words(board).endswith("…")
    assert "\u200b" not in board.subtitle
    assert "\\" not in board.subtitle
    long = match_picture(match(12, name=HOSTILE), rounds(two_rounds()) * 150, PARIS, texts)
    assert len(match_words(long, texts)) <= MAX_ALT
    nameless = board_picture(BoardPage((line(1, 1, name=""),), False, False), Board.WINS, SPRING, texts)
    assert nameless is not None
    assert nameless.rows[0].name
