"""`/kems night`, and `/kems-admin night …`: create, list, edit, cancel, host."""

from dataclasses import dataclass
from typing import Final

import discord
from discord.app_commands import Choice

from bot.discord.api.components import GREEN, Layout, layout, link_to, row, text
from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import reply, reply_panel
from bot.discord.interactions.admission.allowances import EVENINGS, FREE
from bot.discord.interactions.feature import CommandSet, command
from bot.discord.text.texts import Texts, mark
from bot.nights.formats import EXPRESS, ROTATION
from bot.nights.night import Night
from bot.ui.night.host.host_panel import cancel_question, host_panel
from bot.ui.night.night_reader import NightReader
from bot.ui.night.plan.plan_presses import PlanPresses
from bot.ui.night.players import PlayerPresses
from bot.ui.night.verbs import PlanVerb, button
from bot.ui.night.words import how_line, on_day, title_of

MOST_LISTED: Final = 15
_WHICH: Final = {"night": (mark("night"), mark("Which night (the next one)"))}


def nothing_planned(texts: Texts) -> Layout:
    """Return the message to hosts while no night is planned, with buttons to plan one, or one every Friday."""
    plan = button(texts.t("Plan…"), PlanVerb.PLAN, 0)
    friday = button(texts.t("⚡ Friday 9 pm…"), PlanVerb.PLAN, 0, EXPRESS.name)
    about = texts.t(EXPRESS.sentence)
    weekly = texts.t("Every Friday from now on: {what}", what=about)
    return layout(text(texts.t("No game night is planned here."), f"-# ⚡ {weekly}"), row(plan, friday))


@dataclass(eq=False, repr=False)
class NightCommands(CommandSet):
    """`/kems night`, and `/kems-admin night create`, `list`, `edit`, `cancel` and `host`."""

    _nights: NightReader
    _players: PlayerPresses
    _plans: PlanPresses

    @command("night", mark("See the next game night, your table and your place"), allowance=FREE, options=_WHICH)
    async def night(self, interaction: discord.Interaction, night: int | None = None) -> None:
        """Show the presser's panel of a night; by default, of the night that matters most to them."""
        texts, found = texts_of(interaction), self._nights.shown_to(interaction)
        if night is not None:
            found = await self._nights.find(interaction, night)
        if found is not None:
            await self._players.show_mine(interaction, found)
        elif await self._nights.hosts(interaction):
            await reply_panel(interaction, nothing_planned(texts))
        else:
            line = texts.t("No game night is planned here. Server managers can plan one with {/night}.")
            await reply(interaction, line)

    @command("night_create", mark("Plan a game night"), allowance=FREE)
    async def create(self, interaction: discord.Interaction) -> None:
        """Show the panel of a new draft."""
        await self._plans.show_new(interaction, ROTATION)

    @command("night_list", mark("List the game nights of this server"), allowance=FREE)
    async def list_all(self, interaction: discord.Interaction) -> None:
        """List the planned and running nights."""
        texts, nights = texts_of(interaction), self._nights.open_to(interaction)
        lines = [_listed(night, texts) for night in nights[:MOST_LISTED]]
        await reply_panel(interaction, layout(text("**🌙 " + texts.t("Game nights") + "**", *(
            lines or [texts.t("None is planned: {/night_create} plans one.")])), colour=GREEN))  # fmt: skip

    @command("night_edit", mark("Change a planned game night"), allowance=FREE, options=_WHICH)
    async def edit(self, interaction: discord.Interaction, night: int | None = None) -> None:
        """Show the panel that changes a planned night."""
        await self._plans.show_night(interaction, await self._found(interaction, night))

    @command("night_cancel", mark("Cancel a game night"), allowance=EVENINGS, options=_WHICH)
    async def cancel(self, interaction: discord.Interaction, night: int | None = None) -> None:
        """Ask the presser to confirm that a night is cancelled."""
        await reply_panel(interaction, cancel_question(await self._found(interaction, night), texts_of(interaction)))

    @command("night_host", mark("Lead a game night: pause, time, people, results"), allowance=FREE, options=_WHICH)
    async def host(self, interaction: discord.Interaction, night: int | None = None) -> None:
        """Show the host's panel of a night."""
        found, texts = await self._nights.without_gone(await self._found(interaction, night)), texts_of(interaction)
        fault = await continue_when_slow(self._nights.messages.events.fault(found, texts))
        await reply_panel(interaction, host_panel(found, texts, self._nights.messages.warning(found, texts), fault))

    @night.autocomplete("night")
    @edit.autocomplete("night")
    @cancel.autocomplete("night")
    @host.autocomplete("night")
    async def offer_nights(self, interaction: discord.Interaction, current: str) -> list[Choice[int]]:
        """Suggest the planned and running nights."""
        return self._nights.offered(interaction, str(current))

    async def _found(self, interaction: discord.Interaction, night_id: int | None) -> Night:
        """Return the chosen night.

        Raises:
            RefusedError: There is none, or the presser may not host it.
        """
        if night_id is None:
            found = self._nights.shown_to(interaction)
            if found is None:
                raise RefusedError(texts_of(interaction).t("None is planned: {/night_create} plans one."))
            night_id = found.id
        return await self._nights.hosted(interaction, night_id)


def _listed(night: Night, texts: Texts) -> str:
    link = link_to(night.guild_id, night.plan.post_channel, night.message_id)
    count = texts.n("**{count} signed up**", "**{count} signed up**", len(night.present))
    title = f"**[{title_of(night.plan)}]({link})**"
    return f"{title} · {on_day(night.plan.starts_at)} · {count}\n-# {how_line(night.plan, texts)}"
