"""The boards of a season and its podium, as text and as pictures.

Pictures show no markdown: their names are cleaned, not escaped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.discord.api.components import GOLD, Layout, Part, layout, link_to, menu, option, page_buttons, text
from bot.discord.api.custom_ids import NO_TABLE, make_id
from bot.discord.interactions.admission.allowances import FREE, PICTURES, Verb
from bot.discord.text.names import clean, disambiguate, escape_markdown, escaped_name
from bot.discord.text.picture_words import day, days, plain
from bot.discord.text.texts import Texts, non_breaking
from bot.ladder.columns import MATCH_BOARDS, Board
from bot.ladder.formula import FORMULA, Formula
from bot.ladder.seasons import MAX_NAME, Season
from bot.records.history import BoardLine, BoardPage
from bot.records.pictures import BoardPicture, BoardRow
from bot.records.seasons import EndedSeason

PODIUM: Final = 3
_MEDALS: Final = ("🥇", "🥈", "🥉")


class LadderVerb(Verb):
    """The verbs of the buttons of the ladder's messages; all have table 0. A comment names the argument."""

    BOARD = "board", PICTURES  # a board, a season's number and a page key
    BOARDS = "boards", PICTURES  # a season's number; a menu of boards
    SEASON_END = "season_end", PICTURES  # a season's number
    VOID = "void", FREE  # numbers of matches; a form with the reason
    ASK_VOID = "ask_void", FREE  # the same, and a place in the list; opens that form


def leaderboard_panel(
    page: BoardPage,
    board: Board,
    season: Season,
    texts: Texts,
    formula: Formula = FORMULA,
    *,
    at: int,
    zone: str,
    own: BoardLine | None = None,
    unnumbered: Sequence[BoardLine] = (),
    news: str | None = None,
    how: str | None = None,
) -> Layout:
    """Return a page of a board: its lines, which a picture can replace, and the text below them.

    Args:
        page: The page.
        board: The board.
        season: Its season.
        texts: The reader's texts.
        formula: The rating formula.
        at: The instant (milliseconds).
        zone: The time zone of the dates, as on the picture.
        own: The reader's own line.
        unnumbered: Players without a place.
        news: The announcement of the last season's end.
        how: How the league of the server counts; None without a league.
    """
    t = texts.t
    is_listed = own is None or own in (*page.lines, *unnumbered)
    listed, unnumbered = (
        disambiguate_lines(page.lines),
        disambiguate_lines((*page.lines, *unnumbered))[len(page.lines) :],
    )
    lines = [_line(line, board, texts) for line in listed] or [why_empty(board, unnumbered, texts, formula, how)]
    below = [f"-# {how}"] if how is not None and board is Board.LEAGUE else []
    if board is Board.FRIENDLY:
        below.append("-# " + t("Each day (UTC) with a friendly match won counts one, against robots too."))
    if own is not None and not is_listed:
        below.append("-# " + t("You: {line}", line=_line(own, board, texts)))
    if unnumbered and not page.has_after:
        below.append(f"**{provisional_title(texts, formula)}**")
        below += [_line(line, board, texts) for line in unnumbered]
    when = f"{dates(season, zone, texts)}{_state(season, at, texts)}"
    parts: list[Part] = [
        text(f"## 🏆 {board_name(board, texts)}", f"-# {season_name(season, texts)} · {when}", news),
        text(*lines),
    ]
    if below:
        parts.append(text(*below))
    parts += page_buttons(page, page.lines, LadderVerb.BOARD, f"{board}:{season.number}")
    offered = Board if how is not None else MATCH_BOARDS
    options = [option(board_name(other, texts), other.value, is_default=other is board) for other in offered]
    parts.append(menu(make_id(NO_TABLE, LadderVerb.BOARDS, str(season.number)), t("Another board"), options))
    return layout(*parts, colour=GOLD)


