"""What the host of a night can do: the panel and its presses.

Each step is asked once, then done and logged. Those who manage the server may do all of it, too.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import discord

from bot.game.rules.house_rules import check_table, for_players
from bot.nights.changes import HostStep, NightCode, StepKind
from bot.nights.entry import NOTHING
from bot.nights.night import Night, NightStatus
from bot.nights.rounds import NightRound, NightTable
from bot.nights.sign_up import join
from bot.nights.steps import can_correct, elsewhere, last_step, seated_otherwise
from bot.tables.bans import BannedError
from bot.tables.clock import Clock
from bot.tables.hub import Moderated
from bot.ui.admission.budgets import Verb
from bot.ui.admission.patience import or_later
from bot.ui.admission.press_notes import asks_more, refused_for
from bot.ui.admission.rights import manages_server
from bot.ui.feature import MAX_CHOICE
from bot.ui.kit import components as c
from bot.ui.kit.components import confirmation, danger
from bot.ui.kit.custom_ids import Press, read_number
from bot.ui.kit.cutting import cut
from bot.ui.kit.interactions import (
    Form,
    chosen,
    chosen_members,
    filled,
    first_chosen,
    reader,
    say_outdated,
    show,
    time_of,
)
from bot.ui.kit.names import called, clean, prose
from bot.ui.kit.texts import Texts
from bot.ui.night import words as w
from bot.ui.night.board import opening_lines, table_line
from bot.ui.night.host_steps import (
    BAN_DAYS,
    back,
    begun,
    is_past,
    log_line,
    past_words,
    read_step,
    step_button,
    step_question,
    step_words,
)
from bot.ui.night.night_reader import NightReader
from bot.ui.night.plan.place import check_place
from bot.ui.night.players import Strength
from bot.ui.night.sign_up import answer_lines, lost_role_line, sign_up_lines, signed_up_screen, spare_buttons
from bot.ui.night.verbs import DATE, SERIES, TABLE, HostVerb, PlanVerb, button, night_id, read_arg
from bot.ui.words.refusals import RefusedError, banned_text, lobby_refusal_text
from bot.ui.words.table_text import signed

LOGGED: Final = 5
MOST_MENUS: Final = 3
MOST_ADDED: Final = 10
MINUTES: Final = (5, 10)
SCORES: Final = "scores"
_SCORE: Final = re.compile(r"(?<!\d)[-−]?\d{1,3}", re.ASCII)  # the bar of `10-7` is no minus
_MOST_SCORES: Final = 20
_WIDEST: Final = 36
"""Characters of a button that stand on a line of a phone."""
REASON: Final = "reason"
EVENT_S: Final = 1.5
"""How long Discord may take to make an event, of the three seconds until the answer."""
LETTER: Final = "letter"
MOST_WRITTEN: Final = 400
_ON_PAGE: Final = w.MOST_OFFERED * MOST_MENUS
Write = Callable[[Night, str, str], None]
"""Mentions everybody who is signed up with a line; the same nonce posts nothing twice. Returns at once."""


def host_panel(night: Night, texts: Texts, notice: str | None = None, event_fault: str | None = None) -> c.Layout:
    """`notice` says what the press before did, or why it did nothing; `event_fault`: what is wrong with the event."""
    parts: list[c.Part] = [c.text(notice, event_fault, f"**🛠 {w.title_of(night.plan)}**", *_state(night, texts))]
    if event_fault is not None and night.status is NightStatus.PLANNED:
        parts.append(c.row(button(texts.t("Make the event again"), HostVerb.EVENT, night.id)))
    if night.status is NightStatus.RUNNING:
        kind = StepKind.PAUSE_ALL if night.paused_at is None else StepKind.RESUME_ALL
        times = [HostStep(StepKind.ADD_TIME, minutes=minutes) for minutes in MINUTES]
        people = night_id(HostVerb.PEOPLE, night.id)
        parts.append(c.row(
            step_button(HostStep(kind), night, texts, c.PRIMARY), *(step_button(one, night, texts) for one in times)
        ))  # fmt: skip
        parts.append(c.user_menu(people, texts.t("Remove one, or swap two…"), most=2))
        if night.is_unplaced:
            places, other = night_id(HostVerb.PLACE, night.id), texts.t("Another channel for the tables…")
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


def round_panel(night: Night, shown: NightRound, start: int, texts: Texts) -> c.Layout:
    """The tables of a round, from one of them on, to choose one whose result is to be corrected."""
    note = "-# " + past_words(night, texts) if is_past(night, shown.number) else None
    said = c.text(f"**🛠 {_page_words(night, shown, start, texts)}**", note)
    return c.layout(said, *_tables(night, shown, start, texts), c.row(back(night, texts)), colour=c.GREEN)


def table_panel(
    night: Night, table: NightTable, texts: Texts, notice: str | None = None, of: int | None = None
) -> c.Layout:
    """A table of the round with the number `of`, by default of the last one."""
    t = texts.t
    result = t("A match runs at table {number}.", number=table.number)
    if table.table_id is None:
        result = t("Nothing is played at table {number} yet.", number=table.number)
    if table.result is not None:
        result = t("There is a result already: a new one replaces it.")
    where = of or len(night.rounds), table.number
    buttons = [button(t("Enter the result…"), HostVerb.RESULT, night.id, *where, style=c.PRIMARY)]
    if is_past(night, of):
        result = past_words(night, texts)
    elif night.status is NightStatus.RUNNING:
        if table.result is None and night.paused_at is None:
            kind = StepKind.PAUSE_TABLE if table.paused_at is None else StepKind.RESUME_TABLE
            buttons.append(step_button(HostStep(kind, table=table.number), night, texts))
        buttons.append(step_button(HostStep(StepKind.RESTART_TABLE, table=table.number), night, texts))
    said = c.text(notice, table_line(night, table), "-# " + result)
    return c.layout(said, *c.rows([*buttons, back(night, texts)], 2), colour=c.GREEN)


def result_form(night: Night, table: NightTable, texts: Texts, of: int | None = None) -> Form:
    """The scores of a table by team; its hint says who is in which."""
    t = texts.t
    answers = night_id(HostVerb.SCORES, night.id, of or len(night.rounds), table.number)
    form = Form(t("Table {number}", number=table.number), answers)
    written = "" if table.result is None else " ".join(map(str, table.result.scores))
    label, hint = t("Points of each team, such as 10 7"), w.as_labels(night, table)
    return form.ask(label, name=SCORES, hint=hint, written=written, most=_MOST_SCORES)


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
        no=back(night, texts),
    )


def reason_form(night: Night, what: str, texts: Texts) -> Form:
    form = Form(texts.t("Cancel the night"), night_id(HostVerb.CANCEL_NOW, night.id, what))
    label, hint = texts.t("Why? (optional)"), texts.t("Those who signed up read it.")
    return form.ask(label, name=REASON, hint=hint, most=w.MAX_REASON, is_required=False)


def ban_form(night: Night, number: str, texts: Texts) -> Form:
    form = Form(texts.t("Ban for {days} days", days=BAN_DAYS), night_id(HostVerb.BAN_NOW, night.id, number))
    label, hint = texts.t("Why? (optional)"), texts.t("The person reads it.")
    return form.ask(label, name=REASON, hint=hint, most=w.MAX_REASON, is_required=False)


def letter_form(night: Night, texts: Texts) -> Form:
    form = Form(texts.t("Write to all"), night_id(HostVerb.WRITTEN, night.id))
    hint = texts.t("Everybody who is signed up is mentioned in the night's channel.")
    return form.ask(texts.t("Your message"), name=LETTER, hint=hint, most=MOST_WRITTEN, is_long=True)


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
    said = t("results: {done} of {tables}", done=done, tables=len(last.tables))
    lines: list[str | None] = [f"{w.round_name(night, last, texts)} · {said}", *opening_lines(night, texts)]
    still = [t("Table {number}", number=table.number) for table in last.tables if table.paused_at is not None]
    if still:
        lines.append(f"⏸ {', '.join(still)}")
    if last.byes:
        lines.append("-# " + t("Without a table: {names}", names=w.names_of(night, last.byes, ", ")))
    return lines


def _pages(night: Night) -> list[tuple[NightRound, int]]:
    """The rounds with their tables, as many as menus hold: from which table on each page begins."""
    return [(each, start) for each in night.rounds for start in range(0, len(each.tables) or 1, _ON_PAGE)]


def _page_words(night: Night, shown: NightRound, start: int, texts: Texts) -> str:
    name = w.round_name(night, shown, texts)
    if len(shown.tables) <= _ON_PAGE:
        return name
    last = min(start + _ON_PAGE, len(shown.tables))
    return f"{name} · " + texts.t("Tables {first} to {last}…", first=start + 1, last=last).rstrip("…")


def _page_value(shown: NightRound, start: int) -> str:
    return f"{shown.number}.{start}"


def _tables(night: Night, shown: NightRound, start: int, texts: Texts) -> list[c.Part]:
    t, parts, on_page = texts.t, list[c.Part](), shown.tables[start : start + _ON_PAGE]
    for first in range(0, len(on_page), w.MOST_OFFERED):
        tables = on_page[first : first + w.MOST_OFFERED]
        is_running = night.status is NightStatus.RUNNING and not is_past(night, shown.number)
        placeholder = t("A table: result, pause…") if is_running else t("A table: its result…")
        if len(on_page) > w.MOST_OFFERED:
            placeholder = t("Tables {first} to {last}…", first=tables[0].number, last=tables[-1].number)
        options = []
        for table in tables:
            label, people = t("Table {number}", number=table.number), cut(w.as_labels(night, table), MAX_CHOICE)
            if table.result is not None:
                label += " · " + " — ".join(map(signed, table.result.scores))
            elif table.paused_at is not None:
                label = f"⏸ {label}"
            options.append(c.option(label, str(table.number), description=people))
        parts.append(c.menu(night_id(HostVerb.TABLE, night.id, shown.number, start + first), placeholder, options))
    return parts


def _below(night: Night, texts: Texts) -> list[c.Row]:
    t, done = texts.t, last_step(night)
    undo, buttons = list[c.Row](), list[c.Button]()
    is_late = can_correct(night) and done is not None and done.step.kind is StepKind.ENTER_RESULT
    if done is not None and (not night.is_finished or is_late):
        words = step_words(done.step, night, texts).replace("\\", "")
        label = cut(t("↩ Undo: {step}", step=words), _WIDEST)
        undo.append(c.row(button(label, HostVerb.UNDO, night.id, done.at)))
    if night.status is NightStatus.RUNNING and not night.is_closing:
        buttons.append(step_button(HostStep(StepKind.END_EARLY), night, texts))
    if night.status is NightStatus.RUNNING:
        buttons.append(button(t("Who comes…"), HostVerb.SIGNED_UP, night.id, 0))
    if not night.is_finished:
        buttons.append(button(t("Write to all…"), HostVerb.WRITE, night.id))
        buttons.append(button(t("Cancel the night…"), HostVerb.CANCEL, night.id, style=c.DANGER))
    return [*undo, *c.rows(buttons, 2)]


# ---------------------------------------------------------------------- presses


class HostPresses:
    """Every press asks again whether its presser may decide: custom ids are no proof."""

    verbs = frozenset[Verb](HostVerb)

    def __init__(self, nights: NightReader, clock: Clock, strength: Strength, write: Write) -> None:
        self._nights = nights
        self._clock = clock
        self._strength = strength
        self._write = write

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        wanted, more = read_arg(press.arg) or (0, ())
        night, texts = await self._nights.hosted(interaction, wanted), reader(interaction)
        try:
            answer = await self._answer(interaction, night, press, more, texts)
        except RefusedError as refusal:
            refused_for(str(refusal))
            answer = self._panel(self._nights.live.night(night.id) or night, texts, str(refusal))
        if answer is None:
            await say_outdated(interaction)
        elif isinstance(answer, Form):
            asks_more()
            await interaction.response.send_modal(answer if press.asked is None else answer.asked(press.asked))
        else:
            await show(interaction, answer)

    async def _answer(
        self, interaction: discord.Interaction, night: Night, press: Press, more: Sequence[str], texts: Texts
    ) -> c.Layout | Form | None:
        """What a press shows; None for one that is no longer offered. Raises RefusedError."""
        live, by, verb = self._nights.live, interaction.user.id, press.verb
        match verb, more:
            case HostVerb.HOST, ():
                night = await self._nights.without_gone(night)
                return self._panel(night, texts, self._nights.warning(night, texts))
            case HostVerb.HOST, (number,):
                return table_panel(night, _table(night, None, number, texts), texts)
            case HostVerb.TABLE, (of, _):
                table = _table(night, of, first_chosen(interaction), texts)
                return table_panel(night, table, texts, of=read_number(of))
            case HostVerb.ROUND, ():
                value = first_chosen(interaction)
                page = next((page for page in _pages(night) if _page_value(*page) == value), None)
                return None if page is None else round_panel(night, *page, texts)
            case HostVerb.SIGNED_UP, (page, *_):
                return signed_up_screen(night, read_number(page) or 0, texts, back(night, texts))
            case HostVerb.SPARE, (way,):
                size = read_number(way)
                if size is not None:
                    check_table(for_players(night.plan.rules, size), size)
                change = partial(seated_otherwise, size=size, with_robots=way == "robots")
                return self._panel(w.granted(await or_later(live.update(night.id, change)), texts), texts)
            case HostVerb.ADD, _:
                return await self._add(interaction, night, texts)
            case HostVerb.WRITE, ():
                return letter_form(night, texts)
            case HostVerb.WRITTEN, ():
                self._nights.check_writes(interaction, night.plan.announced_in)
                return self._written(interaction, night, texts)
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
                done = w.granted(await or_later(live.step(night.id, step, by, _asked_at(press))), texts)
                self._tell(done, step, by, "🛠")
                return self._panel(done, texts, "✅ " + begun(step_words(step, night, texts)))
            case ((HostVerb.BAN | HostVerb.BAN_NOW), (number,)):
                if not manages_server(interaction):
                    raise RefusedError(texts.t("Only those who manage the server ban people."))
                if verb == HostVerb.BAN:
                    return ban_form(night, number, texts)
                banned = night.entrant(read_number(number))
                if banned is None or banned.user_id is None:
                    raise RefusedError(texts.t(NightCode.UNKNOWN_ENTRANT))
                reason = clean(filled(interaction).get(REASON, ""), w.MAX_REASON)
                ban = await or_later(self._nights.bans.ban(night.guild_id, banned.user_id, BAN_DAYS, by, reason))
                done = live.night(night.id) or night
                return self._panel(done, texts, banned_text(BannedError(banned.user_id, ban), by, texts))
            case HostVerb.RESULT, (of, number):
                return result_form(night, _table(night, of, number, texts), texts, read_number(of))
            case HostVerb.SCORES, (of, number):
                table = _table(night, of, number, texts)
                return _result_question(interaction, night, table, read_number(of), texts)
            case HostVerb.UNDO, (at,):
                last = last_step(night)
                if last is None or str(last.at) != at:  # a second press must not take back the step before
                    return self._panel(night, texts)
                done = w.granted(await or_later(live.take_back(night.id, by)), texts)
                self._tell(done, last.step, by, "↩")
                return self._panel(done, texts, texts.t("Undone: {step}", step=step_words(last.step, night, texts)))
            case HostVerb.GO_ON, ():
                done = w.granted(await or_later(live.update(night.id, lambda one: replace(one, deserted=0))), texts)
                return self._panel(done, texts, texts.t("The series goes on."))
            case HostVerb.PLACE, ():
                return await self._elsewhere(interaction, night, texts)
            case HostVerb.EVENT, ():
                await or_later(self._nights.events.again(night), EVENT_S)
                night = live.night(night.id) or night
                fault = self._nights.events.fault(night, texts)
                return host_panel(night, texts, None if fault else texts.t("✅ The event stands."), fault)
            case HostVerb.CANCEL, ():
                return cancel_question(night, texts)
            case HostVerb.CANCEL, (what,):
                return reason_form(night, what, texts)
            case HostVerb.CANCEL_NOW, (what,):
                now, reason = self._clock.now(), clean(filled(interaction).get(REASON, ""), w.MAX_REASON)
                if reason:
                    self._nights.check_writes(interaction, night.plan.announced_in)
                ends = what == SERIES
                off = await or_later(live.update(night.id, lambda one: one.cancelled(now, reason, with_series=ends)))
                return self._panel(w.granted(off, texts), texts, texts.t("The night is cancelled."))
        return None

    def _panel(self, night: Night, texts: Texts, notice: str | None = None) -> c.Layout:
        return host_panel(night, texts, notice, self._nights.events.fault(night, texts))

    async def _elsewhere(self, interaction: discord.Interaction, night: Night, texts: Texts) -> c.Layout:
        settings, now = await self._nights.settings(interaction), self._clock.now()
        where = check_place(interaction, read_number(first_chosen(interaction)), None, settings)
        self._nights.check_writes(interaction, where.id)
        announced = None if where.guild.get_channel(night.plan.announced_in) is None else night.plan.announced_in
        moved = self._nights.live.update(night.id, lambda one: elsewhere(one, where.id, announced, now))
        told = texts.t("The tables open in {channel}.", channel=where.mention)
        return self._panel(w.granted(await or_later(moved), texts), texts, told)

    async def _add(self, interaction: discord.Interaction, night: Night, texts: Texts) -> c.Layout:
        added, notes, now, t = list[str](), list[str](), self._clock.now(), texts.t
        for member in chosen_members(interaction):
            name = called(member.display_name)
            if member.bot:
                notes.append(t("{name} is a bot: bots do not play.", name=name))
            if member.bot or night.is_in(member.id):
                continue
            strength = await or_later(self._strength(night.guild_id, member.id)) if night.plan.format.eliminates else 0
            candidate = await self._nights.candidate(night, member)
            joined = partial(join, user_id=member.id, name=clean(member.display_name), now=now,
                             strength=strength, by_host=True)  # fmt: skip
            try:
                night = w.granted(await or_later(self._nights.live.update(night.id, joined)), texts)
            except BannedError as error:
                notes.append(banned_text(error, interaction.user.id, texts))
            else:
                added.append(name)
                if night.plan.entry.lacked_by(candidate) != NOTHING:
                    notes.append(t("{name} does not have what this night asks for: you let them in.", name=name))
        if added:
            notes.insert(0, t("✅ Signed up: {names}", names=", ".join(added)))
        return self._panel(night, texts, "\n".join(notes) or t("They are all signed up already."))

    def _written(self, interaction: discord.Interaction, night: Night, texts: Texts) -> c.Layout:
        said = prose(filled(interaction).get(LETTER, ""), MOST_WRITTEN)
        if not said:
            return self._panel(night, texts, texts.t("The message is empty: nobody gets it."))
        self._write(night, f"🌙 **{w.title_of(night.plan)}** · <@{interaction.user.id}>\n{said}", f"w{interaction.id}")
        count = len(night.signed_up)
        told = texts.n("✉ {count} person gets your message.", "✉ {count} people get your message.", count)
        return self._panel(night, texts, told)

    def _tell(self, night: Night, step: HostStep, by: int, sign: str) -> None:
        """Let the server's log tell a removal, a result, and that one of these is undone."""
        if step.kind in (StepKind.DROP, StepKind.ENTER_RESULT):
            who = f"{sign} <@{by}> · {w.title_of(night.plan)}"
            told = Moderated(
                night.guild_id, lambda t: t.t("{name}: {value}", name=who, value=step_words(step, night, t))
            )
            self._nights.live.publish(told)


