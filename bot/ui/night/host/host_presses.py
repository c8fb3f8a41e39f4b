"""The presses on the host's panel of a night.

Each step is confirmed once, then done and logged. People who manage the server may do all of it, too.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Final, TypeVar

import discord

from bot.base.clock import Clock
from bot.discord.api import components as c
from bot.discord.api.custom_ids import Press, read_number
from bot.discord.api.interactions import RefusedError, chosen_members, chosen_values, first_chosen_value, texts_of
from bot.discord.api.modals import Modal, submitted_fields
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.refusals import banned_text
from bot.discord.api.responses import defer, open_modal, reply_outdated, reply_panel
from bot.discord.interactions.admission.allowances import Verb
from bot.discord.interactions.admission.press_notes import record_panel, record_refusal
from bot.discord.interactions.admission.rights import manages_server
from bot.discord.places.permissions import check_may_post
from bot.discord.places.refusals import DiscordRefusal
from bot.discord.text.names import clean, escape_prose, escaped_name
from bot.discord.text.texts import Texts
from bot.nights.changes import HostStep, NightCode, NightRefusedError, StepKind, if_unchanged
from bot.nights.night import Night, NightStatus
from bot.nights.people.sign_up import join
from bot.nights.rounds import NightTable
from bot.nights.steps import change_seating, move_to_channel, resume_series
from bot.tables.hub import ModerationDone
from bot.tables.lobby.refusals import LobbyRefusal
from bot.tables.nights.running_night import NightChange
from bot.tables.servers.bans import BannedError
from bot.ui.night import words as w
from bot.ui.night.host.host_panel import (
    LETTER,
    MOST_WRITTEN,
    REASON,
    SCORES,
    ban_form,
    cancel_question,
    host_panel,
    letter_form,
    page_of,
    reason_form,
    result_form,
    round_panel,
    spare_question,
    table_panel,
)
from bot.ui.night.host.host_steps import BAN_DAYS, back, read_step, sentence_start, step_question, step_words
from bot.ui.night.night_reader import NightReader
from bot.ui.night.plan.settings import check_place
from bot.ui.night.sign_up import signed_up_screen
from bot.ui.night.verbs import SERIES, SUBJECTS, HostVerb, night_id, read_arg
from bot.ui.words.refusals import lobby_refusal_text

T = TypeVar("T")
_SCORE: Final = re.compile(r"(?<!\d)[-−]?\d{1,3}", re.ASCII)  # the bar of `10-7` is no minus
EVENT_S: Final = 1.5
"""How long Discord may take to create an event, of the three seconds until the answer."""


class HostPresses:
    """Answers the presses. Each checks again whether its presser may decide: custom ids are no proof."""

    verbs = frozenset[Verb](HostVerb)

    def __init__(self, nights: NightReader, clock: Clock) -> None:
        self._nights = nights
        self._clock = clock

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press with the panel, a question or a modal; the panel also shows why a press was refused."""
        wanted, more = read_arg(press.arg) or (0, ())
        record_panel(night_id(HostVerb.HOST, wanted))
        night, texts = await self._nights.hosted(interaction, wanted), texts_of(interaction)
        try:
            answer = await self._answer(interaction, night, press, more, texts)
        except RefusedError as refusal:
            record_refusal(str(refusal))
            answer = await self._panel(self._nights.live.night(night.id) or night, texts, str(refusal))
        if answer is None:
            await reply_outdated(interaction)
        elif isinstance(answer, Modal):
            await open_modal(interaction, answer)
        else:
            await reply_panel(interaction, answer)

    async def _answer(
        self, interaction: discord.Interaction, night: Night, press: Press, more: Sequence[str], texts: Texts
    ) -> c.Layout | Modal | None:
        """Return what a press shows; None for one that is no longer offered.

        Raises:
            RefusedError: The step is refused.
        """
        live, by, verb = self._nights.live, interaction.user.id, press.verb
        match verb, more:
            case HostVerb.HOST, ():
                night = await self._nights.without_gone(night)
                return await self._panel(night, texts, self._nights.messages.warning(night, texts))
            case HostVerb.HOST, (number,):
                return table_panel(night, _table(night, None, number, texts), texts)
            case HostVerb.TABLE, (of, _):
                table = _table(night, of, first_chosen_value(interaction), texts)
                return table_panel(night, table, texts, of=read_number(of))
            case HostVerb.ROUND, ():
                page = page_of(night, first_chosen_value(interaction))
                return None if page is None else round_panel(night, *page, texts)
            case HostVerb.SIGNED_UP, (page, *_):
                return signed_up_screen(night, read_number(page) or 0, texts, back(night, texts))
            case HostVerb.SPARE, (seating, stamp, *what):
                size = read_number(seating)
                pressed = texts.t("🤖 Robots in free seats") if size is None else texts.t("Tables of {size}", size=size)
                if night.plan.is_weekly and not what:
                    return spare_question(night, pressed, seating, stamp, texts)
                change = partial(
                    change_seating, size=size, with_robots=seating == "robots", with_series=what == [SERIES]
                )
                return await self._panel(await self._save(night, verb, stamp, change, pressed, texts), texts)
            case HostVerb.ADD, _:
                return await self._add(interaction, night, texts)
            case HostVerb.WRITE, ():
                return letter_form(night, texts)
            case HostVerb.WRITTEN, ():
                check_may_post(interaction, night.plan.post_channel)
                if night.is_finished:
                    raise RefusedError(texts.t(NightCode.NIGHT_OVER))
                return await self._written(interaction, night, texts)
            case HostVerb.PEOPLE, _:
                step = _people_step(interaction, night, texts)
                try:
                    return step_question(night, step, texts, may_ban=manages_server(interaction))
                except NightRefusedError as refused:
                    return _done(refused.code, step_words(step, night, texts), texts)
            case HostVerb.ASK_STEP, (word,):
                step = _step(night, word, texts)
                is_past = step.table is not None and step.round != len(night.rounds)
                confirmed = _done(NightCode.ROUND_FOLLOWS if is_past else step, step_words(step, night, texts), texts)
                return step_question(night, confirmed, texts)
            case HostVerb.STEP, (word, stamp):
                step = _step(night, word, texts)
                words = sentence_start(step_words(step, night, texts))
                done = _done(await continue_when_slow(live.step(night.id, step, by, stamp)), words, texts)
                self._tell(done, step, by, "🛠")
                return await self._panel(done, texts, f"✅ {words}")
            case ((HostVerb.BAN | HostVerb.BAN_NOW), (number,)):
                if not manages_server(interaction):
                    raise RefusedError(texts.t("Only server managers can ban people."))
                if verb == HostVerb.BAN:
                    return ban_form(night, number, texts)
                banned = night.entrant(read_number(number))
                if banned is None or banned.user_id is None:
                    raise RefusedError(texts.t(NightCode.UNKNOWN_ENTRANT))
                reason = clean(submitted_fields(interaction).get(REASON, ""), w.MAX_REASON)
                ban = await continue_when_slow(
                    self._nights.bans.ban(night.guild_id, banned.user_id, BAN_DAYS, by, reason)
                )
                done = live.night(night.id) or night
                return await self._panel(done, texts, banned_text(BannedError(banned.user_id, ban), by, texts))
            case HostVerb.RESULT, (of, number):
                return result_form(night, _table(night, of, number, texts), texts, read_number(of))
            case HostVerb.SCORES, (of, number, stamp):
                table = _table(night, of, number, texts)
                return _result_question(interaction, night, table, read_number(of), stamp, texts)
            case HostVerb.UNDO, (at,) if (place := read_number(at)) is not None and place < len(night.steps):
                step = night.steps[place].step
                words = step_words(step, night, texts)
                pressed = texts.t("↩ Undo: {step}", step=words)
                done = _done(await continue_when_slow(live.undo_step(night.id, place, by)), pressed, texts)
                self._tell(done, step, by, "↩")
                return await self._panel(done, texts, texts.t("Undone: {step}", step=words))
            case HostVerb.GO_ON, ():
                done = _done(
                    await continue_when_slow(live.update(night.id, resume_series)), texts.t("It goes on"), texts
                )
                return await self._panel(done, texts, texts.t("The series goes on."))
            case HostVerb.PLACE, (stamp,):
                return await self._elsewhere(interaction, night, stamp, texts)
            case HostVerb.EVENT, ():
                await continue_when_slow(self._nights.messages.events.again(night), EVENT_S)
                night = live.night(night.id) or night
                fault = await continue_when_slow(self._nights.messages.events.fault(night, texts))
                stands = w.hidden_line(texts) if night.event_id is None else texts.t("✅ The event stands.")
                return host_panel(night, texts, None if fault else stands, fault)
            case HostVerb.CANCEL, ():
                return cancel_question(night, texts)
            case HostVerb.CANCEL, (what, stamp):
                return reason_form(night, what, stamp, texts)
            case HostVerb.CANCEL_NOW, (what, stamp):
                now, reason = self._clock.now(), clean(submitted_fields(interaction).get(REASON, ""), w.MAX_REASON)
                if reason:
                    check_may_post(interaction, night.plan.post_channel)
                change = partial(Night.cancel, now=now, reason=reason, with_series=what == SERIES)
                off = await self._save(night, verb, stamp, change, texts.t("Cancel the night"), texts)
                return await self._panel(off, texts, texts.t("The night is cancelled."))
        return None

    async def _save(
        self, night: Night, verb: str, stamp: str, change: NightChange, pressed: str, texts: Texts
    ) -> Night:
        """Return the night after a change, made while its subject still has the stamp `stamp`."""
        judged = if_unchanged(stamp, SUBJECTS[verb], change)
        return _done(await continue_when_slow(self._nights.live.update(night.id, judged)), pressed, texts)

    async def _panel(self, night: Night, texts: Texts, notice: str | None = None) -> c.Layout:
        return host_panel(
            night, texts, notice, await continue_when_slow(self._nights.messages.events.fault(night, texts))
        )

    async def _elsewhere(self, interaction: discord.Interaction, night: Night, stamp: str, texts: Texts) -> c.Layout:
        settings, now = await self._nights.settings(interaction), self._clock.now()
        where = check_place(interaction, read_number(first_chosen_value(interaction)), None, settings)
        check_may_post(interaction, where.id)
        announced = None if where.guild.get_channel(night.plan.post_channel) is None else night.plan.post_channel
        is_gone = where.guild.get_channel(night.plan.channel_id) is None
        change = partial(move_to_channel, channel_id=where.id, announce_id=announced, now=now, with_series=is_gone)
        sentence = texts.t("The tables open in {channel}.", channel=where.mention)
        moved = await self._save(night, HostVerb.PLACE, stamp, change, sentence.rstrip("."), texts)
        return await self._panel(moved, texts, sentence)

    async def _add(self, interaction: discord.Interaction, night: Night, texts: Texts) -> c.Layout:
        await defer(interaction)  # it reads of up to 25 people, and may wait for another change of the night
        t, at, members = texts.t, self._clock.now(), chosen_members(interaction)
        notes = [
            t("{name} is a bot: bots do not play.", name=escaped_name(member.display_name))
            for member in members
            if member.bot
        ]
        people = {member.id: member for member in members if not member.bot and not night.is_in(member.id)}
        banned = await continue_when_slow(self._nights.bans.find_many(night.guild_id, people))
        notes += [banned_text(BannedError(user_id, ban), interaction.user.id, texts) for user_id, ban in banned.items()]
        people = {user_id: member for user_id, member in people.items() if user_id not in banned}
        candidates = await self._nights.candidates(night, [*people.values()])
        strengths = await self._nights.strengths(night, people)
        added, refusals = list[discord.Member](), dict[NightCode, None]()

        def join_all(known: Night) -> Night:
            for user_id, member in people.items():
                name, strength = clean(member.display_name), strengths.get(user_id, 0.0)
                try:
                    known = join(known, user_id, name, at, strength, by_host=True)
                except NightRefusedError as refused:
                    refusals[refused.code] = None
                else:
                    added.append(member)
            return known

        night = _done(
            await continue_when_slow(self._nights.live.update(night.id, join_all)),
            t("Sign somebody up…").rstrip(" …"),
            texts,
        )
        refusals.pop(NightCode.ALREADY_IN, None)  # by another press, or by themselves
        if added:
            names = ", ".join(escaped_name(member.display_name) for member in added)
            notes.insert(0, t("✅ Signed up: {names}", names=names))
        lacking = [member for member in added if night.plan.entry.shortfalls(candidates[member.id])]
        notes += [
            t(
                "{name} does not meet the conditions: you are letting them in anyway.",
                name=escaped_name(member.display_name),
            )
            for member in lacking
        ]
        notes += map(t, refusals)
        return await self._panel(night, texts, "\n".join(notes) or t("They are all already signed up."))

    async def _written(self, interaction: discord.Interaction, night: Night, texts: Texts) -> c.Layout:
        letter = escape_prose(submitted_fields(interaction).get(LETTER, ""), MOST_WRITTEN)
        if not letter:
            return await self._panel(night, texts, texts.t("The message is empty: nobody gets it."))
        await defer(interaction)  # it waits for its turn in the channel
        line = f"🌙 **{w.title_of(night.plan)}** · <@{interaction.user.id}>\n{letter}"
        count = await self._nights.messages.write(night, line, f"w{interaction.id}")
        if isinstance(count, DiscordRefusal):
            sentence = texts.t("⚠️ Discord refused your message: not everybody gets it.")
            if count.may_pass:
                sentence = texts.t(
                    "⚠️ Discord does not take your message yet. If it is not there in ten minutes, write it again."
                )
            sentence += " " + count.words(interaction.guild, texts, night.plan.channel_id)
        else:
            sentence = texts.n("✉ {count} person gets your message.", "✉ {count} people get your message.", count)
        return await self._panel(night, texts, sentence)

    def _tell(self, night: Night, step: HostStep, by: int, sign: str) -> None:
        """Write a removal, a result, or its undoing, into the server's log."""
        if step.kind in (StepKind.DROP, StepKind.ENTER_RESULT):
            who = f"{sign} <@{by}> · {w.title_of(night.plan)}"
            event = ModerationDone(
                night.guild_id, lambda t: t.t("{name}: {value}", name=who, value=step_words(step, night, t))
            )
            self._nights.live.publish(event)


