"""The one way to make, to change and to delete an event of a server."""

from typing import Any, Final

import discord

from bot.discord.api.error_codes import Asked
from bot.discord.places.refusals import Refusal, attempted

EVENT_S: Final = 600.0
"""How long Discord may let an event wait, which nothing but the event waits for."""


def may_make_events(guild: discord.Guild | None) -> bool:
    """Managing events is not enough: https://github.com/discord/discord-api-docs/pull/8002."""
    return guild is not None and guild.me.guild_permissions.create_events


async def create_event(client: discord.Client, guild_id: int, shown: dict[str, Any]) -> int | Refusal:
    """The id of a new event at a place outside of Discord, which has these fields."""

    async def create() -> int:
        made = await client.http.create_guild_scheduled_event(
            guild_id,
            privacy_level=discord.PrivacyLevel.guild_only.value,
            entity_type=discord.EntityType.external.value,
            **shown,
        )
        return int(made["id"])

    return await attempted(Asked.EVENT, create(), EVENT_S, guild=guild_id)


async def edit_event(client: discord.Client, guild_id: int, event_id: int, changes: dict[str, Any]) -> Refusal | None:
    async def edit() -> None:
        await client.http.edit_scheduled_event(guild_id, event_id, **changes)

    return await attempted(Asked.EVENT, edit(), EVENT_S, guild=guild_id)


async def delete_event(client: discord.Client, guild_id: int, event_id: int) -> Refusal | None:
    async def delete() -> None:
        await client.http.delete_scheduled_event(guild_id, event_id)

    return await attempted(Asked.EVENT, delete(), EVENT_S, guild=guild_id)
