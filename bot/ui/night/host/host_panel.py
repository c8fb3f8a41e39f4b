"""The host's panel of a night: its pages, confirmations and modals."""

from typing import Final

import discord

from bot.discord.api import components as c
from bot.discord.api.components import confirmation, danger
from bot.discord.api.modals import Modal
from bot.discord.interactions.feature import MAX_CHOICE
from bot.discord.text.text_width import truncate
from bot.discord.text.texts import Texts
from bot.game.value import stamp
from bot.nights.changes import HostStep, StepKind
from bot.nights.night import Night, NightStatus
from bot.nights.rounds import NightRound, NightTable
from bot.nights.steps import can_correct, last_step, step_subject
from bot.ui.night import words as w
from bot.ui.night.board import opening_lines, table_line
from bot.ui.night.host.host_steps import BAN_DAYS, back, is_past, log_line, past_words, step_button, step_words
from bot.ui.night.sign_up import answer_lines, lost_role_line, sign_up_lines, spare_buttons
from bot.ui.night.verbs import DATE, SERIES, HostVerb, PlanVerb, button, night_id, seen
from bot.ui.words.table_text import signed_points

LOGGED: Final = 5
MOST_MENUS: Final = 3
MOST_ADDED: Final = 10
MINUTES: Final = (5, 10)
SCORES: Final = "scores"
_MOST_SCORES: Final = 20
_WIDEST: Final = 36
"""Number of characters of a button that fit on a line of a phone."""
REASON: Final = "reason"
LETTER: Final = "letter"
MOST_WRITTEN: Final = 400
_ON_PAGE: Final = w.MOST_OFFERED * MOST_MENUS


def host_panel(night: Night, texts: Texts, notice: str | None = None, event_fault: str | None = None) -> c.Layout:
    """Return the panel of the host.

    - `notice`: what the last press did, or why it did nothing.
    - `event_fault`: what is wrong with the server event.
    """
    parts: list[c.Part] = [c.text(notice, event_fault, f"**🛠 {w.title_of(night.plan)}**", *_state(night, texts))]
    if event_fault is not None and night.status is NightStatus.PLANNED:
        parts.append(c.row(button(texts.t("Make the event again"), HostVerb.EVENT, night.id)))
    if night.status is NightStatus.RUNNING:
        kind = StepKind.PAUSE_ALL if night.paused_at is None else StepKind.RESUME_ALL
        times = [HostStep(StepKind.ADD_TIME, minutes=minutes) for minutes in MINUTES]
        people = night_id(HostVerb.PEOPLE, night.id)
        parts.append(c.row(
            step_button(HostStep(kind), night, texts, c.PRIMARY), *(step_button(step, night, texts) for step in times)
        ))  # fmt: skip
        parts.append(c.user_menu(people, texts.t("Remove one, or swap two…"), most=2))
        if night.is_unplaced:
            places = night_id(HostVerb.PLACE, night.id, seen(HostVerb.PLACE, night))
            other = texts.t("Another channel for the tables…")
            parts.append(c.channel_menu(places, other, (discord.ChannelType.text.value,), most=1, chosen=()))
    if night.status is NightStatus.PLANNED:
        parts += _before(night, texts)
    if night.status is NightStatus.RUNNING or can_correct(night):
        *past, latest = _pages(night)
        parts += _tables(night, *latest, texts)
        options = [c.option(_page_words(night, *page, texts), _page_value(*page)) for page in reversed(past)]
        if options:
            rounds = night_id(HostVerb.ROUND, night.id)
            parts.append(c.menu(rounds, texts.t("Earlier tables…"), options[: w.MOST_OFFERED]))
    logged = [log_line(done, night, texts) for done in night.steps[-LOGGED:]]
    if logged:
        parts.append(c.text("-# " + texts.t("Latest steps"), *(f"-# {line}" for line in logged)))
    return c.layout(*parts, *_below(night, texts), colour=c.GREEN)


def round_panel(night: Night, night_round: NightRound, start: int, texts: Texts) -> c.Layout:
    """Return a menu of the round's tables from `start` on (counted from 0), to choose the one to correct."""
    note = "-# " + past_words(night, texts) if is_past(night, night_round.number) else None
    heading = c.text(f"**🛠 {_page_words(night, night_round, start, texts)}**", note)
    return c.layout(heading, *_tables(night, night_round, start, texts), c.row(back(night, texts)), colour=c.GREEN)


