"""A night's tables and standings: the board while it runs and afterwards, and ephemeral lists page by page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.discord.api import components as c
from bot.discord.api.custom_ids import make_id
from bot.discord.text.names import disambiguate_players, display_name
from bot.discord.text.texts import Texts, mark
from bot.game.events import Phase
from bot.nights.formats import format_of
from bot.nights.night import Night, NightStatus
from bot.nights.plan import TieBreak
from bot.nights.planning.length import ends_at
from bot.nights.results.standings import Standing
from bot.nights.rounds import NightRound, NightTable, Presence, ResultKind
from bot.nights.steps import can_correct
from bot.tables.directory import TableDirectory
from bot.ui.night import words as w
from bot.ui.night.verbs import SERIES, HostVerb, NightVerb, PlayerVerb, button, seen
from bot.ui.table.verbs import TableVerb
from bot.ui.words.table_text import countdown, score_text, signed_points

T = TypeVar("T")

STANDINGS_ON_PAGE: Final = 20
TABLES_ON_PAGE: Final = 15
REPLAYS_ON_PAGE: Final = 12
RESULT_SIGNS: Final = {
    ResultKind.PLAYED: "✓",
    ResultKind.TIMED: "⏱",
    ResultKind.ENTERED: "✎",
    ResultKind.FORFEIT: "⚑",
    ResultKind.DESERTED: "∅",
    ResultKind.INTERRUPTED: "∅",
}
_NOT_IN_SHORT: Final = (TieBreak.HEAD_TO_HEAD, TieBreak.OPPONENTS, TieBreak.DEFEATED)
MOST_NAMED: Final = 10
"""Most tables that are shown with their people; if there are more, with their score alone."""
MOST_TABLES: Final = 60
LEADERS: Final = 5
_MOST_AWAITED: Final = 12
_LEGEND: Final = {
    ResultKind.TIMED: mark("⏱ time was called"),
    ResultKind.ENTERED: mark("✎ entered by the host"),
    ResultKind.FORFEIT: mark("⚑ one side did not come"),
    ResultKind.DESERTED: mark("∅ nobody came: no points"),
    ResultKind.INTERRUPTED: mark("∅ interrupted: no points"),
}


# ---------------------------------------------------------------------- tables


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A running table on the board.

    - `scores`: points by team.
    - `awaited`: the names of players it waits for.
    - `is_still`: it is paused.
    """

    scores: tuple[int, ...]
    awaited: tuple[str, ...] = ()
    is_still: bool = False


LiveTables = Mapping[int, LiveTable]
"""The running tables of a night's last round, by number."""


def live_tables(directory: TableDirectory, night: Night) -> LiveTables:
    """Return the running tables of a night's last round, by number."""
    found = dict[int, LiveTable]()
    for playing in night.latest_tables:
        table = None if playing.table_id is None or playing.result is not None else directory.table(playing.table_id)
        if table is None:
            continue
        view, seated = table.table_view(), disambiguate_players(table.lobby.players)
        called = directory.attendance.called(table.id) if view.phase is not Phase.MATCH_OVER else {}
        names = (seated[seat] for seat in sorted(called))
        scores = view.games if view.rules.end.best_of > 1 else view.scores
        awaited = tuple(display_name(name) for name in names if name is not None)
        found[playing.number] = LiveTable(tuple(scores), awaited, is_still=table.pause is not None)
    return found


def table_line(night: Night, table: NightTable, live: LiveTable | None = None, *, has_names: bool = True) -> str:
    """Return `**T3** <#9> Ana & Bruno **4 — 2** Chloé & Dora`; ⏸ marks a paused table.

    A table with a result has a sign for its kind, and no thread: Discord may show an archived or deleted one as
    `#unknown`.

    Args:
        night: The night.
        table: The table.
        live: Its running match.
        has_names: Whether its people are named.
    """
    scores = table.result.scores if table.result is not None else None if live is None else live.scores
    end = " ⏸" if live is not None and live.is_still else ""
    end = end if table.ended_as is None else f" {RESULT_SIGNS[table.ended_as]}"
    is_open = table.thread_id is not None and table.result is None
    start = f"**T{table.number}**" + (f" <#{table.thread_id}>" if is_open else "")
    if has_names:
        people = w.sides(night, table)
        sentence = " — ".join(people) if scores is None else score_text(people, scores)
        if scores is not None and len(people) == 2:
            sentence = f"{people[0]} **{' — '.join(map(signed_points, scores))}** {people[1]}"
    else:
        sentence = "…" if scores is None else f"**{' — '.join(map(signed_points, scores))}**"
    return f"{start} {sentence}{end}"


