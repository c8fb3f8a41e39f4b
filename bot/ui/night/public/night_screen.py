"""A night's public message: who comes; then tables, scores, time and who leads; then the final standings."""

from collections.abc import Sequence
from typing import Final

from bot.nights.formats import format_of
from bot.nights.night import Night, NightStatus
from bot.nights.rounds import NightRound, NightTable, Presence, ResultKind
from bot.nights.standings import Standing
from bot.nights.steps import can_correct
from bot.ui.kit import components as c
from bot.ui.kit.texts import Texts, mark
from bot.ui.night import words as w
from bot.ui.night.public.lists import LiveTables, opening_lines, standing_lines, table_line
from bot.ui.night.verbs import HostVerb, PlayerVerb, button
from bot.ui.words.table_text import countdown

MOST_NAMES: Final = 60
MOST_NAMED: Final = 10
"""Up to so many tables are shown with their people; more of them with their score alone."""
MOST_TABLES: Final = 60
LEADERS: Final = 5
_MOST_AWAITED: Final = 12
_LEGEND: Final = {
    ResultKind.TIMED: mark("⏱ time was called"),
    ResultKind.ENTERED: mark("✎ entered by the host"),
    ResultKind.FORFEIT: mark("⚑ one side did not come"),
    ResultKind.DESERTED: mark("∅ nobody came: no points"),
}


# ---------------------------------------------------------------------- before it begins


def sign_up_screen(night: Night, texts: Texts, *, calls: int | None = None) -> c.Layout:
    """`calls` is a role that is mentioned when the message is posted."""
    t, plan, heading = texts.t, night.plan, f"## 🌙 {w.title_of(night.plan)}"
    if night.status is NightStatus.CANCELLED:
        said = t("This night is cancelled.")
        return c.layout(c.text(heading, f"~~{w.on_day(plan.starts_at)}~~ · {said}"), colour=c.GREY)
    joining = [
        button(t("Join"), PlayerVerb.JOIN, night.id, style=c.SUCCESS),
        button(t("Leave the night"), PlayerVerb.LEAVE, night.id),
    ]
    if plan.format.has_pairs:
        joining.append(button(t("Partner…"), PlayerVerb.MINE, night.id, style=c.PRIMARY))
    return c.layout(
        c.text(
            None if calls is None else f"<@&{calls}>",
            heading,
            f"**{w.on_day(plan.starts_at)}**",
            f"{countdown(plan.starts_at)} · {w.sign_up_words(plan, texts)}",
            w.how_line(plan, texts),
            w.night_rules_line(plan, texts),
            _notes(night, texts),
        ),
        c.text(*_sign_up_lines(night, texts)),
        c.row(*joining),
        c.row(
            button("📅 " + t("Calendar"), PlayerVerb.CALENDAR, night.id), button(t("Host…"), HostVerb.HOST, night.id)
        ),
        colour=c.GREEN,
    )


def _notes(night: Night, texts: Texts) -> str | None:
    t, plan = texts.t, night.plan
    notes = [] if night.host_id is None else [t("host: {name}", name=f"<@{night.host_id}>")]
    if plan.fills_with_robots:
        notes.append(t("robots fill free seats"))
    if plan.is_weekly:
        notes.append(t("every week"))
    return "-# " + " · ".join(notes) if notes else None


def _sign_up_lines(night: Night, texts: Texts) -> list[str]:
    """How many come and who, pairs together; who looks for a partner, who is asked, and who waits."""
    t, present = texts.t, night.present
    partners = {one.number: one.partner if night.plan.format.has_pairs else None for one in present}
    coming = [
        w.names_of(night, (number,) if partner is None else (number, partner))
        for number, partner in partners.items()
        if partner is None or number < partner
    ]
    seeking = [w.name_of(one) for one in present if one.seeks_partner and one.partner is None]
    # nobody is mentioned for being asked, so that the message says it
    asked = sorted({one.asks for one in present if one.asks is not None and one.partner is None})
    waiting = [w.name_of(one) for one in night.waiting]
    few = MOST_NAMES // 3
    lines = [
        texts.n("**{count} signed up**", "**{count} signed up**", len(present)),
        w.listed(coming, MOST_NAMES, texts) or t("Nobody yet: be the first."),
    ]
    if seeking:
        names = w.listed(seeking, few, texts)
        lines.append(
            texts.n("Looking for a partner: {names}", "Looking for a partner: {names}", len(seeking), names=names)
        )
    if asked:
        names = w.listed([w.name_of(night.entrants[number]) for number in asked], few, texts)
        lines.append(texts.n("Has been asked: {names}", "Have been asked: {names}", len(asked), names=names))
    if waiting:
        lines.append(t("Waiting list ({count}): {names}", count=len(waiting), names=w.listed(waiting, few, texts)))
    return lines


