"""Routes of channels, threads and their members, roles, members of guilds, scheduled events.

Sources: https://discord.com/developers/docs/resources/channel, https://discord.com/developers/docs/resources/guild
"""

from typing import Final

from bot.sandbox.discord import errors
from bot.sandbox.discord import permissions as may
from bot.sandbox.discord.objects import PRIVATE_THREAD, PUBLIC_THREAD, THREAD_CREATED, Guild, Json, Member
from bot.sandbox.discord.payloads import channel_json, member_json, thread_json, thread_member_json
from bot.sandbox.discord.permissions import permissions_in
from bot.sandbox.discord.routes.messages import (
    open_channel,
    require,
    require_kind,
    require_unlocked,
)
from bot.sandbox.discord.routes.routing import Call, route
from bot.sandbox.discord.world import World

_SCHEDULED: Final = 1  # the status of an event that is to come


@route("GET", "channels/*")
def channel(world: World, call: Call) -> Json:
    """Return a channel or a thread."""
    found = open_channel(world, call.number(0))
    return thread_json(world, found) if found.is_thread else channel_json(found)


@route("PATCH", "channels/*")
def change_channel(world: World, call: Call) -> Json:
    """Unarchive a thread, rename it or close it.

    Whoever may write in a thread that is not locked may unarchive it; the rest is for its owner and those who manage
    threads.
    Source: https://discord.com/developers/docs/resources/channel#modify-channel
    """
    thread = open_channel(world, call.number(0))
    if not thread.is_thread:
        raise errors.missing_permissions()  # the bots of the rig do not manage channels
    body = call.body
    if body == {"archived": False}:
        require(world, thread, may.SEND_MESSAGES_IN_THREADS)
        if thread.is_locked:
            require_unlocked(world, thread)
    else:
        if thread.is_archived and "archived" not in body:
            raise errors.archived_thread()
        if thread.owner_id != world.bot.id or "locked" in body:
            require(world, thread, may.MANAGE_THREADS)
    names = {"name": "name", "archived": "is_archived", "locked": "is_locked",
             "auto_archive_duration": "auto_archive_minutes"}  # fmt: skip
    world.change_thread(thread, **{names[key]: value for key, value in body.items() if key in names})
    return thread_json(world, thread)


@route("DELETE", "channels/*")
def delete_channel(world: World, call: Call) -> Json:
    """Delete a channel or a thread."""
    thread = open_channel(world, call.number(0))
    require(world, thread, may.MANAGE_THREADS if thread.is_thread else may.ALL)
    world.remove_channel(thread)
    return channel_json(thread)


@route("POST", "channels/*/threads")
def open_thread(world: World, call: Call) -> Json:
    """Open a thread that belongs to no message. A public one is announced in its channel.

    The announcement is a message that can be deleted.
    Sources: https://discord.com/developers/docs/topics/threads#new-message-types for what that message holds,
    https://discord.com/developers/docs/resources/message#message-object-message-types for its type.
    """
    parent = open_channel(world, call.number(0))
    kind = int(call.body.get("type", PRIVATE_THREAD))
    require_kind(parent, kind)
    require(world, parent, may.CREATE_PUBLIC_THREADS if kind == PUBLIC_THREAD else may.CREATE_PRIVATE_THREADS)
    thread = world.open_thread(parent, call.body["name"], kind, world.bot.id)
    if kind == PUBLIC_THREAD:
        world.post(parent, world.bot.id, type=THREAD_CREATED, content=thread.name, thread_id=thread.id)
    return thread_json(world, thread)


# ---------------------------------------------------------------------- members of threads


@route("GET", "channels/*/thread-members/*")
def thread_member(world: World, call: Call) -> Json:
    """Return a user's membership of a thread; 404 if they are not in it, even if they have posted there.

    Source: https://discord.com/developers/docs/resources/channel#get-thread-member
    """
    thread, user_id = open_channel(world, call.number(0)), _user_id(world, call, 1)
    if user_id not in thread.thread_members:
        raise errors.unknown_member()
    payload = thread_member_json(thread, user_id)
    if call.query.get("with_member", "").lower() in ("1", "true"):
        payload["member"] = member_json(world.guilds[thread.guild_id].members[user_id])
    return payload