def why_empty(
    board: Board, unnumbered: Sequence[BoardLine], texts: Texts, formula: Formula, how: str | None = None
) -> str:
    """Return why a board has no lines yet."""
    if board is Board.LEAGUE and how is None:
        return texts.t("This server has no league of game nights: {/config} begins one.")
    if board is Board.LEAGUE:
        return texts.t("No night of this season is over yet.")
    if board is Board.FRIENDLY:
        return texts.t("Nobody is on this board: no friendly match was won in this season.")
    if board is not Board.RATING:
        return texts.t("Nobody is on this board: only ranked matches count, and nobody has done this in one.")
    if not unnumbered:
        return texts.t("Nobody is on this board: no ranked match has ended in this season. See {/ladder_about}.")
    return texts.t("Nobody has {matches} ranked matches in this season and a win yet.", matches=formula.season_matches)


def provisional_title(texts: Texts, formula: Formula) -> str:
    """Return the title above players without a place, which says what they need for one."""
    return texts.t("Provisional: a place from {matches} matches and a win on", matches=formula.season_matches)


def podium(
    season: Season, pages: Mapping[Board, BoardPage], zone: str, texts: Texts, corrected_at: int | None = None
) -> Layout:
    """Return the message with the best players at the end of a season.

    Args:
        season: The season.
        pages: The first pages of its boards.
        zone: The time zone of the dates.
        texts: The texts of the server.
        corrected_at: When the podium was corrected (milliseconds); None if never.
    """
    t = texts.t
    first, leading = best_of(pages)
    known = disambiguate_lines((*first, *leading.values()))
    best, leaders = known[: len(first)], dict(zip(leading, known[len(first) :], strict=True))
    lines = [f"{_MEDALS[line.place - 1]} {_names(line)} — **{line.value}**" for line in best]
    others = [f"**{board_name(board, texts)}** {_names(line)} ({line.value})" for board, line in leaders.items()]
    changed = "" if corrected_at is None else " · " + t("corrected on {date}", date=day(corrected_at, zone, texts))
    when = f"-# {dates(season, zone, texts)}{changed}"
    if not best and others:
        lines = [t("No champion this season: nobody has enough matches in it and a win.")]
    elif not best:
        lines = [t("No champion this season: no ranked match was won.")]
    return layout(
        text(f"## 🏁 {over_title(season, texts)}", when),
        text(*lines),
        *([text(*others)] if others else []),
        colour=GOLD,
    )


def board_picture(page: BoardPage, board: Board, season: Season, texts: Texts) -> BoardPicture | None:
    """Return a page of a board as a picture; None for an empty page."""
    rows = tuple(_row(line, texts) for line in disambiguate_lines(page.lines))
    return BoardPicture(board_name(board, texts), plain(season_name(season, texts)), rows) if rows else None


def podium_picture(season: Season, lines: Sequence[BoardLine], zone: str, texts: Texts) -> BoardPicture | None:
    """Return a picture of the highest-rated players at a season's end, with its dates; None without a champion."""
    rows = tuple(_row(line, texts, line.user_ids[0]) for line in disambiguate_lines(lines) if line.place <= PODIUM)
    when = f"{plain(season_name(season, texts))} · {dates(season, zone, texts)}"
    return BoardPicture(texts.t("Podium of the season"), when, rows, has_podium=True) if rows else None


def disambiguate_lines(lines: Sequence[BoardLine]) -> tuple[BoardLine, ...]:
    """Return the lines with names disambiguated."""
    people = list(dict.fromkeys(person for line in lines for person in _people(line)))
    names_by_user = dict(zip(people, disambiguate(name for _, name in people), strict=True))
    named = (tuple(names_by_user[person] or person[1] for person in _people(line)) for line in lines)
    return tuple(replace(line, names=names) for line, names in zip(lines, named, strict=True))


def _people(line: BoardLine) -> tuple[tuple[int, str], ...]:
    return tuple(zip(line.user_ids, line.names, strict=True))