def opening_lines(night: Night, texts: Texts, threads_from: int | None = None) -> list[str]:
    """Return how many tables of the round are still without a thread while others have one, and when they get it.

    `threads_from`: from when Discord accepts new threads again (milliseconds); None if it does now.
    """
    last = night.round
    if last is None or night.is_unplaced:
        return []
    count = sum(table.thread_id is None and table.result is None for table in last.tables)
    if not count or count == len(last.tables):
        return []
    line = texts.n("{count} table opens in a moment.", "{count} tables open in a moment.", count)
    if threads_from is not None:
        line = texts.n(
            "Discord is limiting threads: {count} table opens {when}.",
            "Discord is limiting threads: {count} tables open {when}.",
            count,
            when=countdown(threads_from),
        )
    return [f"⏳ {line}"]


def still_screen(night: Night, texts: Texts, host: str | None) -> c.Layout:
    """Return the question to the host about tables that have stopped, and when their first score becomes final."""
    t, numbers = texts.t, [table.number for table in night.tables_awaiting_host]
    until = min(table.asked_until or 0 for table in night.tables_awaiting_host)
    many = ", ".join(map(str, numbers))
    layout = c.text(
        host,
        texts.n(
            "**Table {numbers}** has stopped. What should be done?",
            "**Tables {numbers}** have stopped. What should be done?",
            len(numbers),
            numbers=many,
        ),
        "-# " + t("Without an answer its score stands {when}.", when=countdown(until)),
    )
    listed = numbers[:_MOST_AWAITED]
    buttons = [
        button(t("Table {number}…", number=table_number), HostVerb.HOST, night.id, table_number)
        for table_number in listed
    ]
    return c.layout(layout, *c.rows(buttons), colour=c.GREY)


def unplaced_screen(night: Night, texts: Texts, host: str | None) -> c.Layout:
    """Return the message to the host that the night is paused because Discord opens no thread for a table."""
    layout = c.text(
        host,
        texts.t("**Discord won't open a thread for a table:** the night is paused, and nobody loses out."),
        "-# " + texts.t("*Why?* says what to do. The night goes on by itself once a thread opens."),
    )
    return c.layout(layout, c.row(button(texts.t("Why?"), HostVerb.HOST, night.id)), colour=c.GREY)


def tables_screen(night: Night, live: LiveTables, page: int, texts: Texts) -> c.Layout:
    """Return a page of the tables of the last round; `page` counts from 0."""
    last = night.round
    listed, turning = paginate(night.id, PlayerVerb.TABLES, night.latest_tables, page, TABLES_ON_PAGE)
    lines = [table_line(night, table, live.get(table.number)) for table in listed]
    heading = f"**🗂 {w.title_of(night.plan)}**" + ("" if last is None else f" · {w.round_name(night, last, texts)}")
    return c.layout(c.text(heading, *(lines or [texts.t("No tables yet.")])), *turning, colour=c.BLUE)


def replays_screen(night: Night, page: int, texts: Texts) -> c.Layout:
    """Return the tables played to a result, latest first, each with a button that opens a replay with all hands open.

    `page` counts from 0.
    """
    ended = [(each, table) for each in reversed(night.rounds) for table in each.tables if _has_replay(table)]
    listed, turning = paginate(night.id, PlayerVerb.REPLAYS, ended, page, REPLAYS_ON_PAGE)
    lines, buttons = [], []
    for each, table in listed:
        short = f"{each.number}·{table.number}"
        lines.append(f"-# {short} {w.round_name(night, each, texts)} · {table_line(night, table)}")
        buttons.append(c.button(f"▶ {short}", make_id(table.table_id or 0, TableVerb.WATCH, f"n{each.number}")))
    about = texts.t("Every round again, all hands open.") if listed else texts.t("No table is over yet.")
    heading = c.text(f"**🎞 {w.title_of(night.plan)}**", about, *lines)
    return c.layout(heading, *c.rows(buttons), *turning, colour=c.SLATE)


