"""What the host of a night can do: the panel, each step in words and in custom ids, and the presses.

Each step is asked once, then done and logged. Those who manage the server may do all of it, too.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord

from bot.nights.changes import DoneStep, HostStep, NightCode, StepKind
from bot.nights.night import Night, NightStatus
from bot.nights.rounds import NightTable
from bot.nights.steps import can_correct, last_step
from bot.tables.bans import BannedError
from bot.tables.clock import Clock
from bot.ui.admission.admission import manages_server, or_later
from bot.ui.kit import components as c
from bot.ui.kit.components import confirmation, danger
from bot.ui.kit.custom_ids import Press, read_number
from bot.ui.kit.interactions import Form, chosen, filled, first_chosen, is_private, reader, say_outdated, show
from bot.ui.kit.names import clean
from bot.ui.kit.texts import Texts, mark
from bot.ui.night import words as w
from bot.ui.night.board import opening_lines, table_line
from bot.ui.night.night_reader import NightReader
from bot.ui.night.verbs import DATE, SERIES, TABLE, HostVerb, button, night_id, read_arg
from bot.ui.words.refusals import RefusedError, banned_text, lobby_refusal_text
from bot.ui.words.table_text import signed

LOGGED: Final = 5
MOST_MENUS: Final = 3
MINUTES: Final = (5, 10)
SCORES: Final = "scores"
_SCORE: Final = re.compile(r"(?<!\d)[-−]?\d{1,3}", re.ASCII)  # the bar of `10-7` is no minus
_MOST_SCORES: Final = 20
_WIDEST: Final = 40
"""Characters of a button that stand on a line of a phone."""
_NONE: Final = "-"
REASON: Final = "reason"
BAN_DAYS: Final = 30
_HARMLESS: Final = (StepKind.PAUSE_ALL, StepKind.RESUME_ALL, StepKind.ADD_TIME)
_LABELS: Final = {
    StepKind.PAUSE_ALL: mark("⏸ Pause"),
    StepKind.RESUME_ALL: mark("▶ Go on"),
    StepKind.ADD_TIME: mark("+{minutes} min"),
    StepKind.RESTART_TABLE: mark("Start the table again…"),
    StepKind.END_EARLY: mark("End the night…"),
}
_WORDS: Final = {
    StepKind.PAUSE_ALL: mark("all tables paused"),
    StepKind.RESUME_ALL: mark("all tables go on"),
    StepKind.ADD_TIME: mark("+{minutes} min"),
    StepKind.DROP: mark("{name} removed"),
    StepKind.ENTER_RESULT: mark("table {number}: {result}"),
    StepKind.RESTART_TABLE: mark("table {number} started again"),
    StepKind.END_EARLY: mark("end after this round"),
}
_COSTS: Final = {
    StepKind.PAUSE_ALL: mark("Every table and the round's time stand still until you go on."),
    StepKind.RESUME_ALL: mark("Every table and the round's time go on where they stopped."),
    StepKind.ADD_TIME: mark("The round becomes longer by so much; between two rounds, the break does."),
    StepKind.DROP: mark("They play no further round and cannot come back; what they have scored stays."),
    StepKind.SWAP: mark("They change places. Both tables start again, and what was scored there is lost."),
    StepKind.ENTER_RESULT: mark("The table is closed with this result, and it counts for the standings."),
    StepKind.RESTART_TABLE: mark("What was played at this table is lost."),
    StepKind.END_EARLY: mark("Each table plays its running round to the end, then the night is over."),
}


def host_panel(night: Night, texts: Texts, notice: str | None = None) -> c.Layout:
    """`notice` says what the press before did, or why it did nothing."""
    parts: list[c.Part] = [c.text(notice, f"**🛠 {w.title_of(night.plan)}**", *_state(night, texts))]
    if night.status is NightStatus.RUNNING:
        kind = StepKind.PAUSE_ALL if night.paused_at is None else StepKind.RESUME_ALL
        times = [HostStep(StepKind.ADD_TIME, minutes=minutes) for minutes in MINUTES]
        people = night_id(HostVerb.PEOPLE, night.id)
        parts.append(c.row(
            _step_button(HostStep(kind), night, texts, c.PRIMARY), *(_step_button(one, night, texts) for one in times)
        ))  # fmt: skip
        parts.append(c.user_menu(people, texts.t("Remove one person, or swap two…"), most=2))
    if night.status is NightStatus.RUNNING or can_correct(night):
        parts += _tables(night, texts)
    logged = [log_line(done, night, texts) for done in night.steps[-LOGGED:]]
    if logged:
        parts.append(c.text("-# " + texts.t("Latest steps"), *(f"-# {line}" for line in logged)))
    return c.layout(*parts, *_below(night, texts), colour=c.GREEN)


def table_panel(night: Night, table: NightTable, texts: Texts, notice: str | None = None) -> c.Layout:
    t = texts.t
    result = t("A match runs at table {number}.", number=table.number)
    if table.result is not None:
        result = t("There is a result already: a new one replaces it.")
    where = len(night.rounds), table.number
    buttons = [button(t("Enter the result…"), HostVerb.RESULT, night.id, *where, style=c.PRIMARY)]
    if night.status is NightStatus.RUNNING:
        buttons.append(_step_button(HostStep(StepKind.RESTART_TABLE, table=table.number), night, texts))
    said = c.text(notice, table_line(night, table), "-# " + result)
    return c.layout(said, c.row(*buttons), c.row(_back(night, texts)), colour=c.GREEN)


def result_form(night: Night, table: NightTable, texts: Texts) -> Form:
    """The scores of a table by team; its hint says who is in which."""
    t = texts.t
    answers = night_id(HostVerb.SCORES, night.id, len(night.rounds), table.number)
    form = Form(t("Table {number}", number=table.number), answers)
    written = "" if table.result is None else " ".join(map(str, table.result.scores))
    label, hint = t("Points of each team, such as 10 7"), w.as_labels(night, table)
    return form.ask(label, name=SCORES, hint=hint, written=written, most=_MOST_SCORES)


def _removal_question(night: Night, step: HostStep, texts: Texts, *, may_ban: bool) -> c.Layout:
    """Asks what a person is removed from."""
    t, word = texts.t, write_step(step, night)
    costs, yes = [t(_COSTS[step.kind])], [danger(t("From the night"), night_id(HostVerb.STEP, night.id, word))]
    if step.entrant is not None and night.table_of(step.entrant) is not None:
        costs.append(t("*And from their table*: a robot takes their seat, and a ranked match is lost for them."))
        yes.append(danger(t("And from their table"), night_id(HostVerb.STEP, night.id, word, TABLE)))
    if may_ban:
        costs.append(t("*For {days} days…*: no further table and no night of this server.", days=BAN_DAYS))
        yes.append(danger(t("For {days} days…", days=BAN_DAYS), night_id(HostVerb.BAN, night.id, step.entrant)))
    question = t("Remove {name} from the night?", name=w.name_at(night, step.entrant))
    return confirmation(f"🛠 {question}", costs, *yes, no=_back(night, texts))


def step_question(night: Night, step: HostStep, texts: Texts, *, may_ban: bool = False) -> c.Layout:
    """`may_ban` offers to remove a person from the whole server for a while."""
    if step.kind is StepKind.DROP:
        return _removal_question(night, step, texts, may_ban=may_ban)
    style = c.PRIMARY if step.kind in _HARMLESS else c.DANGER
    costs = [texts.t(_COSTS[step.kind])]
    if step.kind is StepKind.SWAP and night.plan.format.has_pairs:
        costs.append(texts.t("Each stands in for the other in this round: the points belong to those who play."))
    yes = button(texts.t("Confirm"), HostVerb.STEP, night.id, write_step(step, night), style=style)
    question = texts.t("{step}?", step=begun(step_words(step, night, texts)))
    return confirmation(f"🛠 {question}", costs, yes, no=_back(night, texts))


def cancel_question(night: Night, texts: Texts) -> c.Layout:
    t = texts.t
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
        *(danger(label, night_id(HostVerb.CANCEL, night.id, what)) for what, label in labels.items()),
        no=_back(night, texts),
    )


def reason_form(night: Night, what: str, texts: Texts) -> Form:
    form = Form(texts.t("Cancel the night"), night_id(HostVerb.CANCEL_NOW, night.id, what))
    label, hint = texts.t("Why? (optional)"), texts.t("Those who signed up read it.")
    return form.ask(label, name=REASON, hint=hint, most=w.MAX_REASON, is_required=False)


def ban_form(night: Night, number: str, texts: Texts) -> Form:
    form = Form(texts.t("Ban for {days} days", days=BAN_DAYS), night_id(HostVerb.BAN_NOW, night.id, number))
    label, hint = texts.t("Why? (optional)"), texts.t("The person reads it.")
    return form.ask(label, name=REASON, hint=hint, most=w.MAX_REASON, is_required=False)


def _back(night: Night, texts: Texts) -> c.Button:
    return button(texts.t("Back"), HostVerb.HOST, night.id)


def _step_button(step: HostStep, night: Night, texts: Texts, style: c.Style = c.SECONDARY) -> c.Button:
    """Asks before the step is done."""
    label = texts.t(_LABELS[step.kind], minutes=step.minutes)
    return button(label, HostVerb.ASK_STEP, night.id, write_step(step, night), style=style)


def _state(night: Night, texts: Texts) -> list[str]:
    t, last = texts.t, night.round
    if last is None:
        return [texts.n("**{count} signed up**", "**{count} signed up**", len(night.present))]
    done = sum(table.result is not None for table in last.tables)
    said = t("results: {done} of {tables}", done=done, tables=len(last.tables))
    lines = [f"{w.round_name(night, last, texts)} · {said}", *opening_lines(last, texts)]
    if last.byes:
        lines.append("-# " + t("Without a table: {names}", names=w.names_of(night, last.byes, ", ")))
    return lines


def _tables(night: Night, texts: Texts) -> list[c.Part]:
    t, parts = texts.t, list[c.Part]()
    tables = () if night.round is None else night.round.tables[-w.MOST_OFFERED * MOST_MENUS :]
    for start in range(0, len(tables), w.MOST_OFFERED):
        shown = tables[start : start + w.MOST_OFFERED]
        placeholder = t("A table: result, start again…")
        if len(tables) > w.MOST_OFFERED:
            placeholder = t("Tables {first} to {last}…", first=shown[0].number, last=shown[-1].number)
        options = []
        for table in shown:
            label, people = t("Table {number}", number=table.number), _cut(w.as_labels(night, table))
            options.append(c.option(label, str(table.number), description=people))
        parts.append(c.menu(night_id(HostVerb.TABLE, night.id, start), placeholder, options))
    return parts


def _below(night: Night, texts: Texts) -> list[c.Row]:
    t, done = texts.t, last_step(night)
    buttons = list[c.Button]()
    is_late = can_correct(night) and done is not None and done.step.kind is StepKind.ENTER_RESULT
    if done is not None and (not night.is_finished or is_late):
        words = step_words(done.step, night, texts).replace("\\", "")
        label = _cut(t("↩ Undo: {step}", step=words), _WIDEST)
        buttons.append(button(label, HostVerb.UNDO, night.id, done.at))
    if night.status is NightStatus.RUNNING and not night.is_closing:
        buttons.append(_step_button(HostStep(StepKind.END_EARLY), night, texts))
    if not night.is_finished:
        buttons.append(button(t("Cancel the night…"), HostVerb.CANCEL, night.id, style=c.DANGER))
    return c.rows(buttons, 2)


def _cut(words: str, most: int = 100) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def begun(words: str) -> str:
    """Words as the beginning of a line."""
    return words[:1].upper() + words[1:]


# ---------------------------------------------------------------------- steps


def write_step(step: HostStep, night: Night) -> str:
    """A step as a part of a custom id, with the round in which it was asked for."""
    numbers = (step.minutes, step.entrant, step.other, step.table)
    words = (step.kind.value, len(night.rounds), *(_NONE if one is None else one for one in numbers))
    return ".".join(map(str, (*words, "_".join(map(str, step.scores)) or _NONE)))


def read_step(word: str, night: Night) -> HostStep | None:
    """The step that a custom id asks for; None for a forged one, and for one of another round."""
    kind, *numbers = word.split(".")
    try:
        asked_in, minutes, entrant, other, table = (None if one == _NONE else int(one) for one in numbers[:-1])
        scores = () if numbers[-1] == _NONE else tuple(map(int, numbers[-1].split("_")))
        step = HostStep(StepKind(kind), minutes or 0, entrant, other, len(night.rounds) or None, table, scores)
    except ValueError:
        return None
    return step if asked_in == len(night.rounds) else None


def step_words(step: HostStep, night: Night, texts: Texts) -> str:
    """What a step does, in the middle of a line: `+5 min`, `Ana ⇄ Bruno`."""
    name, result = w.name_at(night, step.entrant), " — ".join(map(signed, step.scores))
    if step.kind is StepKind.SWAP:
        return f"{name} ⇄ {w.name_at(night, step.other)}"
    return texts.t(_WORDS[step.kind], minutes=step.minutes, name=name, number=step.table, result=result)


def log_line(done: DoneStep, night: Night, texts: Texts) -> str:
    """`21:34 Léa: +5 min`; struck through once it was taken back."""
    name = w.at_time(done.at) + ("" if done.by is None else f" <@{done.by}>")
    line = texts.t("{name}: {value}", name=name, value=step_words(done.step, night, texts))
    return line if done.taken_back_at is None else f"~~{line}~~"


# ---------------------------------------------------------------------- presses


class HostPresses:
    """Every press asks again whether its presser may decide: custom ids are no proof."""

    verbs = frozenset[str](HostVerb)

    def __init__(self, nights: NightReader, clock: Clock) -> None:
        self._nights = nights
        self._clock = clock

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        wanted, more = read_arg(press.arg) or (0, ())
        night, texts = await self._nights.hosted(interaction, wanted), reader(interaction)
        try:
            answer = await self._answer(interaction, night, press.verb, more, texts)
        except RefusedError as refusal:
            answer = host_panel(self._nights.live.night(night.id) or night, texts, str(refusal))
        if answer is None:
            await say_outdated(interaction)
        elif isinstance(answer, Form):
            await interaction.response.send_modal(answer)
        else:
            await show(interaction, answer)
        if press.verb in (HostVerb.GO_ON, HostVerb.CANCEL_NOW):
            await _settled(interaction)

    async def _answer(
        self, interaction: discord.Interaction, night: Night, verb: str, more: Sequence[str], texts: Texts
    ) -> c.Layout | Form | None:
        """What a press shows; None for one that is no longer offered. Raises RefusedError."""
        live, by = self._nights.live, interaction.user.id
        match verb, more:
            case HostVerb.HOST, ():
                return host_panel(night, texts, self._nights.warning(night, texts))
            case HostVerb.HOST, (number,):
                return table_panel(night, _table(night, number, texts), texts)
            case HostVerb.TABLE, _:
                return table_panel(night, _table(night, first_chosen(interaction), texts), texts)
            case HostVerb.PEOPLE, _:
                step = _people_step(interaction, night, texts)
                return step_question(night, step, texts, may_ban=manages_server(interaction))
            case HostVerb.ASK_STEP, (word,):
                return step_question(night, _step(night, word, texts), texts)
            case HostVerb.STEP, (word, *also):
                step = _step(night, word, texts)
                if step.kind is StepKind.DROP and also == [TABLE]:
                    refusal = await or_later(live.send_away(night, step.entrant, by))
                    if refusal is not None:
                        raise RefusedError(lobby_refusal_text(refusal, texts))
                done = w.granted(await or_later(live.step(night.id, step, by)), texts)
                return host_panel(done, texts, "✅ " + begun(step_words(step, night, texts)))
            case ((HostVerb.BAN | HostVerb.BAN_NOW), (number,)):
                if not manages_server(interaction):
                    raise RefusedError(texts.t("Only those who manage the server ban people."))
                if verb == HostVerb.BAN:
                    return ban_form(night, number, texts)
                banned = night.entrant(read_number(number))
                if banned is None or banned.user_id is None:
                    raise RefusedError(w.night_refusal_text(NightCode.UNKNOWN_ENTRANT, texts))
                reason = clean(filled(interaction).get(REASON, ""), w.MAX_REASON)
                ban = await or_later(self._nights.bans.ban(night.guild_id, banned.user_id, BAN_DAYS, by, reason))
                done = live.night(night.id) or night
                return host_panel(done, texts, banned_text(BannedError(banned.user_id, ban), by, texts))
            case HostVerb.RESULT, (_, number):
                return result_form(night, _table(night, number, texts), texts)
            case HostVerb.SCORES, (_, number):
                return _result_question(interaction, night, _table(night, number, texts), texts)
            case HostVerb.UNDO, (at,):
                last = last_step(night)
                if last is None or str(last.at) != at:  # a second press must not take back the step before
                    return host_panel(night, texts)
                done = w.granted(await or_later(live.take_back(night.id, by)), texts)
                return host_panel(done, texts, texts.t("Undone: {step}", step=step_words(last.step, night, texts)))
            case HostVerb.GO_ON, ():
                done = w.granted(await or_later(live.update(night.id, lambda one: replace(one, deserted=0))), texts)
                return host_panel(done, texts, texts.t("The series goes on."))
            case HostVerb.CANCEL, ():
                return cancel_question(night, texts)
            case HostVerb.CANCEL, (what,):
                return reason_form(night, what, texts)
            case HostVerb.CANCEL_NOW, (what,):
                now, reason = self._clock.now(), clean(filled(interaction).get(REASON, ""), w.MAX_REASON)
                ends = what == SERIES
                off = await or_later(live.update(night.id, lambda one: one.cancelled(now, reason, with_series=ends)))
                return host_panel(w.granted(off, texts), texts, texts.t("The night is cancelled."))
        return None


async def _settled(interaction: discord.Interaction) -> None:
    """Delete the question to the host that is answered, where it stands in the channel."""
    if interaction.message is not None and not is_private(interaction.message):
        with suppress(discord.HTTPException):
            await interaction.message.delete()


def _people_step(interaction: discord.Interaction, night: Night, texts: Texts) -> HostStep:
    """The step for the people who are chosen. Raises RefusedError for strangers to the night."""
    users = [read_number(one) for one in chosen(interaction)]
    found = [None if user_id is None else night.entrant_of(user_id) for user_id in users]
    match [None if one is None else one.number for one in found]:
        case [int(one)]:
            return HostStep(StepKind.DROP, entrant=one)
        case [int(one), int(other)]:
            return HostStep(StepKind.SWAP, entrant=one, other=other)
    raise RefusedError(w.night_refusal_text(NightCode.UNKNOWN_ENTRANT, texts))


def _result_question(interaction: discord.Interaction, night: Night, table: NightTable, texts: Texts) -> c.Layout:
    scores = tuple(int(word.replace("−", "-")) for word in _SCORE.findall(filled(interaction).get(SCORES, "")))
    if len(scores) != table.teams:
        return table_panel(night, table, texts, w.night_refusal_text(NightCode.WRONG_SCORES, texts))
    return step_question(night, HostStep(StepKind.ENTER_RESULT, table=table.number, scores=scores), texts)


def _step(night: Night, word: str, texts: Texts) -> HostStep:
    """The step of a custom id. Raises RefusedError for one that the night no longer offers."""
    step = read_step(word, night)
    if step is None or any(one is not None and night.entrant(one) is None for one in (step.entrant, step.other)):
        raise RefusedError(w.night_refusal_text(NightCode.CHANGED_MEANWHILE, texts))
    return step


def _table(night: Night, number: str, texts: Texts) -> NightTable:
    """A table of the running round. Raises RefusedError where there is none."""
    return w.granted(night.table(read_number(number) or 0) or NightCode.UNKNOWN_TABLE, texts)
