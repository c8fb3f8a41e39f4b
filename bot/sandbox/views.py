"""What the page shows a viewer, made from the simulated Discord's objects: JSON, with identifiers as decimal text.

It must not change the simulated Discord.
"""

from collections.abc import Iterator
from typing import Any

from bot.sandbox.discord.objects import COMMAND, LOADING, Channel, Guild, Json, Message
from bot.sandbox.discord.payloads import emoji_key_json
from bot.sandbox.discord.people import People
from bot.sandbox.discord.routes.bodies import CDN
from bot.sandbox.discord.state import timestamp
from bot.sandbox.discord.world import World

_SNOWFLAKE = 2**53  # from here on JavaScript's numbers are no longer exact
_NEWEST = 50  # messages a page shows
_SUBCOMMANDS = (1, 2)  # option types


def place_for(world: World, people: People, guild: Guild, user: int, channel: int, locale: str) -> Json:
    """Return what surrounds the viewer: names, channels and threads, and the commands that they may use."""
    return {
        "me": str(user),
        "locale": locale,
        "guild": guild.name,
        "channel": str(channel),
        "channels": [_channel(one) for one in people.channels(user, guild)],
        "names": {str(one.id): one.name for one in world.users.values()},
        "roles": {str(role.id): role.name for role in guild.roles.values()},
        "mine": [str(role) for role in guild.members[user].roles],
        "bot": str(world.bot.id),
        "commands": [_command(path, locale) for command in people.commands(user, channel) for path in _leaves(command)],
    }


def messages_for(world: World, people: People, guild: Guild, user: int, channel: int) -> list[Json]:
    """Return the newest messages of a channel as the viewer sees them; none without access to the channel."""
    seen = {one.id: one for one in people.channels(user, guild)}
    if channel not in seen:
        return []
    visible = [message for message in seen[channel].messages.values() if message.is_visible_to(user)]
    return [_message(world, message, seen.get(message.thread_id or message.id), user) for message in visible[-_NEWEST:]]


def _channel(channel: Channel) -> Json:
    return {
        "id": str(channel.id),
        "name": channel.name,
        "thread": channel.is_thread,
        "parent": str(channel.parent_id),
        "count": len(channel.messages),
    }


def _message(world: World, message: Message, thread: Channel | None, user: int) -> Json:
    replied = world.channels[message.channel_id].messages.get(message.replied_to or 0)
    return {
        "id": str(message.id),
        "author": str(message.author_id),
        "bot": world.users[message.author_id].is_bot,
        "time": timestamp(message.made_ms),
        "edited": message.edited_ms is not None,
        "thread": None if thread is None else _channel(thread),
        "content": message.content,
        "components": _local(message.components),
        "attachments": _local(message.attachments),
        "ephemeral": message.is_ephemeral,
        "loading": bool(message.flags & LOADING),
        "pings": [str(key) for key in (*message.mentions, *message.role_mentions)],
        "reply": None if replied is None else {"author": str(replied.author_id), "content": replied.content},
        "asked": message.interaction_metadata
        and {
            "by": message.interaction_metadata["user"]["id"],
            "word": "used" if message.interaction_metadata["type"] == COMMAND else "pressed",
        },
        "reactions": [
            {"emoji": emoji_key_json(key), "count": len(users), "mine": user in users}
            for key, users in message.reactions.items()
        ],
    }


def _local(value: Any) -> Any:
    """Return the JSON with the page's own addresses of posted files, and identifiers as text.

    A bot may send an emoji's id as a number, which a page would round.
    """
    if isinstance(value, dict):
        return {key: _local(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_local(item) for item in value]
    if isinstance(value, int) and value >= _SNOWFLAKE:
        return str(value)
    return f"/cdn{value.removeprefix(CDN)}" if isinstance(value, str) and value.startswith(CDN) else value


def _leaves(spec: Json, path: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """Yield the commands that can be called at or below a command, each as the path that leads to it."""
    here = (*path, spec)
    below = [option for option in spec.get("options") or () if option["type"] in _SUBCOMMANDS]
    for option in below:
        yield from _leaves(option, here)
    if not below:
        yield here


def _command(path: tuple[Json, ...], locale: str) -> Json:
    leaf = path[-1]
    return {
        "name": " ".join(step["name"] for step in path),
        "label": " ".join(_localised(step, "name", locale) for step in path),
        "about": _localised(leaf, "description", locale),
        "options": [
            {
                "name": option["name"],
                "label": _localised(option, "name", locale),
                "about": _localised(option, "description", locale),
                "type": option["type"],
                "required": bool(option.get("required")),
                "completes": bool(option.get("autocomplete")),
                "choices": [
                    {"label": _localised(choice, "name", locale), "value": str(choice["value"])}
                    for choice in option.get("choices") or ()
                ],
            }
            for option in leaf.get("options") or ()
        ],
    }


def _localised(spec: Json, key: str, locale: str) -> str:
    return str((spec.get(f"{key}_localizations") or {}).get(locale) or spec.get(key) or "")
