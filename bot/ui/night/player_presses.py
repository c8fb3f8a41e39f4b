"""Presses of players and onlookers: sign-up, partners, one's own panel, the calendar, standings, tables, replays."""

import asyncio
from collections.abc import Callable, Coroutine
from io import BytesIO
from typing import Final

import discord

from bot.nights.entrants import Presence
from bot.nights.night import Night, NightStatus
from bot.nights.plan import Format
from bot.nights.refusals import NightRefusal
from bot.nights.standings import standings
from bot.tables.clock import Clock
from bot.ui.admission.time_limit import or_later
from bot.ui.kit.components import Layout, button
from bot.ui.kit.confirmation import confirmation, danger
from bot.ui.kit.custom_ids import Press, read_number
from bot.ui.kit.interactions import field_of, reader, say_outdated, show
from bot.ui.kit.links import link_to
from bot.ui.kit.names import clean
from bot.ui.kit.texts import Texts
from bot.ui.messages.presenter import Presenter
from bot.ui.night.calendar.calendar_file import CalendarEvent, calendar_file
from bot.ui.night.my_panel import leave_costs, my_panel
from bot.ui.night.night_reader import NightReader
from bot.ui.night.public.live_tables import live_tables
from bot.ui.night.public.standings_screen import standings_screen
from bot.ui.night.public.tables_screen import replays_screen, tables_screen
from bot.ui.night.verbs import NightVerb, night_id, read_arg
from bot.ui.night.words import MAX_TITLE, how_line, length_ms, name_at, night_refusal_text

Strength = Callable[[int, int], Coroutine[object, object, float]]
"""What seeds a person of a server in a knock-out."""
_NOW: Final = "now"


