"""Pictures with avatars, which are fetched from Discord and cached.

Initials are drawn for people without an avatar, those who want none shown, and those whose avatar comes too late.
"""

import asyncio
from collections.abc import Collection, Mapping
from typing import Final

import discord
import structlog

from bot.base.background import LruCache
from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.discord.api.requests import FAILED
from bot.discord.rate_limits.throttling import RateLimitWindow, RequestPermit
from bot.records.personal_data import PersonalData
from bot.records.pictures import Picture, PictureFile, Pictures, avatar_user_ids, with_avatars

WAIT_S: Final = 2.0
"""Longest wait for all avatars of a picture, in seconds."""
KEPT_MS: Final = 3600_000
MOST_KEPT: Final = 256
MOST_BYTES: Final = 64 * 1024
"""The largest file of an avatar that is shown, in bytes."""
LOOKUPS: Final = (12, 4.0)
"""The most users fetched per so many seconds: a whole table at once, from what `REQUESTS_A_SECOND` leaves free."""
_SIDE: Final = 128  # pixels

_log = structlog.get_logger(__name__)


class Portraits:
    """Draws pictures through `Pictures`, with avatars added."""

    def __init__(self, client: discord.Client, clock: Clock, pictures: Pictures, personal_data: PersonalData) -> None:
        self._client = client
        self._clock = clock
        self._pictures = pictures
        self._personal_data = personal_data
        self._lookups = RateLimitWindow(*LOOKUPS)
        self._kept: LruCache[int, tuple[int, bytes | None]] = LruCache(MOST_KEPT)  # until when, by user id

    async def forget(self, user_id: int) -> None:
        """Drop the cached avatar of a person whose data is erased."""
        self._kept.pop(user_id, None)

    async def draw(self, picture: Picture) -> PictureFile:
        """Return the picture as a file, with the avatars of its people."""
        people = avatar_user_ids(picture)
        if people:
            picture = with_avatars(picture, await self._avatars(people))
        return await self._pictures.draw(picture)

    async def _avatars(self, user_ids: Collection[int]) -> Mapping[int, bytes]:
        wanted = list[int]()
        try:
            async with asyncio.timeout(WAIT_S):
                shy = await self._personal_data.without_avatar(user_ids)
                wanted = [user_id for user_id in user_ids if user_id not in shy]
                await asyncio.gather(*(self._fetch(user_id) for user_id in wanted if not self._is_kept(user_id)))
        except StoreError as error:
            _log.warning("avatars.unknown", problem=str(error), effect="initials are shown")
            return {}
        except TimeoutError:
            _log.info("avatars.late", effect="initials are shown")
        found = ((user_id, self._kept[user_id][1]) for user_id in wanted if user_id in self._kept)
        return {user_id: avatar for user_id, avatar in found if avatar is not None}

    def _is_kept(self, user_id: int) -> bool:
        return user_id in self._kept and self._clock.now() < self._kept[user_id][0]

    async def _fetch(self, user_id: int) -> None:
        avatar: bytes | None = None
        try:
            async with RequestPermit(self._lookups) as permit:
                permit.record_sent()
                user = await self._client.fetch_user(user_id)
            if user.avatar is not None:
                avatar = await user.avatar.replace(size=_SIDE, static_format="png").read()
        except (*FAILED, discord.DiscordException) as error:
            _log.info("avatar.not_fetched", problem=type(error).__name__)
        self._kept.pop(user_id, None)
        self._kept[user_id] = self._clock.now() + KEPT_MS, avatar if len(avatar or b"") <= MOST_BYTES else None