def _has_replay(table: NightTable) -> bool:
    """Return whether the archive has the match: not if the host ended it by entering its result."""
    is_played = table.result is not None and table.result.kind in (ResultKind.PLAYED, ResultKind.TIMED)
    return is_played and table.table_id is not None


# ---------------------------------------------------------------------- standings


def standing_lines(night: Night, lines: Sequence[Standing], texts: Texts) -> list[str]:
    """Return lines such as `**1** Ana & Bruno · 9 pts · 4 tables won · difference +12`; none before a first result."""
    if not any(line.tables or line.byes for line in lines):
        return []
    return [
        f"**{line.place}** {w.names_of(night, line.entrants)} · {value_words(night, line, texts)}{_own(night, line)}"
        for line in lines
    ]


def own_line(night: Night, entrant: int, standings: Sequence[Standing], texts: Texts) -> str | None:
    """Return a line on an entrant's place; None before the first result."""
    own = next((line for line in standings if entrant in line.entrants), None)
    if own is None or not any(line.tables for line in standings):
        return None
    place = texts.t("Your place: **{place}** of {count}", place=own.place, count=len(standings))
    return f"{place} · {value_words(night, own, texts)}{_own(night, own)}"


def _own(night: Night, line: Standing) -> str:
    """Return the points of each of a pair if they differ: ` (Ana 4, Bruno 2)`."""
    if len(set(line.own)) == 1:
        return ""
    each = (f"{w.name_at(night, entrant)} {points:g}" for entrant, points in zip(line.entrants, line.own, strict=True))
    return f" ({', '.join(each)})"


def value_words(night: Night, line: Standing, texts: Texts) -> str:
    """Return the first values of a line, and those that decided its place: `9 pts · 4 tables won · difference +12`."""
    values = dict(zip(night.plan.format.tie_breaks, line.values, strict=True)) | {TieBreak.WINS: line.won}
    kinds = (
        tie_break
        for tie_break in TieBreak
        if tie_break in values and (tie_break not in _NOT_IN_SHORT or tie_break in line.decided)
    )
    return " · ".join(filter(None, (_value(tie_break, values[tie_break], texts) for tie_break in kinds)))


def _value(tie_break: TieBreak, value: float, texts: Texts) -> str:
    """Return one value of a line: `9 pts`, `Buchholz 12`, `3.5 tables won`."""
    number, many = texts.decimal(abs(value)), int(abs(value))
    sentence = ("−" if value < 0 else "+" if value and tie_break is TieBreak.SCORE_DIFFERENCE else "") + number
    match tie_break:
        case TieBreak.POINTS:
            return texts.n("{value} pt", "{value} pts", many, value=sentence)
        case TieBreak.WINS:
            return texts.n("{value} table won", "{value} tables won", many, value=sentence)
        case TieBreak.ROUNDS_SURVIVED:
            return texts.n("{value} round survived", "{value} rounds survived", many, value=sentence)
        case TieBreak.FINAL:
            return texts.t("final won") if value == 2 else texts.t("final") if value else ""
        case TieBreak.AVERAGE:
            return texts.n("{value} pt a table", "{value} pts a table", many, value=texts.decimal(value, 2))
        case TieBreak.SCORE_DIFFERENCE:
            return texts.t("difference {value}", value=sentence)
        case TieBreak.OPPONENTS:
            return texts.t("Buchholz {value}", value=sentence)
        case TieBreak.DEFEATED:
            return texts.t("S-B {value}", value=sentence)
        case TieBreak.HEAD_TO_HEAD:
            return texts.t("head to head {value}", value=sentence)


