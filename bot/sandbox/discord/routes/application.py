"""Routes of the bot itself, its commands, its emojis.

Sources: https://discord.com/developers/docs/resources/application,
https://discord.com/developers/docs/interactions/application-commands, https://discord.com/developers/docs/resources/emoji
"""

from collections.abc import Sequence
from typing import Any, Final

from bot.sandbox.discord import errors
from bot.sandbox.discord.objects import Emoji, Json
from bot.sandbox.discord.payloads import emoji_json, user_json
from bot.sandbox.discord.permissions import EVERYBODY
from bot.sandbox.discord.routes.routing import Call, route
from bot.sandbox.discord.world import World

_CONTENT_GRANTED: Final = 1 << 19  # GATEWAY_MESSAGE_CONTENT_LIMITED
_MOST_EMOJIS: Final = 2_000
_TRANSLATED: Final = ("name_localizations", "description_localizations")


@route("GET", "users/*")
def user(world: World, call: Call) -> Json:
    """Return a user; `@me` is the bot."""
    if call.ids[0] == "@me":
        return user_json(world.bot) | {"verified": True, "mfa_enabled": True, "email": None, "flags": 0}
    found = world.users.get(call.number(0))
    if found is None:
        raise errors.unknown_user()
    return user_json(found)


@route("GET", "oauth2/applications/*", "applications/*")
def application(world: World, call: Call) -> Json:
    """Return the bot's application."""
    if call.ids[0] != "@me":
        raise errors.no_route()
    return {
        "id": str(world.application_id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": user_json(next(iter(world.users.values()))),
        "team": None,
        "flags": _CONTENT_GRANTED if world.may_read_content else 0,
        "interactions_endpoint_url": None,
        "integration_types_config": {
            "0": {"oauth2_install_params": {"scopes": ["applications.commands", "bot"], "permissions": str(EVERYBODY)}}
        },
        "approximate_guild_count": len(world.guilds),
        "bot": user_json(world.bot),
    }


# ---------------------------------------------------------------------- commands


@route("GET", "applications/*/commands", "applications/*/guilds/*/commands")
def commands(world: World, call: Call) -> Any:
    """Return the commands, without descriptions in other languages unless the request asks for them."""
    is_whole = call.query.get("with_localizations") == "true"
    return _without(world.commands.get(_scope(world, call), []), () if is_whole else _TRANSLATED)


def _without(listed: Any, left_out: Sequence[str]) -> Any:
    """Return a copy without these fields, and without those that are empty."""
    if isinstance(listed, list):
        return [_without(one, left_out) for one in listed]
    if isinstance(listed, dict):
        return {name: _without(one, left_out) for name, one in listed.items() if one and name not in left_out}
    return listed


@route("PUT", "applications/*/commands", "applications/*/guilds/*/commands")
def overwrite_commands(world: World, call: Call) -> list[Json]:
    """Replace all commands; a command that keeps its name keeps its id."""
    scope = _scope(world, call)
    ids = {(one["name"], one["type"]): one["id"] for one in world.commands.get(scope, [])}
    world.commands[scope] = [_command(world, given, scope, ids) for given in call.body]
    return world.commands[scope]


def _command(world: World, given: Json, scope: int, ids: dict[tuple[str, int], str]) -> Json:
    kind = given.get("type") or 1
    stored = {"options": [], "default_member_permissions": None, "nsfw": False, "contexts": None, **given, "type": kind}
    stored["id"] = ids.get((given["name"], kind)) or str(world.new_id())
    stored |= {"application_id": str(world.application_id), "version": str(world.new_id())}
    stored.setdefault("integration_types", [0])
    return stored if scope == 0 else stored | {"guild_id": str(scope)}


def _scope(world: World, call: Call) -> int:
    if call.number(0) != world.application_id:
        raise errors.missing_access()
    return world.guild(call.number(1)).id if len(call.ids) > 1 else 0


# ---------------------------------------------------------------------- emojis


@route("GET", "applications/*/emojis")
def emojis(world: World, call: Call) -> Json:
    """Return the application's emojis."""
    return {"items": [emoji_json(emoji, world.bot) for emoji in world.application_emojis.values()]}


@route("POST", "applications/*/emojis")
def create_emoji(world: World, call: Call) -> Json:
    """Add an emoji to the application."""
    if len(world.application_emojis) >= _MOST_EMOJIS:
        raise errors.DiscordError(400, 30008, "Maximum number of emojis reached (2000)")
    name = call.body["name"]
    if any(emoji.name == name for emoji in world.application_emojis.values()):
        fault = (("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "An emoji with that name already exists")
        raise errors.invalid_form([fault])
    emoji = Emoji(world.new_id(), name, image=call.body["image"])
    world.application_emojis[emoji.id] = emoji
    return emoji_json(emoji, world.bot)


@route("DELETE", "applications/*/emojis/*")
def delete_emoji(world: World, call: Call) -> None:
    """Delete an emoji of the application."""
    del world.application_emojis[_emoji(world, call).id]


def _emoji(world: World, call: Call) -> Emoji:
    found = world.application_emojis.get(call.number(1))
    if found is None:
        raise errors.unknown_emoji()
    return found