def _done(outcome: T | NightCode | LobbyRefusal, pressed: str, texts: Texts) -> T:
    """Return the outcome of a press.

    Raises:
        RefusedError: It was refused; the sentence says what was pressed.
    """
    if not isinstance(outcome, NightCode | LobbyRefusal):
        return outcome
    why = texts.t(outcome) if isinstance(outcome, NightCode) else lobby_refusal_text(outcome, texts)
    raise RefusedError(texts.t("{pressed}: not done. {why}", pressed=sentence_start(pressed), why=why))


def _people_step(interaction: discord.Interaction, night: Night, texts: Texts) -> HostStep:
    """Return the step for the chosen people.

    Raises:
        RefusedError: Somebody does not belong to the night.
    """
    of_two = StepKind.PAIR if night.status is NightStatus.PLANNED else StepKind.SWAP
    users = [read_number(value) for value in chosen_values(interaction)]
    found = [None if user_id is None else night.entrant_of(user_id) for user_id in users]
    match [None if entrant is None else entrant.number for entrant in found]:
        case [int(first)]:
            return HostStep(StepKind.DROP, entrant=first)
        case [int(first), int(other)]:  # in one order, so that two hosts ask the same
            return HostStep(of_two, entrant=min(first, other), other=max(first, other))
    raise RefusedError(texts.t(NightCode.UNKNOWN_ENTRANT))


