"""What the host of a night can do, in one private message, and the panel of one table."""

from typing import Final

from bot.nights.host_steps import HostStep, StepKind
from bot.nights.night import Night, NightStatus
from bot.nights.rounds import NightTable
from bot.nights.steps import can_correct, last_step
from bot.ui.kit import components as c
from bot.ui.kit.confirmation import confirmation, danger
from bot.ui.kit.forms import Form
from bot.ui.kit.palette import GREEN
from bot.ui.kit.texts import Texts
from bot.ui.night.host.host_steps_text import log_line, step_costs, step_label, step_words, write_step
from bot.ui.night.public.board_screen import opening_lines, table_line
from bot.ui.night.verbs import NightVerb, night_id
from bot.ui.night.words import as_labels, names_of, round_name, title_of

LOGGED: Final = 5
IN_MENU: Final = 25  # Discord's limit
MOST_MENUS: Final = 3
MINUTES: Final = (5, 10)
SCORES: Final = "scores"
_HARMLESS: Final = (StepKind.PAUSE_ALL, StepKind.RESUME_ALL, StepKind.ADD_TIME)
_MOST_SCORES: Final = 20
_WIDEST: Final = 40
"""Characters of a button that stand on a line of a phone."""


def host_panel(night: Night, texts: Texts, notice: str | None = None) -> c.Layout:
    """`notice` says what the press before did, or why it did nothing."""
    t = texts.t
    logged = [log_line(done, night, texts) for done in night.steps[-LOGGED:]]
    heading = [notice, f"**🛠 {title_of(night.plan)}**", _state(night, texts)]
    parts: list[c.Part] = [c.text(*heading)]
    if night.status is NightStatus.RUNNING:
        parts += _running(night, texts)
    if night.status is NightStatus.RUNNING or can_correct(night):
        parts += _tables(night, texts)
    if logged:
        parts.append(c.text("-# " + t("Latest steps"), *(f"-# {line}" for line in logged)))
    parts += _below(night, texts)
    return c.layout(*parts, colour=GREEN)


def table_panel(night: Night, table: NightTable, texts: Texts, notice: str | None = None) -> c.Layout:
    """One table of the running round: its people, its result, and what the host can do about it."""
    t = texts.t
    result = t("{number} is played there.", number=t("Table {number}", number=table.number))
    if table.result is not None:
        result = t("It has its result: entering another corrects it.")
    enter = night_id(NightVerb.RESULT, night.id, len(night.rounds), table.number)
    buttons = [c.button(t("Enter the result…"), enter, style=c.PRIMARY)]
    if night.status is NightStatus.RUNNING:
        restart = HostStep(StepKind.RESTART_TABLE, table=table.number)
        buttons.append(c.button(t("Deal it again…"), _ask(night, restart)))
    return c.layout(
        c.text(notice, table_line(night, table, None, has_names=True), "-# " + result),
        c.row(*buttons),
        c.row(_back(night, texts)),
        colour=GREEN,
    )


def result_form(night: Night, table: NightTable, texts: Texts) -> Form:
    """The scores of a table by team; its hint says who is in which."""
    t = texts.t
    form = Form(t("Table {number}", number=table.number), night_id(NightVerb.SCORES, night.id, len(night.rounds),
                                                                   table.number))  # fmt: skip
    written = "" if table.result is None else " ".join(map(str, table.result.scores))
    return form.ask(
        t("Points of each team, such as 10 7"), name=SCORES, hint=as_labels(night, table), written=written,
        most=_MOST_SCORES,
    )  # fmt: skip


def step_question(night: Night, step: HostStep, texts: Texts) -> c.Layout:
    """What a step does and costs, and the button that does it."""
    style = c.PRIMARY if step.kind in _HARMLESS else c.DANGER
    yes = c.button(texts.t("Do it"), night_id(NightVerb.STEP, night.id, write_step(step, night)), style=style)
    title = f"🛠 {begun(step_words(step, night, texts))}"
    return confirmation(title, step_costs(step, night, texts), yes, no=_back(night, texts))


