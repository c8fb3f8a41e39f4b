"""Whether people are still members of a server.

No event tells that somebody has left, for the bot does not ask for the privileged intent. It asks by the gateway when
it matters, for up to a hundred people at once, and for the same person once a minute at most. Such a request needs no
privileged intent: https://discord.com/developers/docs/events/gateway-events#request-guild-members
"""

import asyncio
from collections.abc import Collection, Mapping
from enum import Enum, auto
from typing import Final

import discord
import structlog

from bot.base.clock import Clock
from bot.base.times import MINUTE_MS

ANSWER_S: Final = 2.0
"""How long Discord may take to answer."""
_AT_ONCE: Final = 100

_log = structlog.get_logger(__name__)


class Standing(Enum):
    """`TIMED_OUT`: a moderator gave the member a timeout, which is not over. `GONE`: has left, or is banned."""

    HERE = auto()
    TIMED_OUT = auto()
    GONE = auto()


class Members:
    """One for the whole process."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._known: dict[tuple[int, int], tuple[int, Standing]] = {}  # since when, by server and user

    async def look_up(self, guild_id: int, user_ids: Collection[int]) -> Mapping[int, Standing]:
        """How these people stand to a server; nothing of those about whom Discord does not answer."""
        now, guild = self._clock.now(), self._client.get_guild(guild_id)
        self._known = {key: (at, how) for key, (at, how) in self._known.items() if now - at < MINUTE_MS}
        asked = [user_id for user_id in user_ids if (guild_id, user_id) not in self._known]
        if guild is not None and not guild.unavailable:
            for start in range(0, len(asked), _AT_ONCE):
                await self._ask(guild, asked[start : start + _AT_ONCE], now)
        known = ((user_id, self._known.get((guild_id, user_id))) for user_id in user_ids)
        return {user_id: found[1] for user_id, found in known if found is not None}

    async def gone(self, guild_id: int, user_ids: Collection[int]) -> frozenset[int]:
        found = await self.look_up(guild_id, user_ids)
        return frozenset(user_id for user_id, standing in found.items() if standing is Standing.GONE)

    async def _ask(self, guild: discord.Guild, user_ids: Collection[int], now: int) -> None:
        try:
            async with asyncio.timeout(ANSWER_S):
                found = await guild.query_members(user_ids=[*user_ids], limit=_AT_ONCE, cache=False)
        except (TimeoutError, discord.ClientException, ConnectionError, RuntimeError) as error:
            _log.info("members.unknown", server=guild.id, problem=type(error).__name__)
            return
        until = {one.id: one.timed_out_until for one in found}
        for user_id in user_ids:
            standing = Standing.HERE if user_id in until else Standing.GONE
            if (end := until.get(user_id)) is not None and end.timestamp() * 1000 > now:
                standing = Standing.TIMED_OUT
            self._known[guild.id, user_id] = now, standing