def _result_question(
    interaction: discord.Interaction, night: Night, table: NightTable, of: int | None, stamp: str, texts: Texts
) -> c.Layout:
    """Return the confirmation of a result; `stamp` is the stamp of the modal's subject."""
    scores = tuple(
        int(word.replace("−", "-")) for word in _SCORE.findall(submitted_fields(interaction).get(SCORES, ""))
    )
    if len(scores) != table.teams:
        return table_panel(night, table, texts, texts.t(NightCode.WRONG_SCORES), of)
    step = HostStep(StepKind.ENTER_RESULT, round=of, table=table.number, scores=scores)
    return step_question(night, step, texts, seen=stamp)


def _step(night: Night, word: str, texts: Texts) -> HostStep:
    """Return the step of a custom id.

    Raises:
        RefusedError: The night no longer offers it.
    """
    step = read_step(word)
    if step is None or any(
        number is not None and night.entrant(number) is None for number in (step.entrant, step.other)
    ):
        raise RefusedError(texts.t(NightCode.CHANGED_MEANWHILE))
    return step


def _table(night: Night, of: str | None, number: str, texts: Texts) -> NightTable:
    """Return a table of the running round, or of the round `of`.

    Raises:
        RefusedError: There is none.
    """
    table = night.table(read_number(number) or 0, None if of is None else read_number(of) or 0)
    return w.unwrap(table or NightCode.UNKNOWN_TABLE, texts)
