"""Routes that `kems doctor` and `kems setup` alone ask for; the import registers them."""

from bot.sandbox.discord.objects import Json
from bot.sandbox.discord.payloads import thread_json
from bot.sandbox.discord.permissions import permissions_in
from bot.sandbox.discord.routes.routing import Call, route
from bot.sandbox.discord.world import World


@route("GET", "users/*/guilds")
def guilds(world: World, call: Call) -> list[Json]:
    """Those of the bot after an id, oldest first, with what its roles permit there."""
    after, most, me = int(call.query.get("after", 0)), int(call.query.get("limit", 200)), world.bot.id
    joined = [guild for guild in world.guilds.values() if me in guild.members and guild.id > after]
    shared: Json = {"owner": False, "features": [], "icon": None}
    return [
        {"id": str(guild.id), "name": guild.name, "permissions": str(permissions_in(guild, None, me)), **shared}
        for guild in joined[:most]
    ]


@route("GET", "guilds/*/threads/active")
def active_threads(world: World, call: Call) -> Json:
    """The open threads that the bot sees.

    Source: https://discord.com/developers/docs/resources/guild#list-active-guild-threads
    """
    guild = world.guild(call.number(0))
    threads = [one for one in world.channels.values() if one.is_thread and one.guild_id == guild.id]
    return {"threads": [thread_json(world, one) for one in threads if not one.is_archived], "members": []}
