"""The names of commands and of their groups.

`PATHS` is what Discord lists, in its order; below it, in the first group, stand other commands, by their keys. Keys are
what code and sentences call a command: one that is renamed or moved keeps its key. Discord lists 25 in a group:
https://discord.com/developers/docs/interactions/application-commands

A sentence names a command by its key, as in `{/start}`; `bot.discord.text.texts` shows that as a link that Discord
opens, or as the name in the reader's language where Discord has not told the command's id yet.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

PLAYERS: Final = "kems"
MANAGERS: Final = "kems-admin"

PATHS: Final[Mapping[str, str]] = {
    "play": "kems play",
    "start": "kems start",
    "hand": "kems hand",
    "sign": "kems sign",
    "practice": "kems practice",
    "tutorial": "kems tutorial",
    "daily": "kems daily",
    "night": "kems night",
    "rules": "kems rules",
    "leaderboard": "kems leaderboard",
    "leave": "kems leave",
    "help": "kems help",
    "pause": "kems table pause",
    "resume": "kems table resume",
    "move": "kems table move",
    "substitute": "kems table substitute",
    "absent": "kems table absent",
    "kick": "kems table kick",
    "end": "kems table end",
    "stats": "kems records stats",
    "history": "kems records history",
    "match": "kems records match",
    "replay": "kems records replay",
    "review": "kems records review",
    "export": "kems records export",
    "ladder_about": "kems ladder about",
    "privacy_export": "kems privacy export",
    "privacy_delete": "kems privacy delete",
    "privacy_boards": "kems privacy boards",
    "privacy_avatar": "kems privacy avatar",
    "config": "kems-admin config",
    "report": "kems-admin report",
    "daily_post": "kems-admin daily",
    "night_create": "kems-admin night create",
    "night_list": "kems-admin night list",
    "night_edit": "kems-admin night edit",
    "night_cancel": "kems-admin night cancel",
    "night_host": "kems-admin night host",
    "season_start": "kems-admin season start",
    "season_end": "kems-admin season end",
    "season_rename": "kems-admin season rename",
    "season_schedule": "kems-admin season schedule",
    "season_export": "kems-admin season export",
    "rules_save": "kems-admin rules save",
    "rules_list": "kems-admin rules list",
    "rules_delete": "kems-admin rules delete",
    "ladder_void": "kems-admin ladder void",
    "ladder_watch": "kems-admin ladder watch",
    "ban": "kems-admin ban",
    "unban": "kems-admin unban",
    "bans": "kems-admin bans",
}
GROUPS: Final[Mapping[str, str]] = {
    PLAYERS: "Play Kem's, the card game of secret signs",
    "kems table": "A table that is played, and who sits there",
    "kems records": "What was played here",
    "kems ladder": "How the ladder works",
    "kems privacy": "Your data",
    MANAGERS: "Set Kem's up for this server",
    "kems-admin night": "Game nights of this server",
    "kems-admin season": "Seasons of this server's ladder",
    "kems-admin rules": "This server's saved rules",
    "kems-admin ladder": "The ladder of this server",
}
"""The description of each group, by its path."""

IN_SENTENCE: Final = re.compile(r"\{/(\w+)\}")

_ids: Final[dict[str, int]] = {}


def path_of(key: str) -> str:
    """Return the English name of a command, by its key, with its groups: `kems start`."""
    return PATHS.get(key, f"{PLAYERS} {key}")


def keys_in(group: str) -> tuple[str, ...]:
    """Return the keys of the commands in a group, given its path, without those of its subgroups."""
    return tuple(key for key, path in PATHS.items() if path.rpartition(" ")[0] == group)


def register_ids(registered: Iterable[Mapping[str, Any]]) -> None:
    """Let sentences link to these commands, given as Discord lists them. A command keeps its id as long as its name."""
    _ids.update(
        {command["name"]: int(command["id"]) for command in registered if command["name"] in (PLAYERS, MANAGERS)}
    )


def clear_ids() -> None:
    """Forget the ids, so that sentences name commands without links."""
    _ids.clear()


def link_to(key: str) -> str | None:
    """Return the mention of a command; None while its id is unknown.

    It has the English name in every language, since Discord opens no other:
    https://github.com/discord/discord-api-docs/issues/5632
    """
    path = path_of(key)
    command_id = _ids.get(path.split(maxsplit=1)[0])
    return None if command_id is None else f"</{path}:{command_id}>"
