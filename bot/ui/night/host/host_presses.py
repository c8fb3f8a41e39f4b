"""Presses of a night's host, and of those who manage the server: each step is asked once, then done and logged."""

import re
from typing import Final

import discord

from bot.nights.changes import HostStep, NightCode, StepKind
from bot.nights.night import Night
from bot.nights.rounds import NightTable
from bot.nights.steps import last_step
from bot.tables.clock import Clock
from bot.ui.admission.admission import or_later
from bot.ui.kit.custom_ids import Press, read_number
from bot.ui.kit.forms import filled
from bot.ui.kit.interactions import field_of, reader, say_outdated, show
from bot.ui.kit.texts import Texts
from bot.ui.night.host.host_panel import (
    SCORES,
    begun,
    cancel_question,
    host_panel,
    read_step,
    result_form,
    step_question,
    step_words,
    table_panel,
)
from bot.ui.night.night_reader import NightReader
from bot.ui.night.verbs import HostVerb, first_value, read_arg
from bot.ui.night.words import granted, night_refusal_text
from bot.ui.words.refusals import RefusedError

_SCORE: Final = re.compile(r"[-−]?\d{1,3}", re.ASCII)


class HostPresses:
    """Every press asks again whether its presser may decide: custom ids are no proof."""

    verbs = frozenset[str](HostVerb)

    def __init__(self, nights: NightReader, clock: Clock) -> None:
        self._nights = nights
        self._clock = clock

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        night_id, more = read_arg(press.arg) or (0, ())
        night, texts = await self._nights.hosted(interaction, night_id), reader(interaction)
        match press.verb, more:
            case HostVerb.HOST, ():
                await show(interaction, host_panel(night, texts, self._nights.warning(night, texts)))
            case HostVerb.HOST, (number,):
                await show(interaction, table_panel(night, _table(night, number, texts), texts))
            case HostVerb.TABLE, _:
                number = first_value(interaction)
                await show(interaction, table_panel(night, _table(night, number, texts), texts))
            case HostVerb.PEOPLE, _:
                await self._ask_people(interaction, night)
            case HostVerb.ASK_STEP, (word,):
                await show(interaction, step_question(night, _step(night, word, texts), texts))
            case HostVerb.STEP, (word,):
                await self._do(interaction, night, _step(night, word, texts))
            case HostVerb.RESULT, (_, number):
                await interaction.response.send_modal(result_form(night, _table(night, number, texts), texts))
            case HostVerb.SCORES, (_, number):
                await self._ask_result(interaction, night, number)
            case HostVerb.UNDO, (at,):
                await self._undo(interaction, night, at)
            case HostVerb.CANCEL, ():
                await show(interaction, cancel_question(night, texts))
            case HostVerb.CANCEL_NOW, ():
                await self._cancel(interaction, night)
            case _:
                await say_outdated(interaction)

    async def _ask_people(self, interaction: discord.Interaction, night: Night) -> None:
        """One person is to be dropped, two are to be swapped."""
        texts, chosen = reader(interaction), field_of(interaction, "values")
        users = [read_number(str(one)) for one in chosen] if isinstance(chosen, list) else []
        found = [night.entrant_of(user_id) for user_id in users if user_id is not None]
        match [one.number for one in found if one is not None]:
            case [one] if len(users) == 1:
                step = HostStep(StepKind.DROP, entrant=one)
            case [one, other] if len(users) == 2:
                step = HostStep(StepKind.SWAP, entrant=one, other=other)
            case _:
                notice = night_refusal_text(NightCode.UNKNOWN_ENTRANT, texts)
                await show(interaction, host_panel(night, texts, notice))
                return
        await show(interaction, step_question(night, step, texts))

    async def _ask_result(self, interaction: discord.Interaction, night: Night, number: str) -> None:
        texts = reader(interaction)
        table = _table(night, number, texts)
        scores = tuple(int(word.replace("−", "-")) for word in _SCORE.findall(filled(interaction).get(SCORES, "")))
        if len(scores) != table.teams:
            notice = night_refusal_text(NightCode.WRONG_SCORES, texts)
            await show(interaction, table_panel(night, table, texts, notice))
            return
        step = HostStep(StepKind.ENTER_RESULT, table=table.number, scores=scores)
        await show(interaction, step_question(night, step, texts))

    async def _do(self, interaction: discord.Interaction, night: Night, step: HostStep) -> None:
        texts = reader(interaction)
        done = await or_later(self._nights.live.step(night.id, step, interaction.user.id))
        await self._answer(interaction, night, done, "✅ " + begun(step_words(step, night, texts)))

    async def _undo(self, interaction: discord.Interaction, night: Night, at: str) -> None:
        texts, last = reader(interaction), last_step(night)
        if last is None or str(last.at) != at:  # a second press must not take back the step before
            await show(interaction, host_panel(night, texts))
            return
        done = await or_later(self._nights.live.take_back(night.id, interaction.user.id))
        said = texts.t("Taken back: {step}", step=step_words(last.step, night, texts))
        await self._answer(interaction, night, done, said)

    async def _cancel(self, interaction: discord.Interaction, night: Night) -> None:
        now = self._clock.now()
        done = await or_later(self._nights.live.update(night.id, lambda known: known.cancelled(now)))
        await self._answer(interaction, night, done, reader(interaction).t("The night is cancelled."))

    async def _answer(self, interaction: discord.Interaction, night: Night, done: Night | NightCode, said: str) -> None:
        """Show the panel again, with what came of a press."""
        texts = reader(interaction)
        if isinstance(done, NightCode):
            night, said = self._nights.live.night(night.id) or night, night_refusal_text(done, texts)
        else:
            night = done
        await show(interaction, host_panel(night, texts, said))


def _step(night: Night, word: str, texts: Texts) -> HostStep:
    """The step of a custom id. Raises RefusedError for one that the night no longer offers."""
    step = read_step(word, night)
    if step is None or any(one is not None and night.entrant(one) is None for one in (step.entrant, step.other)):
        raise RefusedError(night_refusal_text(NightCode.CHANGED_MEANWHILE, texts))
    return step


def _table(night: Night, number: str, texts: Texts) -> NightTable:
    """A table of the running round. Raises RefusedError where there is none."""
    return granted(night.table(read_number(number) or 0) or NightCode.UNKNOWN_TABLE, texts)
