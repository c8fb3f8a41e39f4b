"""The quiet message of a day on servers that want one. One process does it for all."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

import discord
import structlog

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.base.times import HOUR_MS, MINUTE_MS
from bot.base.worker import Worker
from bot.daily.day import day_of, hour_of
from bot.daily.store import SceneStore
from bot.discord.api.requests import FAILED, NOBODY, PreparedView, facts
from bot.discord.rate_limits.responses import SERVER_ERROR, TOO_MANY
from bot.discord.text.texts import texts_for
from bot.tables.hub import SettingsChanged
from bot.tables.server_settings import ServerStore
from bot.ui.daily.screens import invitation
from bot.ui.lobby.places import ServerDefaults

POST_S: Final = 10.0
"""How long Discord may take: the posts of other servers wait meanwhile."""

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
        day, is_done = day_of(now), True
        for guild_id, channel_id in await self._store.posts_due(day, hour_of(now)):
            try:
                is_posted = await self._post_in(guild_id, channel_id, day)
                if is_posted:  # after a crash before this, Discord knows the nonce
                    await self._servers.change(guild_id, lambda one: replace(one, daily_posted=day.toordinal()))
            except StoreError as error:
                _log.warning("daily.not_saved", guild=guild_id, problem=str(error))
                is_posted = False
            is_done = is_done and is_posted
        return (now // HOUR_MS + 1) * HOUR_MS if is_done else self._clock.now() + MINUTE_MS

    async def _post_in(self, guild_id: int, channel_id: int, day: date) -> bool:
        """Returns False where it is to be tried again today; what Discord refuses is tried again tomorrow."""
        guild = self._client.get_guild(guild_id)
        texts = texts_for(self._defaults.language(await self._servers.read(guild_id), guild))
        yesterday = day - timedelta(1)
        message = invitation(day, await self._store.scores(guild_id, yesterday, yesterday), texts)
        channel = self._client.get_partial_messageable(channel_id, guild_id=guild_id)
        nonce = f"{guild_id:x}.{day.toordinal()}"
        try:
            async with asyncio.timeout(POST_S):
                await channel.send(view=PreparedView(message), silent=True, allowed_mentions=NOBODY, nonce=nonce)
        except FAILED as error:
            _log.warning("daily.not_posted", guild=guild_id, **facts(error))
            return isinstance(error, discord.HTTPException) and error.status < SERVER_ERROR and error.status != TOO_MANY
        return True