@route("PUT", "channels/*/thread-members/*")
def join_thread(world: World, call: Call) -> None:
    """Add a user to a thread that is not archived; the bot can add itself only to threads it has access to."""
    thread, user_id = open_channel(world, call.number(0)), _user_id(world, call, 1)
    if thread.is_archived:
        raise errors.archived_thread()
    if user_id != world.bot.id:
        require(world, thread, may.SEND_MESSAGES_IN_THREADS)
    world.change_thread_member(thread, user_id, present=True)


def _user_id(world: World, call: Call, index: int) -> int:
    return world.bot.id if call.ids[index] == "@me" else call.number(index)


# ---------------------------------------------------------------------- guilds


@route("GET", "guilds/*/members/*")
def member(world: World, call: Call) -> Json:
    """Return a member of a guild."""
    return member_json(_member(world.guild(call.number(0)), call))


@route("PUT", "guilds/*/members/*/roles/*")
def give_role(world: World, call: Call) -> None:
    """Give a role to a member."""
    _change_role(world, call, present=True)


@route("DELETE", "guilds/*/members/*/roles/*")
def take_role(world: World, call: Call) -> None:
    """Take a role from a member."""
    _change_role(world, call, present=False)


def _change_role(world: World, call: Call, *, present: bool) -> None:
    """Give or take a role. One that is not below the bot's highest role is refused.

    Source: https://discord.com/developers/docs/topics/permissions#permission-hierarchy
    """
    guild = world.guild(call.number(0))
    target, role = _member(guild, call), guild.roles.get(call.number(2))
    if role is None:
        raise errors.unknown_role()
    _require_in_guild(world, guild, may.MANAGE_ROLES)
    highest = max((guild.roles[key].position for key in guild.members[world.bot.id].roles), default=0)
    if role.position >= highest or role.is_managed or role.id == guild.id:
        raise errors.missing_permissions()
    world.change_roles(guild, target.user.id, role.id, present=present)


# ---------------------------------------------------------------------- scheduled events, outside of voice channels


@route("GET", "guilds/*/scheduled-events")
def events(world: World, call: Call) -> list[Json]:
    """Return the scheduled events of a guild."""
    return [*world.guild(call.number(0)).events.values()]


@route("POST", "guilds/*/scheduled-events")
def create_event(world: World, call: Call) -> Json:
    """Create a scheduled event."""
    guild = world.guild(call.number(0))
    _require_in_guild(world, guild, may.CREATE_EVENTS)
    number = world.new_id()
    made = {**call.body, "id": str(number), "guild_id": str(guild.id), "status": _SCHEDULED, "entity_id": None,
            "channel_id": None, "creator_id": str(world.bot.id)}  # fmt: skip
    return world.keep_event(guild, made)


@route("PATCH", "guilds/*/scheduled-events/*")
def edit_event(world: World, call: Call) -> Json:
    """Edit a scheduled event."""
    guild = world.guild(call.number(0))
    _require_in_guild(world, guild, may.CREATE_EVENTS)
    found = guild.events.get(call.number(1))
    if found is None:
        raise errors.unknown_event()
    return world.keep_event(guild, {**found, **call.body})


@route("DELETE", "guilds/*/scheduled-events/*")
def delete_event(world: World, call: Call) -> None:
    """Delete a scheduled event."""
    guild = world.guild(call.number(0))
    _require_in_guild(world, guild, may.CREATE_EVENTS)
    if call.number(1) not in guild.events:
        raise errors.unknown_event()
    world.remove_event(guild, call.number(1))


def _member(guild: Guild, call: Call) -> Member:
    user_id = call.number(1)
    if user_id not in guild.members:
        raise errors.unknown_member()
    return guild.members[user_id]


def _require_in_guild(world: World, guild: Guild, needed: int) -> None:
    if permissions_in(guild, None, world.bot.id) & needed != needed:
        raise errors.missing_permissions()