def standings_screen(night: Night, standings: Sequence[Standing], page: int, texts: Texts) -> c.Layout:
    """Return the standings with all values of each line, by importance; `page` counts from 0."""
    t, tie_breaks = texts.t, night.plan.format.tie_breaks
    listed, turning = paginate(night.id, PlayerVerb.STANDINGS, standings, page, STANDINGS_ON_PAGE)
    lines = list[str]()
    for line in listed:
        values = " · ".join(filter(None, (_value(*each, texts) for each in zip(tie_breaks, line.values, strict=True))))
        lines.append(f"**{line.place}** {w.names_of(night, line.entrants)} · {values}")
    order = " → ".join(t(name) for name in tie_breaks)
    return c.layout(
        c.text(f"**🏅 {w.title_of(night.plan)}**", *(lines or [t("Nobody has played yet.")])),
        c.text("-# " + t("Between equals the next value counts: {order}.", order=order)),
        *turning,
        colour=c.GOLD,
    )


def go_on_screen(night: Night, texts: Texts, host: str | None) -> c.Layout:
    """Return the question to the host whether a series goes on to which nobody came."""
    t = texts.t
    return c.layout(
        c.text(
            host,
            t(
                "Too few people came to the last two nights of “{title}”. Should the series go on?",
                title=w.title_of(night.plan),
            ),
            "-# " + t("Without an answer, it goes on."),
        ),
        c.row(
            button(t("It goes on"), HostVerb.GO_ON, night.id, style=c.PRIMARY),
            button(
                *(t("End the series…"), HostVerb.CANCEL, night.id, SERIES, seen(HostVerb.CANCEL_NOW, night)),
                style=c.DANGER,
            ),
        ),
        colour=c.GREY,
    )


