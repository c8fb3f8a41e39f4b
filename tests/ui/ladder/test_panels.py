"""Figures, boards, podiums and the ladder explained: what they say, in both languages."""

from dataclasses import replace

import pytest

from bot.ladder.eligibility import Gates, Setup
from bot.ladder.formula import FORMULA
from bot.ladder.season_duties import DutyReport, Progress
from bot.ladder.seasons import Board, Every, Schedule
from bot.ladder.tally import SeatTally
from bot.records.history import BoardLine, BoardPage, Mate, VoidRecord
from bot.ui.kit.texts import Texts
from bot.ui.ladder.about import about_panel
from bot.ui.ladder.leaderboard import board_name, leaderboard_panel, over_line, podium, podium_link
from bot.ui.ladder.stats_panel import stats_panel
from tests.ui.records.test_history_panels import AT, BOTH, HOSTILE, PARIS, SPRING, SPRING_END, checked
from tests.ui.screens.ladder import STATS as RECORDED_STATS
from tests.ui.walk import EN, FR, SELECT, TEXT, buttons, walk, words

STATS = replace(RECORDED_STATS, partner=Mate(2, "Bruno", 9, 7))


def test_figures_of_a_person() -> None:
    assert checked(stats_panel(STATS, SPRING, EN)).splitlines() == [
        "## 📊 Ana",
        "-# Season 3 — Printemps",
        "**Rating** 1240 (provisional)",
        "**Matches** 12 played · 9 ranked · 58 % won · 1 level",
        "**Streaks** 2 lost in a row · at best 5 won in a row",
        "**Kem's** 14 called or held · 3 doubles · after 0:42 on average · 2 false calls",
        "**Counters** 5 true ones · 3 false ones · caught 4 times",
        "**Bluffs** 120 gestures · provoked 6 false counters",
        "**Best partner** Bruno: won 7 of 9",
        "**Fiercest opponent** <@3>: lost 5 of 8",
    ]


@BOTH
def test_figures_of_nearly_nothing(texts: Texts) -> None:
    bare = replace(
        STATS, wins=0, draws=0, matches=1, ranked=0, tally=SeatTally(), rating=None, partner=None, opponent=None,
        streak=0, best_streak=0, name=HOSTILE,
    )  # fmt: skip
    lines = checked(stats_panel(bare, None, texts)).splitlines()
    assert len(lines) == 7
    assert not any("Streaks" in line or "Séries" in line for line in lines)


def line(place: int, *users: int, value: int = 1200, name: str = "Ana") -> BoardLine:
    return BoardLine(place, value, users, tuple(f"{name}{user}" for user in users), 12, 7)


def test_a_board_shows_its_lines_and_the_readers_own() -> None:
    page = BoardPage((line(11, 1), line(12, 2, value=1100)), True, False)
    end = SPRING_END // 1000
    view = leaderboard_panel(page, Board.RATING, SPRING, EN, at=AT, zone=PARIS, own=line(40, 9, value=900), news="news")
    assert checked(view).splitlines() == [
        "## 🏆 Rating",
        f"-# Season 3 — Printemps · Jan 15, 2027 · ends <t:{end}:R>",
        "news",
        "**11.** Ana1 — **1200** · 7 won of 12",
        "**12.** Ana2 — **1100** · 7 won of 12",
        "-# You: **40.** Ana9 — **900** · 7 won of 12",
    ]
    (told,) = (part["content"] for part in walk(view) if part["type"] == TEXT and "Ana1" in part["content"])
    assert "7\u00a0won\u00a0of\u00a012" in told, "a long name's line breaks before these words"
    back, on = buttons(view)
    assert (back.custom_id, back.is_enabled) == ("k1:0:board:rating:3:b1200.1", True)
    assert (on.custom_id, on.is_enabled) == ("k1:0:board:rating:3:a1100.2", False)
    (menu,) = (part for part in walk(view) if part["type"] == SELECT)
    assert menu["custom_id"] == "k1:0:boards:3"
    assert [option["value"] for option in menu["options"]] == [board.value for board in Board]
    assert [option["value"] for option in menu["options"] if option["default"]] == ["rating"]
    assert "You:" not in words(leaderboard_panel(page, Board.RATING, SPRING, EN, at=AT, zone=PARIS, own=page.lines[0]))


@pytest.mark.parametrize(("later", "state", "nobody"), [
    (999, "· ends <t:", "Nobody is on this board yet: only ranked matches count."),
    (1000, "· over (<t:", "Nobody is on this board: only ranked matches count."),
])  # fmt: skip
def test_a_board_says_whether_its_season_is_over(later: int, state: str, nobody: str) -> None:
    told = checked(leaderboard_panel(BoardPage((), False, False), Board.WINS, SPRING, EN, at=AT + later, zone=PARIS))
    assert state in told
    assert told.endswith(nobody)
    running = replace(SPRING, ends_at=None)
    told = checked(leaderboard_panel(BoardPage((), False, False), Board.WINS, running, EN, at=AT, zone=PARIS))
    assert "since Jan 15, 2027" in told
    assert "over" not in told
    assert "ends" not in told


