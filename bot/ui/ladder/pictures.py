"""Boards, podiums and figures as pictures and in words. Pictures know no markdown: names are cleaned, not defused."""

from collections.abc import Sequence
from dataclasses import replace

from bot.ladder.boards import Board
from bot.ladder.seasons import Season
from bot.records.history import BoardLine, BoardPage, PlayerStats
from bot.records.pictures import BoardPicture, BoardRow, CurvePicture
from bot.ui.kit.names import clean
from bot.ui.kit.picture_words import alt, day, plain
from bot.ui.kit.texts import Texts
from bot.ui.ladder.leaderboard import PODIUM, board_name, dates, season_name


def board_picture(page: BoardPage, board: Board, season: Season, texts: Texts) -> BoardPicture | None:
    """A page of a board; None for an empty one."""
    rows = tuple(_row(line, texts) for line in page.lines)
    return BoardPicture(board_name(board, texts), plain(season_name(season, texts)), rows) if rows else None


def podium_picture(season: Season, lines: Sequence[BoardLine], zone: str, texts: Texts) -> BoardPicture | None:
    """The best by rating when a season ended, with its dates in the time zone; None without a champion."""
    rows = tuple(replace(_row(line, texts), user_id=line.user_ids[0]) for line in lines[:PODIUM])
    when = f"{plain(season_name(season, texts))} · {dates(season, zone, texts)}"
    return BoardPicture(texts.t("Podium of the season"), when, rows, has_podium=True) if rows else None


def curve_picture(stats: PlayerStats, season: Season | None, zone: str, texts: Texts) -> CurvePicture | None:
    """The course of a rating; None before the second ranked match. Days are those of the time zone."""
    if len(stats.course) < 2 or stats.ranked < 2:
        return None
    when = texts.t("All seasons") if season is None else plain(season_name(season, texts))
    first, last = (day(stats.course[end].at, zone, texts) for end in (0, -1))
    values = tuple(point.value for point in stats.course)
    return CurvePicture(clean(stats.name) or "?", f"{texts.t('Rating')} · {when}", values, first, last)


def curve_words(picture: CurvePicture, texts: Texts) -> str:
    values = picture.values
    course = texts.t(
        "From {first} ({since}) to {last} ({until}); highest {highest}, lowest {lowest}.",
        first=values[0],
        since=picture.first,
        last=values[-1],
        until=picture.last,
        highest=max(values),
        lowest=min(values),
    )
    return alt(f"{picture.title}, {picture.subtitle}. {course}")


def _row(line: BoardLine, texts: Texts) -> BoardRow:
    names = " & ".join(clean(name) or "?" for name in line.names)
    played = texts.n("{count} match", "{count} matches", line.matches)
    return BoardRow(line.place, names, str(line.value), played)
