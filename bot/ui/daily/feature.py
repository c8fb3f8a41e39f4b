"""`/kems daily` and `/kems-admin daily`, and what scenes are made of."""

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.base.clock import Clock
from bot.daily.day import day_of, hour_at
from bot.discord.api.interactions import guild_of, reader
from bot.discord.api.patience import or_later
from bot.discord.api.responses import reply
from bot.discord.interactions.admission.budgets import FREE, POSTS
from bot.discord.interactions.admission.rights import check_manages_server
from bot.discord.interactions.feature import CommandSet, Feature, command
from bot.discord.interactions.rooms import Rooms
from bot.discord.places.permissions import IN_CHANNEL, check_not_timed_out, missing, permission_names
from bot.discord.text.texts import mark
from bot.tables.hub import SettingsChanged, on
from bot.tables.server_settings import ServerStore
from bot.ui.daily.daily_post import DailyPost
from bot.ui.daily.live_scenes import LiveScenes
from bot.ui.daily.presses import ScenePresses
from bot.ui.daily.stage import Stage
from bot.ui.words.table_text import countdown

_LAST_HOUR: Final = 23


def daily_feature(rooms: Rooms) -> Feature:
    client, clock, store, defaults = rooms.client, rooms.clock, rooms.store, rooms.defaults
    stage = Stage(store.scenes, store.archive, clock)
    scenes = LiveScenes(client, clock, store.scenes, rooms.panel_requests, rooms.emojis, stage)
    post = DailyPost(rooms.live.context, store.scenes, store.servers, defaults)
    presses = ScenePresses(store.history, store.archive, store.scenes, stage, scenes, defaults)
    return Feature(
        presses=(presses,),
        commands=(*DailyCommand(presses).commands, *DailyPostCommand(store.servers, clock).commands),
        hears=(on(SettingsChanged, post.settings_changed),),
        of_shards=(scenes,),
        of_leader=(post,),
        stops=(scenes.release,),
    )


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