def _asked_at(press: Press) -> int | None:
    return None if press.asked is None else time_of(press.asked)


def _people_step(interaction: discord.Interaction, night: Night, texts: Texts) -> HostStep:
    """The step for the people who are chosen. Raises RefusedError for strangers to the night."""
    of_two = StepKind.PAIR if night.status is NightStatus.PLANNED else StepKind.SWAP
    users = [read_number(one) for one in chosen(interaction)]
    found = [None if user_id is None else night.entrant_of(user_id) for user_id in users]
    match [None if one is None else one.number for one in found]:
        case [int(one)]:
            return HostStep(StepKind.DROP, entrant=one)
        case [int(one), int(other)]:  # in one order, so that two hosts ask the same
            return HostStep(of_two, entrant=min(one, other), other=max(one, other))
    raise RefusedError(texts.t(NightCode.UNKNOWN_ENTRANT))


def _result_question(
    interaction: discord.Interaction, night: Night, table: NightTable, of: int | None, texts: Texts
) -> c.Layout:
    scores = tuple(int(word.replace("−", "-")) for word in _SCORE.findall(filled(interaction).get(SCORES, "")))
    if len(scores) != table.teams:
        return table_panel(night, table, texts, texts.t(NightCode.WRONG_SCORES), of)
    return step_question(night, HostStep(StepKind.ENTER_RESULT, round=of, table=table.number, scores=scores), texts)


def _step(night: Night, word: str, texts: Texts) -> HostStep:
    """The step of a custom id. Raises RefusedError for one that the night no longer offers."""
    step = read_step(word, night)
    if step is None or any(one is not None and night.entrant(one) is None for one in (step.entrant, step.other)):
        raise RefusedError(texts.t(NightCode.CHANGED_MEANWHILE))
    return step


def _table(night: Night, of: str | None, number: str, texts: Texts) -> NightTable:
    """A table of the running round, or of a round. Raises RefusedError where there is none."""
    table = night.table(read_number(number) or 0, None if of is None else read_number(of) or 0)
    return w.granted(table or NightCode.UNKNOWN_TABLE, texts)
