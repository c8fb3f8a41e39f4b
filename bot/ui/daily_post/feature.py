"""`/kems-admin daily`, and the silent message of a day on servers that want one. One process posts them all."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import Final

import discord
import structlog
from discord import app_commands

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.base.times import HOUR_MS, MINUTE_MS
from bot.base.worker import Worker
from bot.daily.day import day_of, hour_at, hour_of
from bot.discord.api.interactions import guild_id_of, texts_of
from bot.discord.api.patience import continue_when_slow
from bot.discord.api.responses import reply
from bot.discord.interactions.admission.allowances import POSTS
from bot.discord.interactions.admission.rights import check_manages_server
from bot.discord.interactions.feature import CommandSet, Feature, command
from bot.discord.interactions.rooms import Rooms
from bot.discord.messages.notices import post_once
from bot.discord.messages.posted_message import MessageAddress
from bot.discord.pictures.illustrations import Illustrated
from bot.discord.places.permissions import IN_CHANNEL, check_not_timed_out, missing_permissions, permission_names
from bot.discord.text.texts import mark, texts_for
from bot.tables.hub import SettingsChanged, on
from bot.tables.servers.settings import ServerStore
from bot.ui.daily.screens import invitation
from bot.ui.daily.stage import Stage
from bot.ui.words.table_text import countdown

POST_S: Final = 10.0
"""Longest time that Discord may take: the posts of other servers wait meanwhile."""

_LAST_HOUR: Final = 23

_log = structlog.get_logger(__name__)


def feature(rooms: Rooms) -> Feature:
    """Return the daily message of servers as a feature."""
    post = DailyPost(rooms, Stage(rooms))
    return Feature(
        commands=DailyPostCommand(rooms.store.servers, rooms.clock).commands,
        hears=(on(SettingsChanged, post.settings_changed),),
        of_leader=(post,),
    )


@dataclass(eq=False, repr=False)
class DailyPostCommand(CommandSet):
    """`/kems-admin daily`: the channel and the hour of a server's message."""

    _servers: ServerStore
    _clock: Clock

    @command(
        "daily_post",
        mark("Post the deal of the day here, at an hour that you choose; off by default"),
        allowance=POSTS,
        options={"hour": (mark("hour"), mark("0 to 23, in Paris; without an hour nothing is posted any more"))},
    )
    async def daily(
        self, interaction: discord.Interaction, hour: app_commands.Range[int, 0, _LAST_HOUR] | None = None
    ) -> None:
        """Post the daily message in this channel at an hour of Paris (0 to 23); without an hour, stop posting it."""
        check_manages_server(interaction)
        texts, now = texts_of(interaction), self._clock.now()
        if hour is None:
            off = self._servers.change(guild_id_of(interaction), lambda settings: replace(settings, daily_channel=None))
            await continue_when_slow(off)
            await reply(interaction, texts.t("The deal of the day is not posted here any more."))
            return
        check_not_timed_out(interaction.guild, texts)
        if lacks := missing_permissions(interaction.app_permissions, IN_CHANNEL):
            line = texts.t("Missing permissions in this channel: {names}.", names=permission_names(lacks, texts))
            await reply(interaction, line)
            return
        today = day_of(now)
        at = hour_at(today, hour)
        posted = today if at <= now else today - timedelta(1)
        channel, last = interaction.channel_id, posted.toordinal()
        chosen = partial(replace, daily_channel=channel, daily_hour=hour, daily_posted_day=last)
        await continue_when_slow(self._servers.change(guild_id_of(interaction), chosen))
        first = at if at > now else hour_at(today + timedelta(1), hour)
        line = texts.t("The deal of the day is posted here every day, quietly; next {when}.", when=countdown(first))
        await reply(interaction, line)


class DailyPost(Worker):
    """Posts the message of a day on each server whose hour has come."""

    def __init__(self, rooms: Rooms, stage: Stage) -> None:
        super().__init__(rooms.clock, "daily_post", self._post, retry_ms=MINUTE_MS)
        self._rooms, self._stage = rooms, stage

    def settings_changed(self, _changed: SettingsChanged) -> None:
        """Check again whether a message is due."""
        self.wake()

    async def _post(self) -> int:
        now = self._clock.now()
        day, is_done = day_of(now), True
        for guild_id, channel_id in await self._rooms.store.scenes.posts_due(day, hour_of(now)):
            try:
                is_posted = await self._post_in(guild_id, channel_id, day)
                if is_posted:  # after a crash before this, Discord knows the nonce
                    posted = partial(replace, daily_posted_day=day.toordinal())
                    await self._rooms.store.servers.change(guild_id, posted)
            except StoreError as error:
                _log.warning("daily.not_saved", guild=guild_id, problem=str(error))
                is_posted = False
            is_done = is_done and is_posted
        return (now // HOUR_MS + 1) * HOUR_MS if is_done else self._clock.now() + MINUTE_MS

    async def _post_in(self, guild_id: int, channel_id: int, day: date) -> bool:
        """Post the message. Return False if that is to be retried today; a refusal of Discord is retried tomorrow."""
        guild = self._rooms.client.get_guild(guild_id)
        texts = texts_for(self._rooms.defaults.language(await self._rooms.store.servers.read(guild_id), guild))
        yesterday = day - timedelta(1)
        message = invitation(day, await self._stage.scores(guild_id, yesterday, yesterday), texts)
        address = MessageAddress(guild_id, channel_id)
        look = Illustrated(message)
        nonce = f"{guild_id:x}.{day.toordinal()}"
        context = self._rooms.live.context
        refusal = await post_once(context, address, look, nonce, texts, is_silent=True, within_s=POST_S, guild=guild_id)
        return refusal is None or not refusal.may_pass
