"""The boards of a season, and its podium, as text."""

from collections.abc import Mapping
from typing import Final

import discord

from bot.ladder.boards import Board
from bot.ladder.seasons import MAX_NAME, Season
from bot.live.chronicle import After, Before, BoardLine, BoardPage, Spot
from bot.ui.ids import Verb, make_id
from bot.ui.names import defuse
from bot.ui.parts import Layout, Part, Row, button, layout, menu, text
from bot.ui.spots import write_spot
from bot.ui.texts import Texts

GOLD: Final = 0xC9A227
PODIUM: Final = 3
_MEDALS: Final = ("🥇", "🥈", "🥉")


def leaderboard_panel(
    page: BoardPage, board: Board, season: Season, texts: Texts, *, own: BoardLine | None = None
) -> Layout:
    """A page of a board, with the reader's own line if it is not on it, and a menu of the other boards."""
    t = texts.t
    lines = [_line(line, board, texts) for line in page.lines]
    if own is not None and own not in page.lines:
        lines.append("-# " + t("You: {line}", line=_line(own, board, texts)))
    parts: list[Part] = [
        text(f"## 🏆 {board_name(board, texts)}", f"-# {season_name(season, texts)} · {_dates(season)}"),
        text(*lines or [t("Nobody is on this board yet: it counts ranked matches alone.")]),
    ]
    if page.lines and (page.has_before or page.has_after):
        better = _turn(board, season, Before(page.lines[0].key))
        worse = _turn(board, season, After(page.lines[-1].key))
        parts.append(
            Row(button("◀", better, is_enabled=page.has_before), button("▶", worse, is_enabled=page.has_after))
        )
    options = [
        discord.SelectOption(label=board_name(other, texts), value=other.value, default=other is board)
        for other in Board
    ]
    parts.append(menu(make_id(0, Verb.BOARDS, str(season.number)), t("Another board"), options))
    return layout(*parts, colour=GOLD)


def podium(season: Season, pages: Mapping[Board, BoardPage], texts: Texts) -> Layout:
    """Who was best when a season ended."""
    t = texts.t
    best = pages[Board.RATING].lines[:PODIUM]
    lines = [f"{medal} {_names(line)} — **{line.value}**" for medal, line in zip(_MEDALS, best, strict=False)]
    others = [
        f"**{board_name(board, texts)}** {_names(page.lines[0])} ({page.lines[0].value})"
        for board, page in pages.items()
        if board is not Board.RATING and page.lines
    ]
    return layout(
        text("## 🏁 " + t("{season} is over", season=season_name(season, texts)), f"-# {_dates(season)}"),
        text(*lines or [t("No ranked match was played.")]),
        *([text(*others)] if others else []),
        colour=GOLD,
    )


def board_name(board: Board, texts: Texts) -> str:
    """What a board counts."""
    t = texts.t
    match board:
        case Board.RATING:
            return t("Rating")
        case Board.WINS:
            return t("Wins")
        case Board.KEMS:
            return t("Kem's")
        case Board.COUNTERS:
            return t("Counters")
        case Board.DUOS:
            return t("Duos")
        case Board.BLUFFERS:
            return t("Bluffers")


def season_name(season: Season, texts: Texts) -> str:
    """`Season 3`, or `Season 3 — Spring`."""
    name = texts.t("Season {number}", number=season.number)
    return name if season.name is None else f"{name} — {defuse(season.name, MAX_NAME)}"


def rating_words(value: int, texts: Texts, *, is_provisional: bool) -> str:
    """A rating; a provisional one says so."""
    return texts.t("{rating} (provisional)", rating=value) if is_provisional else str(value)


def _turn(board: Board, season: Season, spot: Spot) -> str:
    return make_id(0, Verb.BOARD, f"{board}:{season.number}:{write_spot(spot)}")


def _line(line: BoardLine, board: Board, texts: Texts) -> str:
    n = texts.n
    value = str(line.value)
    if board is Board.RATING:
        value = rating_words(line.value, texts, is_provisional=line.is_provisional)
    played = n("{count} match", "{count} matches", line.matches)
    won = n("{count} won", "{count} won", line.wins)
    told = f"**{line.place}.** {_names(line)} — **{value}** · {played}"
    return told if board in (Board.WINS, Board.DUOS) else f"{told}, {won}"


def _names(line: BoardLine) -> str:
    return " & ".join(defuse(name) or "?" for name in line.names)


def _dates(season: Season) -> str:
    """In the reader's own time."""
    end = "…" if season.ends_at is None else f"<t:{season.ends_at // 1000}:d>"
    return f"<t:{season.starts_at // 1000}:d> – {end}"
