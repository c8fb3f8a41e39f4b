"""The live board of a night: one public message with tables, scores, time, who is awaited, and who leads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.nights.course import queue
from bot.nights.entrants import Presence
from bot.nights.night import Night, NightStatus
from bot.nights.plan import Format
from bot.nights.rounds import How, NightRound, NightTable
from bot.nights.standings import Standing
from bot.nights.steps import can_correct
from bot.ui.kit import components as c
from bot.ui.kit.palette import BLUE, GOLD
from bot.ui.kit.texts import Texts, mark
from bot.ui.night.public.standings_screen import standing_lines
from bot.ui.night.verbs import NightVerb, night_id
from bot.ui.night.words import listed, name_at, name_of, names_of, night_rules_line, round_name, sides, title_of
from bot.ui.words.scores import scored, signed
from bot.ui.words.table_text import countdown

MOST_NAMED: Final = 10
"""Up to so many tables are shown with their people; more of them with their score alone."""
MOST_TABLES: Final = 60
LEADERS: Final = 5
_MOST_AWAITED: Final = 12
_HOW: Final = {
    How.PLAYED: "✓",
    How.TIMED: "⏱",
    How.ENTERED: "✎",
    How.FORFEIT: "⚑",
}
HOW_WORDS: Final = {
    How.TIMED: mark("⏱ time was called"),
    How.ENTERED: mark("✎ entered by the host"),
    How.FORFEIT: mark("⚑ one side did not come"),
}


@dataclass(frozen=True, slots=True)
class LiveTable:
    """What a running table shows: points by team, and the names of those who are awaited."""

    scores: tuple[int, ...]
    awaited: tuple[str, ...] = ()


LiveTables = Mapping[int, LiveTable]
"""The running tables of a night's last round, by number."""


def board_screen(
    night: Night, standings: Sequence[Standing], live: LiveTables, texts: Texts, *, threads_from: int | None = None
) -> c.Layout:
    """A night that runs or is over. `threads_from`: when Discord takes threads again, where it takes none now."""
    parts: list[c.Part] = [c.text(f"## 🌙 {title_of(night.plan)}", *_clock(night, texts))]
    last = night.round
    if last is not None and last.tables and night.status is not NightStatus.OVER:
        parts.append(c.text(*table_lines(night, last, live, texts)))
        parts.append(c.text(*opening_lines(last, texts, threads_from), *_people(night, last, live, texts)))
    leaders = standing_lines(night, standings[:LEADERS], texts)
    if leaders:
        title = texts.t("Final standings") if night.status is NightStatus.OVER else texts.t("Standings")
        parts.append(c.text(f"**{title}**", *leaders))
    parts += _buttons(night, texts)
    return c.layout(
        *(part for part in parts if part.get("content", True)),
        colour=GOLD if night.status is NightStatus.OVER else BLUE,
    )


def table_lines(night: Night, shown: NightRound, live: LiveTables, texts: Texts) -> list[str]:
    """A line each: its number, a link to where it is played, its people and its score."""
    tables = shown.tables if night.plan.format is not Format.LOUNGE else _latest(shown.tables)
    has_names = len(tables) <= MOST_NAMED
    lines = [table_line(night, table, live.get(table.number), has_names=has_names) for table in tables[:MOST_TABLES]]
    if not has_names:  # short ones share a line
        lines = [" · ".join(lines[start : start + 2]) for start in range(0, len(lines), 2)]
    hows = {table.result.how for table in tables if table.result is not None}
    legend = [texts.t(words) for how, words in HOW_WORDS.items() if how in hows]
    return [*lines, "-# " + " · ".join(legend)] if legend else lines


def table_line(night: Night, table: NightTable, live: LiveTable | None, *, has_names: bool) -> str:
    """`**3** <#9> Ana & Bruno · **4 — 2** · Chloé & Dora ✓`."""
    scores = table.result.scores if table.result is not None else None if live is None else live.scores
    end = "" if table.result is None else f" {_HOW[table.result.how]}"
    start = f"**{table.number}**" + ("" if table.thread_id is None else f" <#{table.thread_id}>")
    if has_names:
        people = sides(night, table)
        said = " — ".join(people) if scores is None else scored(people, scores)
    else:
        said = "…" if scores is None else f"**{' — '.join(map(signed, scores))}**"
    return f"{start} {said}{end}"