def table_panel(
    night: Night, table: NightTable, texts: Texts, notice: str | None = None, of: int | None = None
) -> c.Layout:
    """Return the panel of a table in round `of`, by default the last round."""
    t = texts.t
    result = t("A match runs at table {number}.", number=table.number)
    if table.table_id is None:
        result = t("Nothing is played at table {number} yet.", number=table.number)
    if table.result is not None:
        result = t("There is already a result: a new one replaces it.")
    where = of or len(night.rounds), table.number
    buttons = [button(t("Enter the result…"), HostVerb.RESULT, night.id, *where, style=c.PRIMARY)]
    if is_past(night, of):
        result = past_words(night, texts)
    elif night.status is NightStatus.RUNNING:
        if table.result is None and night.paused_at is None:
            kind = StepKind.PAUSE_TABLE if table.paused_at is None else StepKind.RESUME_TABLE
            buttons.append(step_button(HostStep(kind, table=table.number), night, texts))
        buttons.append(step_button(HostStep(StepKind.RESTART_TABLE, table=table.number), night, texts))
    heading = c.text(notice, table_line(night, table), "-# " + result)
    return c.layout(heading, *c.rows([*buttons, back(night, texts)], 2), colour=c.GREEN)


def result_form(night: Night, table: NightTable, texts: Texts, of: int | None = None) -> Modal:
    """Return the modal for the scores of a table by team; a hint names the people of each team."""
    t, entered = texts.t, HostStep(StepKind.ENTER_RESULT, round=of or len(night.rounds), table=table.number)
    answers = night_id(HostVerb.SCORES, night.id, entered.round, table.number, stamp(step_subject(night, entered)))
    form = Modal(t("Table {number}", number=table.number), answers)
    written = "" if table.result is None else " ".join(map(str, table.result.scores))
    label, hint = t("Points of each team, such as 10 7"), w.as_labels(night, table)
    return form.add_text_input(label, name=SCORES, hint=hint, written=written, most=_MOST_SCORES)


def cancel_question(night: Night, texts: Texts) -> c.Layout:
    """Return the question whether to cancel a night; for a weekly night, this date or the whole series."""
    t, now = texts.t, seen(HostVerb.CANCEL_NOW, night)
    costs, count = list[str](), len(night.present)
    if night.status is NightStatus.RUNNING:
        costs = [t("Its tables are closed, and it goes into no history."), t("*End the night…* keeps what was played.")]
    elif count:
        costs = [
            texts.n(
                "{count} person who signed up gets a message.", "{count} people who signed up get a message.", count
            )
        ]
    labels = {DATE: t("Cancel the night…")}
    if night.plan.is_weekly:
        labels = {DATE: t("This date"), SERIES: t("The whole series")}
        costs.append(t("*This date* leaves the following weeks as they are; *The whole series* ends them."))
    return confirmation(
        t("Cancel the night “{title}”?", title=w.title_of(night.plan)),
        [*costs, t("Its message says that it is cancelled."), t("This is final.")],
        *(danger(label, night_id(HostVerb.CANCEL, night.id, what, now)) for what, label in labels.items()),
        no=back(night, texts),
    )


def spare_question(night: Night, pressed: str, seating: str, stamp: str, texts: Texts) -> c.Layout:
    """Return the question whether a change that reduces byes is for this date, or for the whole series.

    Args:
        night: The night.
        pressed: What the host has pressed, in words.
        seating: The argument of that button: a size of tables, or `robots`.
        stamp: The stamp of what it changes.
        texts: The host's texts.
    """
    t = texts.t
    labels = {DATE: t("This date"), SERIES: t("The whole series")}
    return confirmation(
        "🛠 " + t("{step}?", step=pressed),
        [t("*This date* leaves the following weeks as they are; *The whole series* changes them, too.")],
        *(button(label, HostVerb.SPARE, night.id, seating, stamp, what) for what, label in labels.items()),
        no=back(night, texts),
    )


def reason_form(night: Night, what: str, stamp: str, texts: Texts) -> Modal:
    """Return the modal that asks why a night or series is cancelled.

    Args:
        night: The night.
        what: What is cancelled: `DATE` or `SERIES`.
        stamp: The stamp of the confirmation's subject.
        texts: The host's texts.
    """
    form = Modal(texts.t("Cancel the night"), night_id(HostVerb.CANCEL_NOW, night.id, what, stamp))
    label, hint = texts.t("Why? (optional)"), texts.t("Everybody who signed up reads it.")
    return form.add_text_input(label, name=REASON, hint=hint, most=w.MAX_REASON, is_required=False)


def ban_form(night: Night, number: str, texts: Texts) -> Modal:
    """Return the modal that asks why an entrant is banned; `number` is the entrant's."""
    form = Modal(texts.t("Ban for {days} days", days=BAN_DAYS), night_id(HostVerb.BAN_NOW, night.id, number))
    label, hint = texts.t("Why? (optional)"), texts.t("They will read it.")
    return form.add_text_input(label, name=REASON, hint=hint, most=w.MAX_REASON, is_required=False)


def letter_form(night: Night, texts: Texts) -> Modal:
    """Return the modal for a message to all entrants."""
    form = Modal(texts.t("Write to all"), night_id(HostVerb.WRITTEN, night.id))
    hint = texts.t("Everybody who is signed up is mentioned in the night's channel.")
    return form.add_text_input(texts.t("Your message"), name=LETTER, hint=hint, most=MOST_WRITTEN, is_long=True)


