"""The quiet message of a day on servers that want one. One process does it for all."""

from dataclasses import replace
from datetime import date, timedelta

import discord
import structlog

from bot.daily.day import day_of, hour_of
from bot.daily.store import SceneStore
from bot.tables.clock import Clock
from bot.tables.hub import SettingsChanged
from bot.tables.server_settings import ServerStore
from bot.tables.worker import Worker
from bot.times import HOUR_MS, MINUTE_MS
from bot.ui.daily.screens import invitation
from bot.ui.kit.interactions import NOBODY, PreparedView, noting
from bot.ui.kit.texts import texts_for
from bot.ui.lobby.places import ServerDefaults

_log = structlog.get_logger(__name__)


class DailyPost(Worker):
    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        store: SceneStore,
        servers: ServerStore,
        defaults: ServerDefaults,
    ) -> None:
        super().__init__(clock, "daily_post", self._post, retry_ms=MINUTE_MS)
        self._client, self._store = client, store
        self._servers, self._defaults = servers, defaults

    def settings_changed(self, _changed: SettingsChanged) -> None:
        self.wake()

    async def _post(self) -> int:
        now = self._clock.now()
        day = day_of(now)
        for guild_id, channel_id in await self._store.posts_due(day, hour_of(now)):
            await self._post_in(guild_id, channel_id, day)
            # What Discord refused today is tried again tomorrow. After a crash before this, Discord knows the nonce.
            await self._servers.change(guild_id, lambda one: replace(one, daily_posted=day.toordinal()))
        return (now // HOUR_MS + 1) * HOUR_MS

    async def _post_in(self, guild_id: int, channel_id: int, day: date) -> None:
        guild = self._client.get_guild(guild_id)
        texts = texts_for(self._defaults.language(await self._servers.read(guild_id), guild))
        yesterday = day - timedelta(1)
        message = invitation(day, await self._store.scores(guild_id, yesterday, yesterday), texts)
        channel = self._client.get_partial_messageable(channel_id, guild_id=guild_id)
        with noting(_log.warning, "daily.not_posted", guild=guild_id):
            nonce = f"{guild_id:x}.{day.toordinal()}"
            await channel.send(view=PreparedView(message), silent=True, allowed_mentions=NOBODY, nonce=nonce)
