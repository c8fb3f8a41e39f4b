"""Which channels a user can see, about which Discord may have to be asked."""

import asyncio
from collections.abc import Collection, Coroutine
from typing import Any, Final

import discord

from bot.discord.api.responses import defer
from bot.discord.rate_limits.bot_requests import BotRequests

_REMEMBERED_S: Final = 60.0
_PATIENCE_S: Final = 5.0
"""Longest wait for an answer, in seconds; discord.py may sleep for minutes, if Discord asks for that."""


class ChannelAccess:
    """Looks up which channels a user can see.

    Discord is asked about archived threads and members of private threads; its answers are cached for a minute. That
    may take seconds, so the interaction is deferred before. Permissions are computed each time.
    """

    def __init__(self, requests: BotRequests) -> None:
        self._requests = requests
        self._answers: dict[tuple[int, ...], tuple[float, Any]] = {}

    async def visible(
        self, interaction: discord.Interaction, channel_ids: Collection[int], *, turns: bool = False
    ) -> frozenset[int]:
        """Return those channels that the user can see.

        With `turns`, a deferred answer replaces the pressed panel; else it is a new message.
        """
        seen = await asyncio.gather(
            *(self._may_view(interaction, channel_id, turns=turns) for channel_id in channel_ids)
        )
        return frozenset(channel_id for channel_id, is_seen in zip(channel_ids, seen, strict=True) if is_seen)

    async def _may_view(self, interaction: discord.Interaction, channel_id: int, *, turns: bool) -> bool:
        """Return whether the user can see a channel or thread of this server that still exists."""
        guild, member = interaction.guild, interaction.user
        if guild is None or not isinstance(member, discord.Member):
            return False
        if channel_id == interaction.channel_id:
            return True
        channel = guild.get_channel_or_thread(channel_id)
        if channel is None:
            await defer(interaction, is_new=not turns)
            channel = await self._ask((channel_id,), guild.fetch_channel(channel_id))
        if channel is None or (isinstance(channel, discord.Thread) and channel.parent is None):
            return False
        permissions = channel.permissions_for(member)
        if not permissions.view_channel:
            return False
        if isinstance(channel, discord.Thread) and channel.is_private() and not permissions.manage_threads:
            await defer(interaction, is_new=not turns)
            return await self._ask((channel_id, member.id), channel.fetch_member(member.id)) is not None
        return True

    async def _ask(self, about: tuple[int, ...], question: Coroutine[Any, Any, Any]) -> Any:
        """Return Discord's answer, or the cached one; None if there is no such object, or no answer in time.

        Args:
            about: The key in the cache.
            question: The request.
        """
        now = asyncio.get_running_loop().time()
        self._answers = {known: answer for known, answer in self._answers.items() if answer[0] > now}
        try:
            if about not in self._answers:
                async with asyncio.timeout(_PATIENCE_S), self._requests.permit() as permit:
                    permit.record_sent()
                    self._answers[about] = now + _REMEMBERED_S, await question
        except (discord.NotFound, discord.Forbidden, discord.InvalidData):
            self._answers[about] = now + _REMEMBERED_S, None
        except TimeoutError:  # the next press asks again
            return None
        finally:
            question.close()
        return self._answers[about][1]