def test_the_end_of_a_season_is_news_with_a_way_to_it() -> None:
    posted = podium_link(7, DutyReport(Progress.DONE, channel_id=8, message_id=9))
    link = "https://discord.com/channels/7/8/9"
    assert over_line(SPRING, posted, FR) == f"🏁 Saison 3 — Printemps est terminée, voici son podium : {link}"
    assert podium_link(7, DutyReport(Progress.NOTHING)) is None
    assert over_line(SPRING, None, EN) == "🏁 Season 3 — Printemps is over: `/kems leaderboard season:3`"


@BOTH
@pytest.mark.parametrize("board", Board)
def test_every_board_fits(texts: Texts, board: Board) -> None:
    users = (2**63 - 2, 2**63 - 1) if board is Board.DUOS else (2**63 - 1,)
    lines = tuple(line(place, *users, value=10**6, name=HOSTILE) for place in range(10**5, 10**5 + 10))
    open_end = replace(SPRING, ends_at=None, number=9999, name=HOSTILE)
    told = checked(
        leaderboard_panel(BoardPage(lines, True, True), board, open_end, texts, at=AT, zone=PARIS, own=line(5, *users))
    )
    assert "<@1>" not in told
    empty = leaderboard_panel(BoardPage((), False, False), board, SPRING, texts, at=AT, zone=PARIS)
    assert len(checked(empty).splitlines()) == (4 if board is Board.RATING else 3)
    assert not buttons(empty)


def test_boards_have_names_of_their_own() -> None:
    for texts in (FR, EN):
        assert len({board_name(board, texts) for board in Board}) == len(Board)


def test_a_podium_has_three_places_that_level_people_share_and_the_best_of_the_other_boards() -> None:
    pages = {board: BoardPage((), False, False) for board in Board}
    best = (line(1, 1), line(1, 2), line(3, 3, value=1100), line(3, 4, value=1100), line(5, 5))
    pages[Board.RATING] = BoardPage(best, False, False)
    pages[Board.DUOS] = BoardPage((line(1, 1, 3, value=5),), False, False)
    assert checked(podium(SPRING, pages, PARIS, FR)).splitlines() == [
        "## 🏁 Saison 3 — Printemps est terminée",
        "-# 15 janv. 2027",
        "🥇 Ana1 — **1200**",
        "🥇 Ana2 — **1200**",
        "🥉 Ana3 — **1100**",
        "🥉 Ana4 — **1100**",
        "**Duos** Ana1 & Ana3 (5)",
    ]


def test_without_a_settled_rating_and_a_win_a_season_has_no_champion() -> None:
    pages = {board: BoardPage((), False, False) for board in Board}
    nothing = "No champion this season: no ranked match was won."
    assert checked(podium(SPRING, pages, PARIS, EN)).splitlines()[2:] == [nothing]
    pages[Board.WINS] = BoardPage((line(1, 1, value=2),), False, False)
    assert checked(podium(SPRING, pages, PARIS, FR)).splitlines()[2:] == [
        "Pas de champion cette saison : personne n'a à la fois une cote établie et une victoire.",
        "**Victoires** Ana1 (2)",
    ]


def test_the_board_of_ratings_says_whom_it_lists() -> None:
    page, note = BoardPage((line(1, 1),), False, False), "-# Settled ratings with at least one win."
    for board, own in ((Board.RATING, None), (Board.RATING, page.lines[0]), (Board.WINS, None)):
        told = checked(leaderboard_panel(page, board, SPRING, EN, at=AT, zone=PARIS, own=own))
        assert (note in told) is (board is Board.RATING and own is None)


def test_the_ladder_is_explained_from_its_numbers() -> None:
    voids = [VoidRecord(7, 9, "a **bot**", AT), VoidRecord(6, 0, "", AT)]
    said = checked(about_panel(Setup(Gates(("classic",), sign_required=True)), SPRING, voids, EN))
    for part in (
        "Season 3 — Printemps · a season every month, time zone Europe/Paris",
        "Rules: Classic, with nothing changed",
        "a Kem's counts only once its sign was made",
        "μ = 25, σ = 8.33",
        "1000 + 40 × (μ − 3σ)",
        "before 10 ranked matches with 3 different partners",
        "After 14 idle days σ² grows by 0.25 a week",
        "Boards and podiums list settled ratings with at least one win.",
        "A player who ends a match loses it alone",
        "unless the moderator charges that player with the loss",
        "weighs 80 % of the one before, 20 % at least",
        f"#7 <t:{AT // 1000}:d>, by <@9>: a \\*\\*bot\\*\\*",
        f"#6 <t:{AT // 1000}:d>, by (forgotten): —",
    ):
        assert part in said
    assert "μ = 25, σ = 8,33" in checked(about_panel(Setup(), SPRING, (), FR))
    other = replace(FORMULA, sure_matches=17, repeat=0.5, base=900, mu=30.5)
    changed = checked(about_panel(Setup(), None, (), EN, other))
    for part in ("before 17 ranked", "weighs 50 %", "900 + 40", "μ = 30.5", "between seasons", "None."):
        assert part in changed


@BOTH
@pytest.mark.parametrize("every", Every)
def test_every_explanation_fits(texts: Texts, every: Every) -> None:
    voids = [VoidRecord(2**53 - 1, 2**63 - 1, HOSTILE * 3, AT)] * 20
    setup = Setup(Gates(("classic",) * 7), Schedule(every, "America/Argentina/ComodRivadavia"))
    assert "<@1>" not in checked(about_panel(setup, replace(SPRING, name=HOSTILE), voids, texts))
    checked(about_panel(Setup(Gates(())), None, (), texts))