def cancel_question(night: Night, texts: Texts) -> c.Layout:
    t = texts.t
    costs = [t("Nobody can sign up any more, and its message says that it is cancelled.")]
    if night.status is NightStatus.RUNNING:
        costs = [t("Its tables are closed, and it goes into no history."), t("*End early…* keeps what was played.")]
    return confirmation(
        t("Cancel {title}?", title=title_of(night.plan)),
        [*costs, t("This cannot be undone.")],
        danger(t("Cancel the night"), night_id(NightVerb.CANCEL_NOW, night.id)),
        no=_back(night, texts),
    )


def _back(night: Night, texts: Texts) -> c.Button:
    return c.button(texts.t("Back"), night_id(NightVerb.HOST, night.id))


def _state(night: Night, texts: Texts) -> str:
    t, last = texts.t, night.round
    if last is None:
        return texts.n("**{count} signed up**", "**{count} signed up**", len(night.present))
    done = sum(table.result is not None for table in last.tables)
    said = t("results: {done} of {tables}", done=done, tables=len(last.tables))
    lines = [f"{round_name(night, last, texts)} · {said}", *opening_lines(last, texts)]
    if last.byes:
        lines.append("-# " + t("Without a table: {names}", names=names_of(night, last.byes, ", ")))
    return "\n".join(lines)


def _running(night: Night, texts: Texts) -> list[c.Part]:
    t = texts.t
    kind = StepKind.PAUSE_ALL if night.paused_at is None else StepKind.RESUME_ALL
    steps = [c.button(step_label(kind, texts), _ask(night, HostStep(kind)), style=c.PRIMARY)]
    for minutes in MINUTES:
        step = HostStep(StepKind.ADD_TIME, minutes=minutes)
        steps.append(c.button(t("+{minutes} min", minutes=minutes), _ask(night, step)))
    return [
        c.row(*steps),
        c.user_menu(night_id(NightVerb.PEOPLE, night.id), t("One to drop, or two to swap…"), most=2),
    ]


def _tables(night: Night, texts: Texts) -> list[c.Part]:
    """The tables of the last round; once the night is over, their results may be corrected until its recap."""
    t, parts = texts.t, list[c.Part]()
    tables = () if night.round is None else night.round.tables
    if len(tables) > IN_MENU * MOST_MENUS:  # a lounge goes on and on
        tables = tables[-IN_MENU * MOST_MENUS :]
    for start in range(0, len(tables), IN_MENU):
        shown = tables[start : start + IN_MENU]
        placeholder = t("A table: result, deal again…")
        if len(tables) > IN_MENU:
            placeholder = t("Tables {first} to {last}…", first=shown[0].number, last=shown[-1].number)
        options = [
            c.option(
                t("Table {number}", number=table.number), str(table.number),
                description=_cut(as_labels(night, table)),
            )
            for table in shown
        ]  # fmt: skip
        parts.append(c.menu(night_id(NightVerb.TABLE, night.id, start), placeholder, options))
    return parts


def _below(night: Night, texts: Texts) -> list[c.Row]:
    t, done = texts.t, last_step(night)
    buttons = list[c.Button]()
    is_late = can_correct(night) and done is not None and done.step.kind is StepKind.ENTER_RESULT
    if done is not None and (not night.is_finished or is_late):
        label = t("↩ Take back: {step}", step=_plain(step_words(done.step, night, texts)))
        buttons.append(c.button(_cut(label, _WIDEST), night_id(NightVerb.UNDO, night.id, done.at)))
    if night.status is NightStatus.RUNNING and not night.is_closing:
        step = HostStep(StepKind.END_EARLY)
        buttons.append(c.button(step_label(StepKind.END_EARLY, texts), _ask(night, step)))
    if not night.is_finished:
        buttons.append(c.button(t("Cancel the night…"), night_id(NightVerb.CANCEL, night.id), style=c.DANGER))
    return c.rows(buttons, 2)


def _ask(night: Night, step: HostStep) -> str:
    return night_id(NightVerb.ASK_STEP, night.id, write_step(step, night))


def _cut(words: str, most: int = 100) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def begun(words: str) -> str:
    """Words as the beginning of a line."""
    return words[:1].upper() + words[1:]


def _plain(words: str) -> str:
    return words.replace("\\", "")
