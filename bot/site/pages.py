"""The pages of a site, one function each. Their words are those of messages and pictures."""

import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from html import escape
from importlib import resources
from typing import Final

from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import clean
from bot.discord.text.picture_words import day, moment, plain
from bot.game.events import HuntOpened, PoolSwept
from bot.game.replay_steps import ReplayStep, RoundReplay, replay_rounds
from bot.ladder.columns import Board
from bot.ladder.tally import Highlights
from bot.nights.night import Night
from bot.nights.results.standings import standings
from bot.nights.rounds import NightTable
from bot.records.archive import Archive, PastMatch
from bot.records.history import MatchRecord
from bot.records.pictures import BoardPicture, BoardRow, TeamColumn
from bot.records.player import Player
from bot.site.reader import SeasonBoards, Site
from bot.ui.ladder.leaderboard import board_picture, dates, provisional_title, season_name
from bot.ui.night.board import legend, table_line
from bot.ui.night.calendar import calendar_feed
from bot.ui.night.messages.recap import end_picture, recap
from bot.ui.night.words import how_line, plain_title, round_name
from bot.ui.records.history_panels import (
    about_words,
    broken_off_words,
    look_through,
    match_picture,
    people_of,
    purged_words,
    round_line,
    scored_teams,
)
from bot.ui.records.replay_panel import step_lines
from bot.ui.words.table_text import TableText, clock, signed_points

_ID: Final = re.compile(r"\d{17,}")  # people write mentions in titles and gestures
_HEAD: Final = (
    '<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="robots" content="noindex">\n'
    '<title>{title}</title>\n<link rel="stylesheet" href="style.css">\n</head>\n{body}\n</html>\n'
)


class Markup(str):
    """HTML, which is not escaped again."""

    __slots__ = ()


BREAK: Final = Markup("<br>")


def tag(name: str, *inner: object, **attributes: str) -> Markup:
    """Return an HTML element. Keywords are its attributes (`class_` for `class`); None leaves one out."""
    attribute_text = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{attribute_text}>{together(*inner)}</{name}>")


def together(*inner: object) -> Markup:
    """Return the concatenation of elements and texts."""
    return Markup(
        "".join(
            each if isinstance(each, Markup) else escape(_ID.sub("…", str(each))) for each in inner if each is not None
        )
    )


def words(line: str) -> Markup:
    """Return a line of message text as HTML."""
    return together(plain(line))


def document(lang: str, title: str, *body: object) -> str:
    """Return a whole page."""
    return _HEAD.format(lang=escape(lang), title=together(title), body=tag("body", *body))


_NEWEST: Final = 10  # matches on the first page


async def pages(site: Site, archive: Archive) -> AsyncIterator[tuple[str, str]]:
    """Yield the files by name and text.

    A match that cannot be read raises StoreError.
    """
    writer = _Pages(site)
    yield "style.css", resources.files("bot.site").joinpath("style.css").read_text(encoding="utf-8")
    yield "nights.ics", calendar_feed(site.planned, site.title, site.at, site.texts)
    yield "index.html", writer.index()
    yield "matches.html", writer.all_matches()
    for season in site.seasons:
        yield f"season-{season.season.number}.html", writer.season(season)
    for night in site.nights:
        yield f"night-{night.number}.html", writer.night(night)
    for match in site.matches:
        yield f"match-{match.id}.html", writer.match(match, await archive.read(match.id))


