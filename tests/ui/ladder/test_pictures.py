"""Boards, podiums, curves and matches as pictures: what they show. Their words are on the screens."""

from dataclasses import replace

from bot.discord.text.picture_words import MAX_ALT, day, moment, rows_words
from bot.discord.text.texts import Texts
from bot.game.views import TableView
from bot.ladder.columns import Board
from bot.ladder.outcomes import rounds_of
from bot.ladder.tally import NO_HIGHLIGHTS
from bot.records.history import BoardLine, BoardPage, RatingPoint, ResultRecord
from bot.records.pictures import BoardRow, Curve, TeamColumn
from bot.ui.ladder.ladder_reader import stats_picture
from bot.ui.ladder.leaderboard import board_picture, podium_picture
from bot.ui.records.history_panels import match_picture, match_words
from tests.ui.screens.common import AT
from tests.ui.screens.common import ZONE as PARIS
from tests.ui.screens.ladder import DAY_MS, STATS
from tests.ui.screens.ladder import SEASON as SPRING
from tests.ui.screens.records import match_record
from tests.ui.screens.situations import played
from tests.ui.walk import BOTH, EN, FR

HOSTILE = "*_~`|<@1>" * 9
EMPTY = BoardPage((), False, False)


def line(place: int, *users: int, value: int = 1200, name: str = "Ana") -> BoardLine:
    return BoardLine(place, value, users, tuple(f"{name}{user}" for user in users), 12, 7)


def test_a_board_has_the_places_of_its_page() -> None:
    page = BoardPage((line(11, 1), line(12, 2, 3, value=1100)), True, False)
    picture = board_picture(page, Board.RATING, SPRING, FR)
    assert picture is not None
    rows = (BoardRow(11, "Ana1", "1200", "12 parties"), BoardRow(12, "Ana2 & Ana3", "1100", "12 parties"))
    assert picture.rows == rows
    assert board_picture(EMPTY, Board.WINS, SPRING, EN) is None
    assert podium_picture(SPRING, (), PARIS, EN) is None


def test_a_curve_needs_two_ranked_matches() -> None:
    one = RatingPoint(AT, 1000)
    for course, ranked in (((), 0), ((one,), 1), ((one, replace(one, value=990)), 1)):  # the last one fell by idleness
        assert stats_picture(replace(STATS, rating_history=course, ranked=ranked), None, PARIS, EN).curve is None


def test_a_curve_has_its_values_and_its_days() -> None:
    values = (1000, 1090, 980, 1042)
    stats = replace(
        STATS, rating_history=tuple(RatingPoint(AT + number * DAY_MS, value) for number, value in enumerate(values))
    )
    shown = stats_picture(stats, None, PARIS, EN)
    assert (shown.title, shown.subtitle) == ("Ana", "All seasons")
    assert shown.curve == Curve(values, "Jan 15, 2027", "Jan 18, 2027")


def test_days_are_those_of_the_servers_time_zone() -> None:
    almost_midnight = AT + 15 * 3600 * 1000 - 1  # 22:59:59.999 in London, 23:59:59.999 in Paris
    assert day(almost_midnight, PARIS, FR) == "15 janv. 2027"
    assert day(almost_midnight + 1, PARIS, FR) == "16 janv. 2027"
    assert day(almost_midnight + 1, "Europe/London", FR) == "15 janv. 2027"


def test_a_time_is_shown_with_the_city_of_its_zone() -> None:
    """A message beside the picture may tell its reader another day."""
    almost_midnight = AT + 15 * 3600 * 1000 - 1
    assert moment(almost_midnight, PARIS, FR) == "15 janv. 2027, 23:59 (Paris)"
    assert moment(almost_midnight, "Asia/Tokyo", FR) == "16 janv. 2027, 07:59 (Tokyo)"
    assert moment(almost_midnight, "UTC", FR) == "15 janv. 2027, 22:59 (UTC)"
    assert moment(almost_midnight, "Europe/London", EN).replace("\u202f", " ") == "Jan 15, 2027, 10:59 PM (London)"


def test_a_match_has_its_teams_and_the_score_after_each_round() -> None:
    """B calls in vain, and again: two points for the other team."""
    record = replace(match_record(), result=ResultRecord(0, (2, 0), (0, 0), 2, AT, 3))
    picture = match_picture(record, _rounds(), NO_HIGHLIGHTS, PARIS, FR)
    assert (picture.title, picture.subtitle) == (
        "Kem's · partie 7",
        "15 janv. 2027, 09:00 (Paris) · Classique · classée",
    )
    assert picture.teams == (
        TeamColumn("Équipe 1", ("Ana", "Chloé"), (1, 2), is_winner=True, user_ids=(1000, 1002)),
        TeamColumn("Équipe 2", ("Bruno", "🤖 Dora"), (0, 0), is_winner=False, user_ids=(1001, None)),
    )


def test_a_match_of_several_games_shows_the_games_that_were_won() -> None:
    record = replace(match_record(best_of="3"), result=ResultRecord(0, (1, 0), (2, 0), 2, AT, 3))
    picture = match_picture(record, _rounds(target=1, best_of=3), NO_HIGHLIGHTS, PARIS, EN)
    assert [team.scores for team in picture.teams] == [(1, 2), (0, 0)]


@BOTH
def test_the_words_fit_with_the_longest_names(texts: Texts) -> None:
    lines = tuple(line(place, 2**62, 2**62 + 1, value=10**6, name=HOSTILE) for place in range(1, 21))
    board = board_picture(BoardPage(lines, True, True), Board.DUOS, replace(SPRING, name=HOSTILE), texts)
    assert board is not None
    assert len(rows_words(board)) <= MAX_ALT
    assert rows_words(board).endswith("…")
    assert not set("\u200b\\") & set(board.subtitle)
    long = match_picture(match_record(players=12, names=[HOSTILE]), _rounds() * 150, NO_HIGHLIGHTS, PARIS, texts)
    assert len(match_words(long, texts)) <= MAX_ALT
    nameless = board_picture(BoardPage((line(1, 1, name=""),), False, False), Board.WINS, SPRING, texts)
    assert nameless is not None
    assert nameless.rows[0].name


def _rounds(**rules: int) -> tuple[TableView, ...]:
    table = played("B kems", "- next", "A open", "B kems", dealer="D", **rules)
    return rounds_of((*table.opening, *table.log))