def paginate(about: int, verb: NightVerb, items: Sequence[T], page: int, size: int) -> tuple[Sequence[T], list[c.Row]]:
    """Return one page of a list and its row of page buttons, if there are several; beyond the last, an empty page.

    `about` is the id that the buttons carry: of the night, or of what else the list belongs to.
    """
    pages = max(1, -(-len(items) // size))
    page = min(page, pages - 1)
    row = c.row(
        button("◀", verb, about, page - 1 if page else 0, is_enabled=page > 0),
        button(f"{page + 1} / {pages}", verb, about, page, "here", is_enabled=False),
        button("▶", verb, about, page + 1, "next", is_enabled=page + 1 < pages),
    )
    return items[page * size : (page + 1) * size], [row] if pages > 1 else []


# ---------------------------------------------------------------------- the board


def running_screen(
    night: Night, standings: Sequence[Standing], live: LiveTables, texts: Texts, *, threads_from: int | None = None
) -> c.Layout:
    """Return the board of a night that is running or over.

    `threads_from`: from when Discord accepts new threads again (milliseconds); None if it does now.
    """
    is_over, last = night.status is NightStatus.OVER, night.round
    parts: list[c.Part] = [c.text(f"## 🌙 {w.title_of(night.plan)}", *_clock(night, texts))]
    if last is not None and last.tables and not is_over:
        parts.append(c.text(*_table_lines(night, last, live, texts)))
        parts.append(c.text(*opening_lines(night, texts, threads_from), *_people(night, last, live, texts)))
    leaders = standing_lines(night, standings[:LEADERS], texts)
    if leaders:
        title = texts.t("Final standings") if is_over else texts.t("Standings")
        parts.append(c.text(f"**{title}**", *leaders))
    parts += _buttons(night, texts)
    return c.layout(*(part for part in parts if part.get("content", True)), colour=c.GOLD if is_over else c.BLUE)


def _clock(night: Night, texts: Texts) -> list[str]:
    t, last, plan = texts.t, night.round, night.plan
    small = "-# " + w.night_rules_line(plan, texts)
    if night.status is NightStatus.OVER:
        return [t("**The night is over.** Thank you for playing!"), small]
    if last is None:
        return [t("**It begins now.** The tables are being drawn…"), small]
    if not plan.format.is_open and night.paused_at is None:
        small += " · " + t("end ≈ {time}", time=w.at_time(ends_at(night)))
    if night.paused_at is not None:
        sentence = t("⏸ **The night is paused.** All timers are stopped.")
    elif last.is_over and format_of(night).waits_for_people(night):
        sentence = t("waiting for people")
    elif night.next_at is not None and last.is_over:
        sentence = t("next round {when}", when=f"**{countdown(night.next_at)}**")
    elif last.called_at is not None:
        sentence = t("⏱ **Time is called**: each table plays its running round to the end")
    elif last.ends_at is not None:
        when = f"**{countdown(last.ends_at)}**"
        sentence = (
            t("the night ends {when}", when=when) if plan.format.is_open else t("the round ends {when}", when=when)
        )
    else:
        sentence = t("each table plays to the end")
    return [f"**{w.round_name(night, last, texts)}** · {sentence}", small]


def _table_lines(night: Night, last_round: NightRound, live: LiveTables, texts: Texts) -> list[str]:
    """Return a line for each table: its number, a link to its thread, its people and its score."""
    tables = _latest(last_round.tables) if night.plan.format.is_open else last_round.tables
    has_names = len(tables) <= MOST_NAMED
    lines = [table_line(night, table, live.get(table.number), has_names=has_names) for table in tables[:MOST_TABLES]]
    if not has_names:  # short ones share a line
        lines = [" · ".join(lines[start : start + 2]) for start in range(0, len(lines), 2)]
    signs = legend(tables, texts)
    return [*lines, f"-# {signs}"] if signs else lines


def legend(tables: Sequence[NightTable], texts: Texts) -> str:
    """Return an explanation of the less obvious signs in the results."""
    kinds = {table.ended_as for table in tables}
    return " · ".join(texts.t(words) for kind, words in _LEGEND.items() if kind in kinds)


def _latest(tables: Sequence[NightTable]) -> list[NightTable]:
    """Return the running tables, then the latest finished ones."""
    playing = [table for table in tables if table.result is None]
    ended = [table for table in reversed(tables) if table.result is not None]
    return [*playing, *ended[: max(0, MOST_NAMED - len(playing))]]


def _people(night: Night, last: NightRound, live: LiveTables, texts: Texts) -> list[str]:
    t, lines = texts.t, list[str]()
    open_tables = [table for table in last.tables if table.result is None]
    awaited = [name for table in open_tables for name in (live[table.number].awaited if table.number in live else ())]
    if awaited:
        lines.append(t("Awaited: {names}", names=w.truncated_list(awaited, _MOST_AWAITED, texts)))
    elif open_tables and len(open_tables) < len(last.tables):
        numbers = ", ".join(str(table.number) for table in open_tables[:_MOST_AWAITED])
        count = len(open_tables)
        lines.append(
            texts.n("Still playing: table {numbers}", "Still playing: tables {numbers}", count, numbers=numbers)
        )
    waiting = [w.name_of(night, entrant) for entrant in format_of(night).queue(night)]
    if waiting:
        lines.append(t("In the queue: {names}", names=w.truncated_list(waiting, _MOST_AWAITED, texts)))
    elif last.byes:
        lines.append(t("No table this round: {names}", names=w.names_of(night, last.byes, ", ")))
    absent = [w.name_of(night, entrant) for entrant in night.entrants if entrant.presence is Presence.ABSENT]
    if absent:
        names = w.truncated_list(absent, _MOST_AWAITED, texts)
        lines.append(texts.n("Absent: {names}", "Absent: {names}", len(absent), names=names))
    return lines


def _buttons(night: Night, texts: Texts) -> list[c.Row]:
    t, is_over = texts.t, night.status is NightStatus.OVER
    looks = [button("🏅 " + t("Standings"), PlayerVerb.STANDINGS, night.id, 0)]
    if any(table.result is not None for table in night.all_tables):
        looks.append(button("🎞 " + t("Replays"), PlayerVerb.REPLAYS, night.id, 0))
    if night.round is not None and len(night.round.tables) > MOST_NAMED and not is_over:
        looks.append(button("🗂 " + t("Tables"), PlayerVerb.TABLES, night.id, 0))
    if not is_over or can_correct(night):
        looks.append(button(t("Host…"), HostVerb.HOST, night.id))
    playing = c.row(
        button(t("My table"), PlayerVerb.MINE, night.id, style=c.PRIMARY),
        button(t("Join"), PlayerVerb.JOIN, night.id, style=c.SUCCESS),
        button(t("Leave the night"), PlayerVerb.LEAVE, night.id),
    )
    return [c.row(*looks)] if is_over else [playing, c.row(*looks)]
