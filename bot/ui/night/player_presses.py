"""Presses of players and onlookers: sign-up, partners, one's own panel, the calendar, standings, tables, replays."""

import asyncio
from collections.abc import Callable, Coroutine
from io import BytesIO
from typing import Final

import discord

from bot.nights.changes import NightCode
from bot.nights.night import Night
from bot.nights.rounds import Presence
from bot.nights.standings import standings
from bot.tables.clock import Clock
from bot.tables.nights.running_night import NightChange
from bot.ui.admission.admission import or_later
from bot.ui.kit.custom_ids import Press, read_number
from bot.ui.kit.interactions import first_chosen, reader, say_outdated, show
from bot.ui.kit.layouts import confirmation, danger
from bot.ui.kit.names import clean
from bot.ui.live.presenter import Presenter
from bot.ui.night.calendar import calendar_file
from bot.ui.night.my_panel import leave_costs, my_panel
from bot.ui.night.night_reader import NightReader
from bot.ui.night.public.lists import live_tables, replays_screen, standings_screen, tables_screen
from bot.ui.night.verbs import PlayerVerb, button, night_id, read_arg
from bot.ui.night.words import name_at, night_refusal_text

Strength = Callable[[int, int], Coroutine[object, object, float]]
"""What seeds a person of a server in a knock-out."""
_NOW: Final = "now"


class PlayerPresses:
    verbs = frozenset[str](PlayerVerb)

    def __init__(self, nights: NightReader, clock: Clock, presenter: Presenter, strength: Strength) -> None:
        self._nights = nights
        self._clock = clock
        self._presenter = presenter
        self._strength = strength

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        night_id, more = read_arg(press.arg) or (0, ())
        night, texts, user_id = await self._nights.find(interaction, night_id), reader(interaction), interaction.user.id
        match press.verb, more:
            case PlayerVerb.MINE, _:
                await self.show_mine(interaction, night)
            case PlayerVerb.CALENDAR, _:
                await self._send_calendar(interaction, night)
            case PlayerVerb.STANDINGS, (page, *_):
                lines = await asyncio.to_thread(standings, night)
                await show(interaction, standings_screen(night, lines, _page(page), texts))
            case PlayerVerb.TABLES, (page, *_):
                live = live_tables(self._presenter.directory, night)
                await show(interaction, tables_screen(night, live, _page(page), texts))
            case PlayerVerb.REPLAYS, (page, *_):
                await show(interaction, replays_screen(night, _page(page), texts))
            case PlayerVerb.JOIN, _:
                await self._join(interaction, night)
            case PlayerVerb.LEAVE, _:
                await self._leave(interaction, night, is_sure=more == (_NOW,))
            case PlayerVerb.SEEK, (value,):
                await self._change(interaction, night, lambda now: now.seek_partner(user_id, seeks=value != "off"))
            case PlayerVerb.PART, _:
                said = texts.t("You have no partner any more.")
                await self._change(interaction, night, lambda now: now.part(user_id), said)
            case PlayerVerb.ASK, _:
                asked = _entrant(first_chosen(interaction))
                await self._change(interaction, night, lambda now: now.ask_partner(user_id, asked))
            case PlayerVerb.ACCEPT, (number,):
                asking = _entrant(number)
                name = "" if night.entrant(asking) is None else name_at(night, asking)
                said = texts.t("You and {name} are partners.", name=name)
                await self._change(interaction, night, lambda now: now.accept_partner(user_id, asking), said)
            case PlayerVerb.DECLINE, (number,):
                await self._change(interaction, night, lambda now: now.decline_partner(user_id, _entrant(number)))
            case _:
                await say_outdated(interaction)

    async def show_mine(self, interaction: discord.Interaction, night: Night, notice: str | None = None) -> None:
        await show(interaction, my_panel(night, interaction.user.id, standings(night), reader(interaction), notice))

    async def _join(self, interaction: discord.Interaction, night: Night) -> None:
        user, now, strength = interaction.user, self._clock.now(), 0.0
        name = clean(user.display_name)
        if night.plan.format.eliminates:
            strength = await or_later(self._strength(night.guild_id, user.id))
        joined = await self._changed(interaction, night, lambda known: known.join(user.id, name, now, strength))
        if joined is not None:
            is_waiting = any(one.user_id == user.id for one in joined.waiting)
            said = reader(interaction).t("All places are taken.") if is_waiting else None
            await self.show_mine(interaction, joined, said)

    async def _leave(self, interaction: discord.Interaction, night: Night, *, is_sure: bool) -> None:
        texts, user_id = reader(interaction), interaction.user.id
        own = night.entrant_of(user_id)
        costs = [] if own is None or own.presence is Presence.OUT else leave_costs(night, own, texts)
        if costs and not is_sure:
            yes = danger(texts.t("Leave the night"), night_id(PlayerVerb.LEAVE, night.id, _NOW))
            no = button(texts.t("Back"), PlayerVerb.MINE, night.id)
            await show(interaction, confirmation(texts.t("Leave the night?"), costs, yes, no=no))
            return
        said = texts.t("You are no longer signed up. *Join* signs you up again.")
        await self._change(interaction, night, lambda known: known.leave(user_id), said)

    async def _change(
        self, interaction: discord.Interaction, night: Night, change: NightChange, said: str | None = None
    ) -> None:
        """Change a night, and answer with the presser's own panel, which says what came of it."""
        changed = await self._changed(interaction, night, change)
        if changed is not None:
            await self.show_mine(interaction, changed, said)

    async def _changed(self, interaction: discord.Interaction, night: Night, change: NightChange) -> Night | None:
        """The night after a change; where it is refused, that is the answer."""
        outcome = await or_later(self._nights.live.update(night.id, change))
        if isinstance(outcome, NightCode):
            present = self._nights.live.night(night.id) or night
            await self.show_mine(interaction, present, night_refusal_text(outcome, reader(interaction)))
            return None
        return outcome

    async def _send_calendar(self, interaction: discord.Interaction, night: Night) -> None:
        texts = reader(interaction)
        made = calendar_file(night, interaction.application_id, self._clock.now(), texts)
        file = discord.File(BytesIO(made), f"kems-{night.number}.ics")
        line = texts.t("Open this file to put the night into your calendar.")
        await interaction.response.send_message(line, file=file, ephemeral=True)


def _page(word: str) -> int:
    return read_number(word[:4]) or 0


def _entrant(word: str) -> int:
    """The number of an entrant; that of nobody for anything else."""
    number = read_number(word)
    return -1 if number is None else number