def _row(line: BoardLine, texts: Texts, user_id: int | None = None) -> BoardRow:
    names = " & ".join(clean(name) or "?" for name in line.names)
    return BoardRow(line.place, names, str(line.value), line.note or _matches(line, texts), user_id)


def best_of(pages: Mapping[Board, BoardPage]) -> tuple[list[BoardLine], dict[Board, BoardLine]]:
    """Return the contents of a podium: the highest-rated players, and the first line of each other board."""
    best = [line for line in pages[Board.RATING].lines if line.place <= PODIUM]
    others = {board: page.lines for board, page in pages.items() if board is not Board.RATING}
    return best, {board: lines[0] for board, lines in others.items() if lines}


def board_name(board: Board, texts: Texts) -> str:
    """Return the name of a board."""
    return texts.t(board.words)


def no_season(texts: Texts) -> str:
    """Return the sentence for a server that has never had a season."""
    return texts.t("No season here yet: an admin of the server starts one with {/season_start}.")


def season_name(season: Season, texts: Texts) -> str:
    """Return `Season 3`, or `Season 3 — Spring`."""
    name = texts.t("Season {number}", number=season.number)
    own = escape_markdown(season.name or "", MAX_NAME)
    return f"{name} — {own}" if own else name


def over_title(season: Season, texts: Texts) -> str:
    """Return the title of a podium, unique among the seasons of a server."""
    return texts.t("{season} is over", season=season_name(season, texts))


def _line(line: BoardLine, board: Board, texts: Texts) -> str:
    place = f"**{line.place}.** " if line.place else ""
    won = texts.n("{count} won of {played}", "{count} won of {played}", line.wins, played=line.matches)
    figure = non_breaking(_matches(line, texts) if board.counts_wins else won)
    return f"{place}{_names(line)} — **{line.value}** · {line.note or figure}"


def _matches(line: BoardLine, texts: Texts) -> str:
    return texts.n("{count} match", "{count} matches", line.matches)


def league_line(lines: Sequence[BoardLine], nights: int, texts: Texts) -> str | None:
    """Return the standings of a league after so many nights, for posts; None before the second night."""
    if nights < 2 or not lines:
        return None
    first = " · ".join(f"{line.place}. **{_names(line)}** {line.value}" for line in disambiguate_lines(lines)[:PODIUM])
    return texts.n(
        "🏅 League after {count} night: {first} · {/leaderboard}",
        "🏅 League after {count} nights: {first} · {/leaderboard}",
        nights,
        first=first,
    )


def _names(line: BoardLine) -> str:
    return " & ".join(escaped_name(name) for name in line.names)


def is_over(season: Season, at: int) -> bool:
    """Return whether a season has ended by an instant (milliseconds)."""
    return season.ends_at is not None and season.ends_at <= at


def over_line(ended: EndedSeason, texts: Texts) -> str:
    """Return the announcement that a season is over, with a link to its podium, or the command that shows its board."""
    season, name = ended.season, season_name(ended.season, texts)
    if ended.channel_id is not None and ended.message_id is not None:
        link = link_to(ended.guild_id, ended.channel_id, ended.message_id)
        return "🏁 " + texts.t("{season} is over: its podium is at {link}", season=name, link=link)
    return "🏁 " + texts.t("{season} is over: {/leaderboard} `season:{number}`", season=name, number=season.number)


def _state(season: Season, at: int, texts: Texts) -> str:
    if season.ends_at is None:
        return ""
    when = f"<t:{season.ends_at // 1000}:R>"
    return " · " + (texts.t("over ({when})", when=when) if is_over(season, at) else texts.t("ends {when}", when=when))


def dates(season: Season, zone: str, texts: Texts) -> str:
    """Return the first day of a season in a time zone, and its last day if that is known."""
    if season.ends_at is None:
        return texts.t("since {date}", date=day(season.starts_at, zone, texts))
    return days(season.starts_at, season.ends_at - 1, zone, texts)
