"""What the page shows a viewer, cut from Discord's payloads: plain JSON, with identifiers as decimal text.

It must not change the simulated Discord.
"""

from typing import Any

from bot.sandbox.seams import CDN, Json
from bot.sandbox.world import FakeDiscord

_SNOWFLAKE = 2**53  # from here on JavaScript's numbers are no longer exact
_NEWEST = 50  # messages a page shows
_THREAD_CREATED = 18  # message type
_EPHEMERAL, _LOADING = 1 << 6, 1 << 7  # message flags


def place_for(world: FakeDiscord, user: int, channel: int, locale: str) -> Json:
    """Returns where the viewer is: names, channels and threads, and the commands that they may use."""
    return {
        "me": str(user),
        "locale": locale,
        "guild": world.guild_name,
        "channel": str(channel),
        "channels": world.channels(user),
        "names": world.names(),
        "roles": world.roles(),
        "mine": world.roles_of(user),
        "bot": str(world.backend.bot_user.id),
        "commands": [
            _command(command, name, leaf, locale)
            for command in world.commands(user, channel)
            for name, leaf in world.leaves(command)
        ],
    }


def messages_for(world: FakeDiscord, user: int, channel: int) -> list[Json]:
    """Returns the newest messages that the viewer may see there, oldest first."""
    threads = {place["id"]: place for place in world.channels(user) if place["thread"]}
    return [
        _message(payload, threads.get(payload["id"]))
        for payload in world.messages(user, channel, _NEWEST)
        if payload["type"] != _THREAD_CREATED or "message_reference" not in payload  # else it stands below its message
    ]


def _message(payload: Json, thread: Json | None) -> Json:
    replied = payload.get("referenced_message")
    used = (payload.get("interaction_metadata") or {}).get("user")
    flags = payload["flags"]
    return {
        "id": payload["id"],
        "author": payload["author"]["id"],
        "bot": bool(payload["author"].get("bot")),
        "time": payload["timestamp"],
        "edited": payload["edited_timestamp"] is not None,
        "thread": thread,
        "content": payload["content"],
        "components": _local(payload["components"]),
        "embeds": _local(payload["embeds"]),
        "attachments": _local(payload["attachments"]),
        "ephemeral": bool(flags & _EPHEMERAL),
        "loading": bool(flags & _LOADING),
        "pings": [*(person["id"] for person in payload["mentions"]), *payload["mention_roles"]],
        "reply": None if replied is None else {"author": replied["author"]["id"], "content": replied["content"]},
        "used": None if used is None else str(used["id"]),
        "reactions": [
            {"emoji": reaction["emoji"], "count": reaction["count"], "mine": reaction["me"]}
            for reaction in payload["reactions"]
        ],
    }


def _local(value: Any) -> Any:
    """Returns the JSON with the page's own addresses of posted files, and identifiers as text.

    A bot may send an emoji's id as a number, which a page would round.
    """
    if isinstance(value, dict):
        return {key: _local(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_local(item) for item in value]
    if isinstance(value, int) and value >= _SNOWFLAKE:
        return str(value)
    return f"/cdn{value.removeprefix(CDN)}" if isinstance(value, str) and value.startswith(CDN) else value


def _command(root: Json, name: str, leaf: Json, locale: str) -> Json:
    return {
        "name": name,
        "label": _called(root, name, locale),
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


def _called(root: Json, name: str, locale: str) -> str:
    """Returns a command's whole name, as the viewer reads and types it."""
    words, spec = [_localised(root, "name", locale)], root
    for word in name.split()[1:]:
        spec = next(option for option in spec["options"] if option["name"] == word)
        words.append(_localised(spec, "name", locale))
    return " ".join(words)


def _localised(spec: Json, key: str, locale: str) -> str:
    return str((spec.get(f"{key}_localizations") or {}).get(locale) or spec.get(key) or "")