def _before(night: Night, texts: Texts) -> list[c.Part]:
    t, has_pairs = texts.t, night.plan.format.has_pairs
    choose = t("Remove one, or pair two…") if has_pairs else t("Remove somebody…")
    buttons = [
        step_button(HostStep(StepKind.START), night, texts, c.PRIMARY),
        button(t("Edit…"), PlanVerb.EDIT, night.id),
    ]
    if night.signed_up:
        buttons.append(button(t("Who comes…"), HostVerb.SIGNED_UP, night.id, 0))
    return [
        c.user_menu(night_id(HostVerb.ADD, night.id), t("Sign somebody up…"), most=MOST_ADDED),
        c.user_menu(night_id(HostVerb.PEOPLE, night.id), choose, most=1 + has_pairs),
        *c.rows([*buttons, *spare_buttons(night, texts)], 2),
    ]


def _state(night: Night, texts: Texts) -> list[str | None]:
    t, last = texts.t, night.round
    if last is None:
        above = lost_role_line(night, texts), w.entry_line(night.plan, texts)
        rests = w.rests_line(night.plan, len(night.present), texts)
        return [*above, *sign_up_lines(night, texts), *answer_lines(night, texts), rests]
    done = sum(table.result is not None for table in last.tables)
    sentence = t("results: {done} of {tables}", done=done, tables=len(last.tables))
    lines: list[str | None] = [f"{w.round_name(night, last, texts)} · {sentence}", *opening_lines(night, texts)]
    still = [t("Table {number}", number=table.number) for table in last.tables if table.paused_at is not None]
    if still:
        lines.append(f"⏸ {', '.join(still)}")
    if last.byes:
        lines.append("-# " + t("Without a table: {names}", names=w.names_of(night, last.byes, ", ")))
    return lines


def _pages(night: Night) -> list[tuple[NightRound, int]]:
    """Return the rounds with their tables, as many as menus hold: the number of the first table of each page."""
    return [(each, start) for each in night.rounds for start in range(0, len(each.tables) or 1, _ON_PAGE)]


def page_of(night: Night, value: str | None) -> tuple[NightRound, int] | None:
    """Return the round and its first table (counted from 0) of a value in the menu of rounds; None for other values."""
    return next((page for page in _pages(night) if _page_value(*page) == value), None)


def _page_words(night: Night, night_round: NightRound, start: int, texts: Texts) -> str:
    name = w.round_name(night, night_round, texts)
    if len(night_round.tables) <= _ON_PAGE:
        return name
    last = min(start + _ON_PAGE, len(night_round.tables))
    return f"{name} · " + texts.t("Tables {first} to {last}…", first=start + 1, last=last).rstrip("…")


def _page_value(night_round: NightRound, start: int) -> str:
    return f"{night_round.number}.{start}"


def _tables(night: Night, night_round: NightRound, start: int, texts: Texts) -> list[c.Part]:
    t, parts, on_page = texts.t, list[c.Part](), night_round.tables[start : start + _ON_PAGE]
    for first in range(0, len(on_page), w.MOST_OFFERED):
        tables = on_page[first : first + w.MOST_OFFERED]
        is_running = night.status is NightStatus.RUNNING and not is_past(night, night_round.number)
        placeholder = t("A table: result, pause…") if is_running else t("A table: its result…")
        if len(on_page) > w.MOST_OFFERED:
            placeholder = t("Tables {first} to {last}…", first=tables[0].number, last=tables[-1].number)
        options = []
        for table in tables:
            label, people = t("Table {number}", number=table.number), truncate(w.as_labels(night, table), MAX_CHOICE)
            if table.result is not None:
                label += " · " + " — ".join(map(signed_points, table.result.scores))
            elif table.paused_at is not None:
                label = f"⏸ {label}"
            options.append(c.option(label, str(table.number), description=people))
        parts.append(
            c.menu(night_id(HostVerb.TABLE, night.id, night_round.number, start + first), placeholder, options)
        )
    return parts


def _below(night: Night, texts: Texts) -> list[c.Row]:
    t, place = texts.t, last_step(night)
    undo, buttons = list[c.Row](), list[c.Button]()
    step = None if place is None else night.steps[place].step
    is_late = can_correct(night) and step is not None and step.kind is StepKind.ENTER_RESULT
    if step is not None and (not night.is_finished or is_late):
        words = step_words(step, night, texts).replace("\\", "")
        label = truncate(t("↩ Undo: {step}", step=words), _WIDEST)
        undo.append(c.row(button(label, HostVerb.UNDO, night.id, place)))
    if night.status is NightStatus.RUNNING and not night.is_closing:
        buttons.append(step_button(HostStep(StepKind.END_EARLY), night, texts))
    if night.status is NightStatus.RUNNING:
        buttons.append(button(t("Who comes…"), HostVerb.SIGNED_UP, night.id, 0))
    if not night.is_finished:
        buttons.append(button(t("Write to all…"), HostVerb.WRITE, night.id))
        buttons.append(button(t("Cancel the night…"), HostVerb.CANCEL, night.id, style=c.DANGER))
    return [*undo, *c.rows(buttons, 2)]
