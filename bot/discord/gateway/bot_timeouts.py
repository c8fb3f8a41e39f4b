"""A moderator gives the bot a timeout: what failed meanwhile is tried again once it is over.

Discord tells when a timeout begins and when somebody ends it early; no event tells that its time is over.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import discord
import structlog

MARGIN_S: Final = 2.0
"""How much later than at the end it is tried again, for clocks that differ."""

_log = structlog.get_logger(__name__)


class BotTimeouts:
    """The timeouts of the bot, by server. `_is_over` is called with the server's id once one is over."""

    def __init__(self, is_over: Callable[[int], None]) -> None:
        self._is_over = is_over
        self._timers: dict[int, asyncio.TimerHandle] = {}

    def look(self, guild: discord.Guild) -> None:
        """See whether the bot is in a timeout in that server, and wait for its end."""
        former = self._timers.pop(guild.id, None)
        if former is not None:
            former.cancel()
        until = guild.me.timed_out_until if guild.me.is_timed_out() else None
        if until is None:
            return
        wait_s = (until - discord.utils.utcnow()).total_seconds() + MARGIN_S
        _log.warning("bot.timed_out", server=guild.id, seconds=round(wait_s))
        self._timers[guild.id] = asyncio.get_running_loop().call_later(wait_s, self._end, guild)

    def stop(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _end(self, guild: discord.Guild) -> None:
        self.look(guild)  # it may last longer by now
        if guild.id not in self._timers:
            self._is_over(guild.id)