class _Pages:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._texts = site.texts
        self._with_page = {match.id for match in site.matches}

    def index(self) -> str:
        t, site = self._texts.t, self._site
        seasons = [
            self._entry(
                f"season-{each.season.number}.html", plain(season_name(each.season, self._texts)), self._dates(each)
            )
            for each in site.seasons
        ]
        nights = [
            self._entry(f"night-{night.number}.html", plain_title(night.plan), self._day(night.plan.starts_at))
            for night in site.nights
        ]
        nights.insert(0, self._entry("nights.ics", t("Calendar"), self._next(site.planned)))
        more = self._entry("matches.html", t("All matches")) if len(site.matches) > _NEWEST else None
        return self._page(
            None,
            _part(t("Seasons"), _list("ul", seasons)),
            _part(t("Game nights"), _list("ul", nights)),
            _part(t("Matches"), self._matches(site.matches[:_NEWEST], more)),
        )

    def all_matches(self) -> str:
        return self._page(self._texts.t("Matches"), self._matches(self._site.matches))

    def season(self, season_boards: SeasonBoards) -> str:
        t, season = self._texts.t, season_boards.season
        boards = (board_picture(season_boards.boards[board], board, season, self._texts) for board in Board)
        late = [
            BoardRow(
                0, clean(line.names[0]) or "?", str(line.value), f"{line.matches}/{self._site.formula.season_matches}"
            )
            for line in season_boards.unnumbered
        ]
        return self._page(
            plain(season_name(season, self._texts)),
            tag("p", self._dates(season_boards)),
            *(_part(board.title, _board(board.rows)) for board in boards if board is not None),
            _part(provisional_title(self._texts, self._site.formula), _board(late)),
            _part(
                t("Matches"), self._matches([row for row in self._site.matches if row.result.season == season.number])
            ),
        )

    def night(self, night: Night) -> str:
        t, site, texts = self._texts.t, self._site, self._texts
        lines = standings(night)
        end = end_picture(night, lines, site.zone, texts, None)
        found = recap(night, night.honours, None, site.zone, texts)
        feats = found.picture.rows if found is not None and isinstance(found.picture, BoardPicture) else ()
        rounds = [
            _part(round_name(night, round_, texts), _list("ul", [self._table(night, each) for each in round_.tables]))
            for round_ in night.rounds
        ]
        return self._page(
            plain_title(night.plan),
            tag("p", moment(night.plan.starts_at, site.zone, texts), BREAK, how_line(night.plan, texts)),
            _part(t("Standings"), _board(end.rows) if end is not None else None),
            _part(t("The night in review"), _board(feats)),
            *rounds,
            tag("p", legend(night.all_tables, texts), class_="small"),
        )

    def match(self, match: MatchRecord, played: PastMatch | None) -> str:
        site, texts = self._site, self._texts
        if played is None or not played.events:
            sentence = broken_off_words(match, texts) if played is None else purged_words(match.id, texts)
            picture, rounds = match_picture(match, (), Highlights(), site.zone, texts), [tag("p", words(sentence))]
        else:
            ended, _, picture = look_through(match, played, site.zone, texts)
            people, faces = [*people_of(match, texts).values()], Faces(texts, played.theme)
            lines = {view.round: round_line(TableText(view, people, faces)) for view in ended}
            replays = replay_rounds(played.events)
            rounds = [_round(replay, lines.get(replay.number), people, faces) for replay in replays]
        return self._page(
            texts.t("Match {number}", number=match.id),
            tag("p", picture.subtitle),
            tag("div", *(_team(team) for team in picture.teams), class_="teams"),
            _list("ul", [tag("li", note) for note in picture.notes]),
            *rounds,
        )

    def _next(self, planned: Sequence[Night]) -> str | None:
        """Return the title and the time of the first of these nights."""
        if not planned:
            return None
        plan = planned[0].plan
        return f"{plain_title(plan)} · {moment(plan.starts_at, self._site.zone, self._texts)}"

    def _table(self, night: Night, table: NightTable) -> Markup:
        """Return a table of a night, with a link to its match if that has a page."""
        line = words(table_line(night, replace(table, thread_id=None)))
        if table.table_id not in self._with_page:
            return tag("li", line)
        return self._entry(f"match-{table.table_id}.html", line)

    def _matches(self, matches: Iterable[MatchRecord], more: Markup | None = None) -> Markup | None:
        lines = [self._in_short(match) for match in matches]
        return _list("ul", lines + ([] if more is None else [more]))

    def _in_short(self, match: MatchRecord) -> Markup:
        about = " · ".join((self._day(match.result.ended_at), *about_words(match, self._texts)))
        title = self._texts.t("Match {number}", number=match.id)
        score = scored_teams(match, self._texts, " & ")
        return self._entry(f"match-{match.id}.html", title, words(about), BREAK, words(score))

    def _entry(self, address: str, title: object, *about: object) -> Markup:
        return tag("li", tag("a", title, href=address), " · " if about else None, *about)

    def _dates(self, season_boards: SeasonBoards) -> str:
        return dates(season_boards.season, self._site.zone, self._texts)

    def _day(self, at: int) -> str:
        return day(at, self._site.zone, self._texts)

    def _page(self, title: str | None, *parts: object) -> str:
        site, t = self._site, self._texts.t
        home = tag("h1", site.title) if title is None else tag("a", site.title, href="index.html")
        left_out = t(
            "Left out: matches in channels that not everybody can read, and names of players who left the boards."
        )
        as_of = t("As of {when}.", when=moment(site.at, site.zone, self._texts))
        return document(
            self._texts.locale,
            site.title if title is None else f"{title} · {site.title}",
            tag("header", home),
            tag("main", None if title is None else tag("h1", title), *parts),
            tag("footer", left_out, " ", as_of),
        )


def _part(title: str, content: Markup | None) -> Markup | None:
    return None if content is None else tag("section", tag("h2", title), content)


def _list(kind: str, items: Iterable[Markup]) -> Markup | None:
    inner = [*items]
    return tag(kind, *inner) if inner else None


def _lines(lines: Iterable[str]) -> list[Markup]:
    """Return lines that are written for a message, one below the other."""
    marked_up = [words(line) for line in lines if line]
    return [marked_up[0], *(together(BREAK, line) for line in marked_up[1:])]


def _board(rows: Iterable[BoardRow]) -> Markup | None:
    lines = [
        tag(
            "tr",
            tag("td", row.sign or (f"{row.place}." if row.place else None)),
            tag("th", row.name, tag("div", row.note, class_="small"), scope="row"),
            tag("td", row.value, class_="value"),
        )
        for row in rows
    ]
    return tag("table", *lines) if lines else None


def _team(team: TeamColumn) -> Markup:
    score = tag("strong", signed_points(team.scores[-1]), " 🏆" if team.is_winner else None)
    sign = tag("p", team.sign, class_="small") if team.sign else None
    return tag("section", tag("h2", team.name, " · ", score), tag("p", ", ".join(team.members)), sign)


def _round(replay: RoundReplay, line: str | None, people: Sequence[Player], faces: Faces) -> Markup:
    """Return a line that opens on the steps: all hands as dealt, what happened, all hands at the end."""

    def text_of(step: ReplayStep) -> TableText:
        return TableText(step.table, people, faces)

    def hands(step: ReplayStep) -> Markup | None:
        text = text_of(step)
        return _list(
            "ul", [tag("li", words(f"{text.seat(n)} {text.cards(hand)}")) for n, hand in enumerate(step.hands)]
        )

    def step_item(step: ReplayStep) -> Markup:
        lines, text = step_lines(step, text_of(step)), text_of(step)
        if isinstance(step.event, HuntOpened | PoolSwept):
            lines.append(text.cards(step.table.pool))
        return tag("li", tag("span", clock(step.at), class_="small"), " ", *_lines(lines))

    summary = tag("summary", words(line or faces.texts.t("Round {number}", number=replay.number)))
    return tag(
        "details", summary, hands(replay.steps[0]), _list("ol", map(step_item, replay.steps)), hands(replay.steps[-1])
    )