class PlayerPresses:
    """Everybody may press these; each answer is private."""

    verbs = frozenset[str](
        {
            NightVerb.JOIN,
            NightVerb.LEAVE,
            NightVerb.SEEK,
            NightVerb.ASK,
            NightVerb.ACCEPT,
            NightVerb.DECLINE,
            NightVerb.PART,
            NightVerb.MINE,
            NightVerb.CALENDAR,
            NightVerb.TABLES,
            NightVerb.STANDINGS,
            NightVerb.REPLAYS,
        }
    )

    def __init__(self, nights: NightReader, clock: Clock, presenter: Presenter, strength: Strength) -> None:
        self._nights = nights
        self._clock = clock
        self._presenter = presenter
        self._strength = strength

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when a change was not saved."""
        read = read_arg(press.arg)
        if read is None:
            await say_outdated(interaction)
            return
        night, more = await self._nights.find(interaction, read[0]), read[1]
        match press.verb, more:
            case NightVerb.MINE, _:
                await self.show_mine(interaction, night)
            case NightVerb.CALENDAR, _:
                await self._send_calendar(interaction, night)
            case ((NightVerb.TABLES | NightVerb.STANDINGS | NightVerb.REPLAYS), (page, *_)) if page.isdigit():
                await show(
                    interaction, await self._page(night, NightVerb(press.verb), int(page[:4]), reader(interaction))
                )
            case NightVerb.JOIN, _:
                await self._join(interaction, night)
            case NightVerb.LEAVE, _:
                await self._leave(interaction, night, is_sure=more == (_NOW,))
            case _:
                await self._pair(interaction, night, press.verb, more)

    async def show_mine(self, interaction: discord.Interaction, night: Night, notice: str | None = None) -> None:
        """Answer with the presser's own panel."""
        await show(interaction, my_panel(night, interaction.user.id, standings(night), reader(interaction), notice))

    async def _join(self, interaction: discord.Interaction, night: Night) -> None:
        texts, user = reader(interaction), interaction.user
        name = clean(user.display_name)
        strength = 0.0
        if night.plan.format is Format.KNOCKOUT:
            strength = await or_later(self._strength(night.guild_id, user.id))
        now = self._clock.now()
        joined = await self._changed(interaction, night, lambda known: known.join(user.id, name, now, strength))
        if joined is not None:
            own = joined.entrant_of(user.id)
            is_waiting = own is not None and own.presence is Presence.WAITING
            said = texts.t("All places are taken.") if is_waiting else None
            await self.show_mine(interaction, joined, said)

    async def _leave(self, interaction: discord.Interaction, night: Night, *, is_sure: bool) -> None:
        texts, user_id = reader(interaction), interaction.user.id
        own = night.entrant_of(user_id)
        costs = [] if own is None or own.presence is Presence.OUT else leave_costs(night, own, texts)
        if costs and not is_sure:
            yes = danger(texts.t("Leave"), night_id(NightVerb.LEAVE, night.id, _NOW))
            no = button(texts.t("Back"), night_id(NightVerb.MINE, night.id))
            await show(interaction, confirmation(texts.t("Leave the night?"), costs, yes, no=no))
            return
        left = await self._changed(interaction, night, lambda known: known.leave(user_id))
        if left is not None:
            await self.show_mine(interaction, left, texts.t("You are out. Join brings you back."))

    async def _pair(self, interaction: discord.Interaction, night: Night, verb: str, more: tuple[str, ...]) -> None:
        texts, user_id = reader(interaction), interaction.user.id
        chosen = field_of(interaction, "values") if verb == NightVerb.ASK else more
        other = read_number(chosen[0]) if isinstance(chosen, list | tuple) and chosen else None
        change: Callable[[Night], Night | NightRefusal]
        match verb:
            case NightVerb.SEEK:
                change, said = lambda known: known.seek_partner(user_id, seeks=more != ("off",)), None
            case NightVerb.PART:
                change, said = lambda known: known.part(user_id), texts.t("You have no partner any more.")
            case NightVerb.ASK if other is not None:
                change, said = lambda known: known.ask_partner(user_id, other), None
            case NightVerb.ACCEPT if other is not None:
                change, said = lambda known: known.accept_partner(user_id, other), None
            case NightVerb.DECLINE if other is not None:
                change, said = lambda known: known.decline_partner(user_id, other), None
            case _:
                await say_outdated(interaction)
                return
        changed = await self._changed(interaction, night, change)
        if changed is None:
            return
        if verb == NightVerb.ACCEPT and other is not None:
            said = texts.t("You and {name} are partners.", name=name_at(changed, other))
        await self.show_mine(interaction, changed, said)

    async def _changed(
        self, interaction: discord.Interaction, night: Night, change: Callable[[Night], Night | NightRefusal]
    ) -> Night | None:
        """The night after a change; where it is refused, that is the answer."""
        outcome = await or_later(self._nights.live.update(night.id, change))
        if isinstance(outcome, NightRefusal):
            present = self._nights.live.night(night.id) or night
            await self.show_mine(interaction, present, night_refusal_text(outcome, reader(interaction)))
            return None
        return outcome

    async def _page(self, night: Night, verb: NightVerb, page: int, texts: Texts) -> Layout:
        match verb:
            case NightVerb.STANDINGS:
                return standings_screen(night, await asyncio.to_thread(standings, night), page, texts)
            case NightVerb.TABLES:
                return tables_screen(night, live_tables(self._presenter.directory, night), page, texts)
            case _:
                return replays_screen(night, page, texts)

    async def _send_calendar(self, interaction: discord.Interaction, night: Night) -> None:
        texts, plan = reader(interaction), night.plan
        link = link_to(night.guild_id, plan.channel_id, night.message_id)
        event = CalendarEvent(
            night.id,
            interaction.application_id,
            night.version,
            clean(plan.title, MAX_TITLE) or "Kem's",
            f"{how_line(plan, texts)}\n{link}",
            link,
            plan.starts_at,
            plan.starts_at + length_ms(plan),
            self._clock.now(),
            night.status is NightStatus.CANCELLED,
        )
        file = discord.File(BytesIO(calendar_file(event)), f"kems-{night.number}.ics")
        line = texts.t("Open this file to put the night into your calendar.")
        await interaction.response.send_message(line, file=file, ephemeral=True)
