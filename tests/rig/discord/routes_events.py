"""Scheduled events of a server, those outside of Discord's voice channels alone.

Source: https://discord.com/developers/docs/resources/guild-scheduled-event
"""

from __future__ import annotations

from tests.rig.discord import errors
from tests.rig.discord.objects import Channel, Guild, Json
from tests.rig.discord.permissions import CREATE_EVENTS, permissions_in
from tests.rig.discord.routing import Call, route
from tests.rig.discord.world import World

_SCHEDULED = 1


@route("GET", "guilds/*/scheduled-events")
def events(world: World, call: Call) -> list[Json]:
    return [*world.guild(call.number(0)).events.values()]


@route("POST", "guilds/*/scheduled-events")
def create_event(world: World, call: Call) -> Json:
    guild = world.guild(call.number(0))
    _require(world, guild)
    number = world.new_id()
    made = {**call.body, "id": str(number), "guild_id": str(guild.id), "status": _SCHEDULED, "entity_id": None,
            "channel_id": None, "creator_id": str(world.bot.id)}  # fmt: skip
    guild.events[number] = made
    return made


@route("PATCH", "guilds/*/scheduled-events/*")
def edit_event(world: World, call: Call) -> Json:
    guild = world.guild(call.number(0))
    _require(world, guild)
    found = guild.events.get(call.number(1))
    if found is None:
        raise errors.unknown_event()
    found.update(call.body)
    return found


@route("DELETE", "guilds/*/scheduled-events/*")
def delete_event(world: World, call: Call) -> None:
    guild = world.guild(call.number(0))
    _require(world, guild)
    if guild.events.pop(call.number(1), None) is None:
        raise errors.unknown_event()


def _require(world: World, guild: Guild) -> None:
    """Events of the bot's own: it needs no more for these."""
    nowhere: Channel | None = None
    if not permissions_in(guild, nowhere, world.bot.id) & CREATE_EVENTS:
        raise errors.missing_permissions()
