"""Presses of a night's host, and of those who manage the server: each step is asked once, then done and logged."""

import re
from typing import Final

import discord

from bot.nights.host_steps import HostStep, StepKind
from bot.nights.night import Night
from bot.nights.refusals import NightCode, NightRefusal
from bot.nights.rounds import NightTable
from bot.nights.steps import last_step
from bot.tables.clock import Clock
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.forms import filled
from bot.ui.kit.interactions import field_of, reader, say_outdated, show
from bot.ui.night.host.host_panel import (
    SCORES,
    begun,
    cancel_question,
    host_panel,
    result_form,
    step_question,
    table_panel,
)
from bot.ui.night.host.host_steps_text import read_step, step_words
from bot.ui.night.night_reader import NightReader
from bot.ui.night.verbs import NightVerb, read_arg
from bot.ui.night.words import granted, night_refusal_text
from bot.ui.words.refusals import RefusedError

_SCORE: Final = re.compile(r"[-−]?\d{1,3}", re.ASCII)
_MOST_DIGITS: Final = 4


class HostPresses:
    """Every press asks again whether its presser may decide: custom ids are no proof."""

    verbs = frozenset[str](
        {
            NightVerb.HOST,
            NightVerb.ASK_STEP,
            NightVerb.STEP,
            NightVerb.PEOPLE,
            NightVerb.TABLE,
            NightVerb.RESULT,
            NightVerb.SCORES,
            NightVerb.UNDO,
            NightVerb.CANCEL,
            NightVerb.CANCEL_NOW,
        }
    )

    def __init__(self, nights: NightReader, clock: Clock) -> None:
        self._nights = nights
        self._clock = clock

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when a change was not saved."""
        read = read_arg(press.arg)
        if read is None:
            await say_outdated(interaction)
            return
        night, more = await self._nights.hosted(interaction, read[0]), read[1]
        texts = reader(interaction)
        match press.verb, more:
            case NightVerb.HOST, ():
                await show(interaction, host_panel(night, texts))
            case NightVerb.HOST, (number,):
                await self._show_table(interaction, night, number)
            case NightVerb.TABLE, _:
                await self._show_table(interaction, night, _first(field_of(interaction, "values")))
            case NightVerb.PEOPLE, _:
                await self._ask_people(interaction, night)
            case NightVerb.ASK_STEP, (word,):
                await show(interaction, step_question(night, self._step(interaction, night, word), texts))
            case NightVerb.STEP, (word,):
                await self._do(interaction, night, self._step(interaction, night, word))
            case NightVerb.RESULT, (_, number):
                table = granted(_table(night, number), texts)
                await interaction.response.send_modal(result_form(night, table, texts))
            case NightVerb.SCORES, (_, number):
                await self._ask_result(interaction, night, number)
            case NightVerb.UNDO, (at,):
                await self._undo(interaction, night, at)
            case NightVerb.CANCEL, ():
                await show(interaction, cancel_question(night, texts))
            case NightVerb.CANCEL_NOW, ():
                await self._cancel(interaction, night)
            case _:
                await say_outdated(interaction)

    async def _show_table(self, interaction: discord.Interaction, night: Night, number: str) -> None:
        texts = reader(interaction)
        await show(interaction, table_panel(night, granted(_table(night, number), texts), texts))

    async def _ask_people(self, interaction: discord.Interaction, night: Night) -> None:
        """One person is to be dropped, two are to be swapped."""
        texts, chosen = reader(interaction), field_of(interaction, "values")
        users = (
            [int(one) for one in chosen if isinstance(one, str) and one.isdigit()] if isinstance(chosen, list) else []
        )
        found = [night.entrant_of(user_id) for user_id in users]
        match [one.number for one in found if one is not None]:
            case [one] if len(users) == 1:
                step = HostStep(StepKind.DROP, entrant=one)
            case [one, other] if len(users) == 2:
                step = HostStep(StepKind.SWAP, entrant=one, other=other)
            case _:
                notice = night_refusal_text(NightRefusal(NightCode.UNKNOWN_ENTRANT), texts)
                await show(interaction, host_panel(night, texts, notice))
                return
        await show(interaction, step_question(night, step, texts))

    async def _ask_result(self, interaction: discord.Interaction, night: Night, number: str) -> None:
        texts = reader(interaction)
        table = granted(_table(night, number), texts)
        scores = tuple(int(word.replace("−", "-")) for word in _SCORE.findall(filled(interaction).get(SCORES, "")))
        if len(scores) != table.teams:
            notice = night_refusal_text(NightRefusal(NightCode.WRONG_SCORES), texts)
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

    async def _answer(
        self, interaction: discord.Interaction, night: Night, done: Night | NightRefusal, said: str
    ) -> None:
        """Show the panel again, with what came of a press."""
        texts = reader(interaction)
        if isinstance(done, NightRefusal):
            night, said = self._nights.live.night(night.id) or night, night_refusal_text(done, texts)
        else:
            night = done
        await show(interaction, host_panel(night, texts, said))

    def _step(self, interaction: discord.Interaction, night: Night, word: str) -> HostStep:
        """The step of a custom id. Raises RefusedError for one that the night no longer offers."""
        step = read_step(word, night)
        known = range(len(night.entrants))
        if step is None or any(one is not None and one not in known for one in (step.entrant, step.other)):
            raise RefusedError(night_refusal_text(NightRefusal(NightCode.CHANGED_MEANWHILE), reader(interaction)))
        return step


def _table(night: Night, number: str) -> NightTable | NightRefusal:
    """A table of the running round."""
    is_number = number.isascii() and number.isdigit() and len(number) <= _MOST_DIGITS
    return (night.table(int(number)) if is_number else None) or NightRefusal(NightCode.UNKNOWN_TABLE)


def _first(values: object) -> str:
    return str(values[0]) if isinstance(values, list) and values else ""