def opening_lines(last: NightRound, texts: Texts, threads_from: int | None = None) -> list[str]:
    """How many tables of a round have no thread yet while others have, and when they get one."""
    count = sum(table.thread_id is None and table.result is None for table in last.tables)
    if not count or count == len(last.tables):
        return []
    line = texts.n("{count} table opens in a moment.", "{count} tables open in a moment.", count)
    if threads_from is not None:
        line = texts.n(
            "Discord takes no more threads at once: {count} table opens {when}.",
            "Discord takes no more threads at once: {count} tables open {when}.",
            count,
            when=countdown(threads_from),
        )
    return [f"⏳ {line}"]


def _latest(tables: Sequence[NightTable]) -> list[NightTable]:
    """The tables of a lounge that still play, then the latest that have ended."""
    playing = [table for table in tables if table.result is None]
    ended = [table for table in reversed(tables) if table.result is not None]
    return [*playing, *ended[: max(0, MOST_NAMED - len(playing))]]


def _clock(night: Night, texts: Texts) -> list[str]:
    """Which round it is, and how long it lasts."""
    t, last, plan = texts.t, night.round, night.plan
    small = "-# " + night_rules_line(plan, texts)
    if night.status is NightStatus.OVER:
        return [t("**The night is over.** Thank you for playing!"), small]
    if last is None:
        return [t("**It begins now.** The tables are being drawn…"), small]
    name = round_name(night, last, texts)
    if night.paused_at is not None:
        said = t("⏸ **Paused by the host.** All timers are stopped.")
    elif night.next_at is not None and last.is_over:
        said = t("next round {when}", when=f"**{countdown(night.next_at)}**")
    elif last.called_at is not None:
        said = t("⏱ **Time is called**: each table plays its running round to the end")
    elif last.ends_at is not None:
        said = t("time is called {when}", when=f"**{countdown(last.ends_at)}**")
    else:
        said = t("each table plays to the end")
    return [f"**{name}** · {said}", small]


def _people(night: Night, last: NightRound, live: LiveTables, texts: Texts) -> list[str]:
    """Who is awaited, who has no table, who is absent, and how many wait."""
    t, lines = texts.t, list[str]()
    open_tables = [table for table in last.tables if table.result is None]
    awaited = [name for table in open_tables for name in (live[table.number].awaited if table.number in live else ())]
    if awaited:
        lines.append(t("Awaited: {names}", names=listed(awaited, _MOST_AWAITED, texts)))
    elif open_tables and len(open_tables) < len(last.tables):
        numbers = ", ".join(str(table.number) for table in open_tables[:_MOST_AWAITED])
        lines.append(texts.n("Still playing: table {numbers}", "Still playing: tables {numbers}", len(open_tables),
                             numbers=numbers))  # fmt: skip
    waiting = [name_of(entrant) for entrant in queue(night)] if night.plan.format is Format.LOUNGE else []
    if waiting:
        lines.append(t("In the queue: {names}", names=listed(waiting, _MOST_AWAITED, texts)))
    elif last.byes:
        lines.append(t("No table this round: {names}", names=names_of(night, last.byes, ", ")))
    absent = [name_at(night, one.number) for one in night.entrants if one.presence is Presence.ABSENT]
    if absent:
        lines.append(t("Absent: {names}", names=listed(absent, _MOST_AWAITED, texts)))
    return lines


def _buttons(night: Night, texts: Texts) -> list[c.Row]:
    t, night_number = texts.t, night.id

    def button(label: str, verb: NightVerb, *more: object, style: c.Style = c.SECONDARY) -> c.Button:
        return c.button(label, night_id(verb, night_number, *more), style=style)

    looks = [button("🏅 " + t("Standings"), NightVerb.STANDINGS, 0)]
    if any(table.result is not None for each in night.rounds for table in each.tables):
        looks.append(button("🎞 " + t("Replays"), NightVerb.REPLAYS, 0))
    if night.status is NightStatus.OVER:
        if can_correct(night):
            looks.append(button(t("Host…"), NightVerb.HOST))
        return [c.row(*looks)]
    if night.round is not None and len(night.round.tables) > MOST_NAMED:
        looks.append(button("🗂 " + t("Tables"), NightVerb.TABLES, 0))
    first = [
        button(t("My table"), NightVerb.MINE, style=c.PRIMARY),
        button(t("Join"), NightVerb.JOIN, style=c.SUCCESS),
        button(t("Leave"), NightVerb.LEAVE),
    ]
    return [c.row(*first), c.row(*looks, button(t("Host…"), NightVerb.HOST))]
