"""Writes in a server's log channel what its hosts and managers did to others: a line each, which mentions nobody."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import discord
import structlog

from bot.base.background import Tasks
from bot.base.errors import StoreError
from bot.discord.messages.live_message import LiveContext, Spot
from bot.discord.messages.notices import post_once
from bot.discord.places.server_defaults import ServerDefaults
from bot.discord.text.names import defuse
from bot.discord.text.texts import Texts, texts_for
from bot.tables.hub import Moderated, PersonBanned

BURST_S: Final = 2.0
"""What happens in a server within this time is one message."""
MOST_LINES: Final = 9
_MOST: Final = 200  # characters of a line: Discord takes 2,000 for all

_log = structlog.get_logger(__name__)


class LogChannel:
    """One for all servers. Where it cannot write, `/kems-admin config` says why."""

    def __init__(self, context: LiveContext, defaults: ServerDefaults) -> None:
        self._context = context
        self._defaults = defaults
        self._waiting: dict[int, list[Callable[[Any], str]]] = {}
        self._lost: dict[int, int] = {}  # lines that Discord refused, by server, since it took some last
        self._tasks = Tasks()
        self._stopping = asyncio.Event()

    async def stop(self) -> None:
        """Writes at once what waits for the end of its burst."""
        self._stopping.set()
        await self._tasks.finish()

    def moderated(self, moderated: Moderated) -> None:
        waiting = self._waiting.setdefault(moderated.guild_id, [])
        waiting.append(moderated.words)
        if len(waiting) == 1:
            self._tasks.begin(self._write_soon(moderated.guild_id))

    def banned(self, banned: PersonBanned) -> None:
        who = {"by": f"<@{banned.by_id}>", "name": f"<@{banned.user_id}>", "day": f"<t:{banned.until // 1000}:D>"}
        reason = defuse(banned.reason, _MOST) or "—"
        told = Moderated(
            banned.guild_id, lambda t: t.t("⛔ {by} banned {name} until {day} · {reason}", **who, reason=reason)
        )
        self.moderated(told)

    def troubles(self, guild_id: int, texts: Texts) -> list[str]:
        if (lost := self._lost.get(guild_id)) is None:
            return []
        return [
            texts.n(
                "⚠️ log: {count} line is lost, Discord refused it",
                "⚠️ log: {count} lines are lost, Discord refused them",
                lost,
            )
        ]

    async def _write_soon(self, guild_id: int) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), BURST_S)
        waiting = self._waiting.pop(guild_id)
        try:
            await self._write(guild_id, waiting)
        except StoreError as error:
            _log.warning("log_channel.not_written", guild=guild_id, problem=str(error))

    async def _write(self, guild_id: int, waiting: list[Callable[[Any], str]]) -> None:
        settings, guild = await self._defaults.read(guild_id), self._context.client.get_guild(guild_id)
        channel = None if guild is None else guild.get_channel(settings.log_channel or 0)
        if guild is None or not isinstance(channel, discord.TextChannel):
            return
        texts = texts_for(self._defaults.language(settings, guild))
        lines = [words(texts)[:_MOST] for words in waiting[:MOST_LINES]]
        if more := len(waiting) - len(lines):
            lines.append("-# " + texts.t("… and {count} more", count=more))
        nonce = f"log{self._context.clock.now()}.{guild_id % 10**8}"
        spot = Spot(guild_id, channel.id)
        stands = await post_once(self._context, spot, "\n".join(lines), nonce, texts, guild=guild_id)
        if stands:
            self._lost.pop(guild_id, None)
        elif stands is False:
            self._lost[guild_id] = self._lost.get(guild_id, 0) + len(waiting)