# ---------------------------------------------------------------------- while it runs, and afterwards


def running_screen(
    night: Night, standings: Sequence[Standing], live: LiveTables, texts: Texts, *, threads_from: int | None = None
) -> c.Layout:
    """A night that runs or is over. `threads_from`: when Discord takes threads again, where it takes none now."""
    is_over, last = night.status is NightStatus.OVER, night.round
    parts: list[c.Part] = [c.text(f"## 🌙 {w.title_of(night.plan)}", *_clock(night, texts))]
    if last is not None and last.tables and not is_over:
        parts.append(c.text(*_table_lines(night, last, live, texts)))
        parts.append(c.text(*opening_lines(last, texts, threads_from), *_people(night, last, live, texts)))
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
    if night.paused_at is not None:
        said = t("⏸ **The night is paused.** All timers are stopped.")
    elif night.next_at is not None and last.is_over:
        said = t("next round {when}", when=f"**{countdown(night.next_at)}**")
    elif last.called_at is not None:
        said = t("⏱ **Time is called**: each table plays its running round to the end")
    elif last.ends_at is not None:
        when = f"**{countdown(last.ends_at)}**"
        said = t("the night ends {when}", when=when) if plan.format.is_open else t("the round ends {when}", when=when)
    else:
        said = t("each table plays to the end")
    return [f"**{w.round_name(night, last, texts)}** · {said}", small]


def _table_lines(night: Night, shown: NightRound, live: LiveTables, texts: Texts) -> list[str]:
    """A line each: its number, a link to where it is played, its people and its score."""
    tables = _latest(shown.tables) if night.plan.format.is_open else shown.tables
    has_names = len(tables) <= MOST_NAMED
    lines = [table_line(night, table, live.get(table.number), has_names=has_names) for table in tables[:MOST_TABLES]]
    if not has_names:  # short ones share a line
        lines = [" · ".join(lines[start : start + 2]) for start in range(0, len(lines), 2)]
    kinds = {table.result.kind for table in tables if table.result is not None}
    legend = [texts.t(words) for kind, words in _LEGEND.items() if kind in kinds]
    return [*lines, "-# " + " · ".join(legend)] if legend else lines


def _latest(tables: Sequence[NightTable]) -> list[NightTable]:
    """The tables that still play, then the latest that have ended."""
    playing = [table for table in tables if table.result is None]
    ended = [table for table in reversed(tables) if table.result is not None]
    return [*playing, *ended[: max(0, MOST_NAMED - len(playing))]]


def _people(night: Night, last: NightRound, live: LiveTables, texts: Texts) -> list[str]:
    t, lines = texts.t, list[str]()
    open_tables = [table for table in last.tables if table.result is None]
    awaited = [name for table in open_tables for name in (live[table.number].awaited if table.number in live else ())]
    if awaited:
        lines.append(t("Awaited: {names}", names=w.listed(awaited, _MOST_AWAITED, texts)))
    elif open_tables and len(open_tables) < len(last.tables):
        numbers = ", ".join(str(table.number) for table in open_tables[:_MOST_AWAITED])
        count = len(open_tables)
        lines.append(
            texts.n("Still playing: table {numbers}", "Still playing: tables {numbers}", count, numbers=numbers)
        )
    waiting = [w.name_of(entrant) for entrant in format_of(night).queue(night)]
    if waiting:
        lines.append(t("In the queue: {names}", names=w.listed(waiting, _MOST_AWAITED, texts)))
    elif last.byes:
        lines.append(t("No table this round: {names}", names=w.names_of(night, last.byes, ", ")))
    absent = [w.name_of(one) for one in night.entrants if one.presence is Presence.ABSENT]
    if absent:
        names = w.listed(absent, _MOST_AWAITED, texts)
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
