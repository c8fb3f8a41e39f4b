"""Scheduled events of a server: create, edit and delete them."""

from collections.abc import Callable
from typing import Any, Final

import discord

from bot.discord.api.discord_internals import request
from bot.discord.api.error_codes import Resource
from bot.discord.places.refusals import DiscordRefusal, attempt

EVENT_S: Final = 600.0
"""Longest time of a request, in seconds: nothing but the event waits for it."""
Hear = Callable[[DiscordRefusal], object]
_EVENTS: Final = "/guilds/{guild_id}/scheduled-events"
_EVENT: Final = f"{_EVENTS}/{{event_id}}"


def may_make_events(guild: discord.Guild | None) -> bool:
    """Return whether the bot may create events; the permission to manage events does not include that.

    Source: https://github.com/discord/discord-api-docs/pull/8002
    """
    return guild is not None and guild.me.guild_permissions.create_events


async def create_event(
    client: discord.Client, guild_id: int, event_fields: dict[str, Any], hear: Hear
) -> int | DiscordRefusal:
    """Create a server event outside of Discord's channels; return its id, or why Discord refuses it.

    Args:
        client: That of the bot.
        guild_id: The server.
        event_fields: The fields of the event, by Discord's names.
        hear: Called with each refusal for which discord.py waits and retries (`attempt`).
    """

    async def create() -> int:
        fixed = {
            "privacy_level": discord.PrivacyLevel.guild_only.value,
            "entity_type": discord.EntityType.external.value,
        }
        return int((await request(client, "POST", _EVENTS, fixed | event_fields, guild_id=guild_id))["id"])

    return await attempt(Resource.EVENT, create(), EVENT_S, hear, guild=guild_id)


async def edit_event(
    client: discord.Client, guild_id: int, event_id: int, changes: dict[str, Any], hear: Hear = lambda _: None
) -> DiscordRefusal | None:
    """Edit an event of a server; return why Discord refuses, or None."""

    async def edit() -> None:
        await request(client, "PATCH", _EVENT, changes, guild_id=guild_id, event_id=event_id)

    return await attempt(Resource.EVENT, edit(), EVENT_S, hear, guild=guild_id)


async def delete_event(client: discord.Client, guild_id: int, event_id: int) -> DiscordRefusal | None:
    """Delete an event of a server; return why Discord refuses, or None."""

    async def delete() -> None:
        await request(client, "DELETE", _EVENT, guild_id=guild_id, event_id=event_id)

    return await attempt(Resource.EVENT, delete(), EVENT_S, guild=guild_id)
