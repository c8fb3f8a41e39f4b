"""`/kems daily` and `/kems-admin daily`, and what scenes are made of."""

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.base.clock import Clock
from bot.daily.day import day_of, hour_at
from bot.daily.store import SceneStore
from bot.discord.api.interactions import guild_of, reader
from bot.discord.api.patience import or_later
from bot.discord.api.responses import reply
from bot.discord.interactions.admission.budgets import FREE, POSTS
from bot.discord.interactions.admission.rights import check_manages_server
from bot.discord.interactions.feature import CommandSet, Feature, command
from bot.discord.messages.live_message import LiveContext
from bot.discord.places.permissions import IN_CHANNEL, check_not_timed_out, missing, permission_names
from bot.discord.rate_limits.panel_requests import PanelRequests
from bot.discord.text.texts import mark
from bot.records.archive import Archive
from bot.records.history import History
from bot.tables.hub import Hub, SettingsChanged
from bot.tables.server_settings import ServerStore
from bot.ui.daily.daily_post import DailyPost
from bot.ui.daily.live_scenes import LiveScenes
from bot.ui.daily.presses import ScenePresses
from bot.ui.daily.stage import Stage
from bot.ui.lobby.places import ServerDefaults
from bot.ui.words.table_text import countdown

_LAST_HOUR: Final = 23


@dataclass(frozen=True, slots=True)
class Daily:
    feature: Feature
    scenes: LiveScenes
    post: DailyPost


def wire_daily(
    context: LiveContext,
    hub: Hub,
    panel_requests: PanelRequests,
    defaults: ServerDefaults,
    servers: ServerStore,
    store: SceneStore,
    history: History,
    archive: Archive,
) -> Daily:
    clock = context.clock
    stage = Stage(store, archive, clock)
    scenes = LiveScenes(context.client, clock, store, panel_requests, context.emojis, stage)
    post = DailyPost(context, store, servers, defaults)
    hub.subscribe(SettingsChanged, post.settings_changed)
    presses = ScenePresses(history, archive, store, stage, scenes, defaults)
    commands = (*DailyCommand(presses).commands, *DailyPostCommand(servers, clock).commands)
    return Daily(Feature(presses=(presses,), commands=commands), scenes, post)


@dataclass(eq=False, repr=False)
class DailyCommand(CommandSet):
    _presses: ScenePresses

    @command("daily", mark("Play the deal of the day: three short scenes, one try each"), draws=FREE)
    async def daily(self, interaction: discord.Interaction) -> None:
        await self._presses.show_mine(interaction)


@dataclass(eq=False, repr=False)
class DailyPostCommand(CommandSet):
    _servers: ServerStore
    _clock: Clock

    @command(
        "daily_post",
        mark("Post the deal of the day here, at an hour that you choose; off by default"),
        draws=POSTS,
        options={"hour": (mark("hour"), mark("0 to 23, in Paris; without an hour nothing is posted any more"))},
    )
    async def daily(
        self, interaction: discord.Interaction, hour: app_commands.Range[int, 0, _LAST_HOUR] | None = None
    ) -> None:
        check_manages_server(interaction)
        texts, now = reader(interaction), self._clock.now()
        if hour is None:
            off = self._servers.change(guild_of(interaction), lambda one: replace(one, daily_channel=None))
            await or_later(off)
            await reply(interaction, texts.t("The deal of the day is not posted here any more."))
            return
        check_not_timed_out(interaction.guild, texts)
        if lacks := missing(interaction.app_permissions, IN_CHANNEL):
            line = texts.t("I lack these permissions in this channel: {names}.", names=permission_names(lacks, texts))
            await reply(interaction, line)
            return
        today = day_of(now)
        at = hour_at(today, hour)
        posted = today if at <= now else today - timedelta(1)
        channel, last = interaction.channel_id, posted.toordinal()
        chosen = partial(replace, daily_channel=channel, daily_hour=hour, daily_posted=last)
        await or_later(self._servers.change(guild_of(interaction), chosen))
        first = at if at > now else hour_at(today + timedelta(1), hour)
        line = texts.t("The deal of the day is posted here every day, quietly; next {when}.", when=countdown(first))
        await reply(interaction, line)
