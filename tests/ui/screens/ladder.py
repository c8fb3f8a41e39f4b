"""Screens of the ladder: boards, podiums, figures of a player, how it counts."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.conditions import EntryRules
from bot.discord.text.picture_words import rows_words
from bot.discord.text.texts import Texts
from bot.ladder.columns import MATCH_BOARDS, Board, SeatTally
from bot.ladder.formula import FORMULA
from bot.ladder.seasons import LadderSetup, RankedRules, Schedule, Season, SeasonLength
from bot.ladder.tally import Deed
from bot.nights.results.recap import Badge
from bot.records.history import (
    BoardLine,
    BoardPage,
    Mate,
    PlayerStats,
    PointSource,
    PointSources,
    RatingPoint,
    RatingView,
    VoidRecord,
)
from bot.ui.ladder.commands import about_panel
from bot.ui.ladder.ladder_reader import badges_line, stats_panel, stats_picture, stats_words
from bot.ui.ladder.leaderboard import board_picture, leaderboard_panel, podium, podium_picture
from bot.ui.ladder.point_sources import own_sources, watch_panel
from tests.ui.screens.common import AT, HOSTILE, NAMES, ZONE, Scene, number_of, sent

SEASON: Final = Season(3, AT, AT + 1000, "*Printemps*")
SEASONS: Final = (SEASON, replace(SEASON, ends_at=None), replace(SEASON, number=4, name=None))
DAY_MS: Final = 24 * 3600 * 1000
STATS: Final = PlayerStats(
    user_id=1,
    name="Ana",
    matches=12,
    ranked=9,
    wins=7,
    draws=1,
    rounds=80,
    tally=SeatTally(14, 3, 14 * 42_000, 2, 5, 3, 4, 120, 6),
    rating=RatingView(1240, is_provisional=True),
    partner=Mate(2, "*Bruno*", 9, 7),
    opponent=Mate(3, "", 8, 5),
    streak=-2,
    best_streak=5,
)
SOURCES: Final = PointSources(
    gained=312,
    matches=14,
    opponents=tuple(PointSource(20 + n, name, 0.92 / (n + 1), 14 - n, 13 - n) for n, name in enumerate(HOSTILE[:5])),
    partners=(PointSource(30, "Bruno", 1, 14, 13), PointSource(-1, "", 0, 1, 0)),
    latest=tuple(range(123_450, 123_458)),
)


def watched(players: int) -> list[tuple[BoardLine, PointSources]]:
    """The first of a board, who have met the same people; the last one has won nothing."""
    lines = [BoardLine(n, 1300 - n, (n,), (NAMES[n % len(NAMES)],), 14, 13) for n in range(1, players + 1)]
    return [*((line, SOURCES) for line in lines[:-1]), (lines[-1], PointSources(0, 1, (), (), ()))]


def ladder_scenes(texts: Texts) -> Iterator[Scene]:
    """All of them in one language."""
    yield from _boards(texts)
    few = replace(STATS, wins=1, draws=0, matches=1, ranked=1, streak=1, best_streak=1, tally=SeatTally(1, 1, 9000))
    nothing = replace(STATS, name="", matches=1, wins=0, tally=SeatTally(), rating=None, partner=None, opponent=None)
    for name, stats in {"many": STATS, "few": few, "none": replace(nothing, streak=0, best_streak=0)}.items():
        for season in (None, SEASON):
            picture = stats_picture(stats, season, ZONE, texts)
            yield f"stats {name} {season is None}", [sent(stats_panel(picture, ["🌙"])), stats_words(picture, texts)]
    yield "badges", badges_line([(one, 1 + (one is Badge.WINNER)) for one in (*Deed, *Badge)], texts) or ""
    voids = [VoidRecord(number, 9 * (number % 2), reason, AT) for number, reason in enumerate((*HOSTILE, "", *HOSTILE))]
    for every in SeasonLength:
        setup = LadderSetup(
            RankedRules(("classic", "expert"), sign_required=every is SeasonLength.HAND), Schedule(every, "Asia/Tokyo")
        )
        yield f"ladder {every}", sent(about_panel(setup, SEASON, voids, texts))
    yield (
        "ladder with an entry",
        sent(about_panel(LadderSetup(RankedRules(entry=EntryRules(77, days=7))), SEASON, (), texts)),
    )
    yield "ladder at first", sent(about_panel(LadderSetup(RankedRules(())), None, (), texts))
    yield "ladder watched", sent(watch_panel(SEASON, watched(10), texts))
    yield "ladder with nothing to watch", sent(watch_panel(SEASON, (), texts))
    yield (
        "own points",
        [own_sources(SEASON, SOURCES, texts), own_sources(SEASON, PointSources(0, 1, (), (), ()), texts)],
    )
    other = replace(FORMULA, sure_matches=17, repeat=0.5, base=900, mu=30.5)
    yield "ladder of another formula", sent(about_panel(LadderSetup(), None, (), texts, other))
    course = tuple(RatingPoint(AT + number * DAY_MS, value) for number, value in enumerate((1000, 1090, 980, 1042)))
    curves = (stats_picture(replace(STATS, rating_history=course), season, ZONE, texts) for season in (SEASON, None))
    yield "curves in words", [stats_words(curve, texts) for curve in curves]


def _boards(texts: Texts) -> Iterator[Scene]:
    lines = tuple(
        BoardLine(place, 1300 - place, (place, place + 1), (name, HOSTILE[place % 6]), place, place // 2)
        for place, name in enumerate(NAMES, 1)
    )
    level = (replace(lines[0], place=1), replace(lines[1], place=1), replace(lines[2], place=3))
    level = (*level, replace(lines[3], place=3), lines[4])
    nobody = BoardPage((), False, False)
    for board in MATCH_BOARDS:
        number = number_of(board)
        season = SEASONS[number % 3]
        page = BoardPage(lines[:10], number % 2 == 0, number % 3 == 0)
        at = AT + 500 * (number % 4)
        panel = leaderboard_panel(page, board, season, texts, at=at, zone=ZONE, own=lines[10], news="*Nouvelle*")
        yield f"board {board}", sent(panel)
        panel = leaderboard_panel(page, board, season, texts, at=at, zone=ZONE, own=lines[0])
        yield f"board {board} with its reader on it", sent(panel)
        picture = board_picture(page, board, season, texts)
        yield f"board {board} in words", rows_words(picture) if picture else ""
        yield f"board {board} of nobody", sent(leaderboard_panel(nobody, board, season, texts, at=at, zone=ZONE))
    unsure = tuple(replace(line, place=0) for line in lines[:3])
    panel = leaderboard_panel(nobody, Board.RATING, SEASON, texts, at=AT, zone=ZONE, unnumbered=unsure)
    yield "board rating of nobody settled", sent(panel)
    for season in SEASONS:
        pages = {board: BoardPage(level, False, False) for board in MATCH_BOARDS if board is not Board.FRIENDLY}
        name = f"podium {season.number} {season.ends_at is None}"
        yield name, sent(podium(season, pages, ZONE, texts))
        picture = podium_picture(season, level, ZONE, texts)
        yield f"{name} in words", rows_words(picture) if picture else ""
        yield f"{name} corrected", sent(podium(season, {**pages, Board.DUOS: nobody}, ZONE, texts, AT))
        yield f"{name} of nobody", sent(podium(season, dict.fromkeys(MATCH_BOARDS, nobody), ZONE, texts))
        yield f"{name} of no champion", sent(podium(season, {**pages, Board.RATING: nobody}, ZONE, texts))
