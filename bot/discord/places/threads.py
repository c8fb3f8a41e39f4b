"""Threads: open, archive, unarchive and delete them."""

import asyncio
from functools import partial
from typing import Final, Literal

import discord
import structlog

from bot.discord.api.error_codes import Resource
from bot.discord.api.requests import error_fields, log_failures
from bot.discord.places.refusals import DiscordRefusal, attempt
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.rate_limits.throttling import RequestPermit

THREAD_S: Final = 5.0
"""Longest time to open a thread, in seconds. Discord may refuse threads for minutes, which discord.py sleeps through:
https://github.com/discord/discord-api-docs/issues/7816
"""
_LOOKED_AT: Final = 20
"""How many messages are read to find out whether a thread is empty."""
_BEGINNING: Final = discord.MessageType.thread_starter_message
NOT_NOW: Final = DiscordRefusal(Resource.THREAD, may_pass=True)

_log = structlog.get_logger(__name__)


async def open_thread(
    requests: BotRequests,
    channel: discord.TextChannel,
    name: str,
    *,
    under: int | None = None,
    kind: discord.ChannelType = discord.ChannelType.public_thread,
    archive_minutes: Literal[60, 1440] = 1440,
    user_id: int | None = None,
) -> int | DiscordRefusal:
    """Open a thread and return its id, or why there is none. Do not await it while a message is being written.

    Args:
        requests: The rate limits.
        channel: The thread's channel.
        name: At most 100 characters.
        under: The id of the message to which it belongs; None for a thread of its own.
        kind: Public or private.
        archive_minutes: Minutes without a message after which it is archived.
        user_id: A user to add to it. If that fails, the thread is deleted again.
    """
    made: list[discord.Thread] = []

    async def opened() -> int | DiscordRefusal:
        on_limit = partial(requests.record_thread_limit, channel.id)
        async with requests.permit(is_urgent=True, on_limit=on_limit) as permit:
            if requests.threads_from(channel.id) is not None:
                return NOT_NOW
            permit.record_sent()
            message = None if under is None else discord.Object(under)
            thread = await channel.create_thread(
                name=name, message=message, type=kind, auto_archive_duration=archive_minutes
            )
            made.append(thread)
        if user_id is not None:
            async with requests.permit(is_urgent=True) as permit:
                permit.record_sent()
                await thread.add_user(discord.Object(user_id))
        return thread.id

    if requests.threads_from(channel.id) is not None:
        return NOT_NOW
    found = await attempt(Resource.THREAD, opened(), THREAD_S, channel=channel.id)
    if isinstance(found, DiscordRefusal):
        for thread in made:
            await delete_thread(requests, thread)
    return found


async def delete_thread(requests: BotRequests, thread: discord.Thread) -> None:
    """Delete a thread, or archive it: the invitation does not request the permission to delete threads."""
    with log_failures(_log.info, "thread.stays", thread=thread.id):
        async with asyncio.timeout(THREAD_S), requests.permit(is_urgent=True) as permit:
            await _delete(thread, permit)


async def _delete(thread: discord.Thread, permit: RequestPermit) -> None:
    await permit.acquire_and_record()
    try:
        await thread.delete()
    except discord.Forbidden:
        await permit.acquire_and_record()
        await thread.edit(archived=True)


async def delete_if_empty(client: discord.Client, channel_id: int, permit: RequestPermit) -> None:
    """Delete or archive a thread that the bot has opened if it has no messages, with requests of the permit."""
    with log_failures(_log.info, "thread.stays", thread=channel_id):
        if (channel := client.get_channel(channel_id)) is None:  # it may be archived
            await permit.acquire_and_record()
            channel = await client.fetch_channel(channel_id)
        if not isinstance(channel, discord.Thread) or client.user is None or channel.owner_id != client.user.id:
            return
        await permit.acquire_and_record()
        written = [message async for message in channel.history(limit=_LOOKED_AT)]
        if all(message.is_system() or message.type is _BEGINNING for message in written):
            await _delete(channel, permit)


async def archive_thread(requests: BotRequests, thread: discord.Thread) -> None:
    """Archive a thread; any later post would unarchive it."""
    with log_failures(_log.info, "thread.stays", thread=thread.id):
        async with requests.permit(thread.id) as permit:
            permit.record_sent()
            await thread.edit(archived=True)


async def unarchive_thread(client: discord.Client, thread_id: int, permit: RequestPermit) -> bool:
    """Unarchive a thread; return whether Discord allowed it. A locked thread stays archived."""
    try:
        await permit.acquire_and_record()
        thread = await client.fetch_channel(thread_id)
        if isinstance(thread, discord.Thread):
            await permit.acquire_and_record()
            await thread.edit(archived=False)
    except (discord.HTTPException, discord.InvalidData) as error:
        _log.info("thread.closed", thread=thread_id, **error_fields(error))
        return False
    return True
