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


def _in_group(group: str, *names: str, prefix: str = "") -> dict[str, str]:
    return {f"{prefix}{name}": f"{group} {name}" for name in names}


PATHS: Final[Mapping[str, str]] = {
    **_in_group("kems", "play", "start", "hand", "sign", "practice", "tutorial", "daily", "night", "rules"),
    **_in_group("kems", "leaderboard", "leave", "help"),
    **_in_group("kems table", "pause", "resume", "move", "substitute", "absent", "kick", "end"),
    **_in_group("kems records", "stats", "history", "match", "replay", "review", "export"),
    **_in_group("kems ladder", "about", prefix="ladder_"),
    **_in_group("kems privacy", "export", "delete", "boards", "avatar", prefix="privacy_"),
    **_in_group("kems-admin", "config", "report"),
    "daily_post": "kems-admin daily",
    **_in_group("kems-admin night", "create", "list", "edit", "cancel", "host", prefix="night_"),
    **_in_group("kems-admin season", "start", "end", "rename", "schedule", "export", prefix="season_"),
    **_in_group("kems-admin rules", "save", "list", "delete", prefix="rules_"),
    **_in_group("kems-admin ladder", "void", "watch", prefix="ladder_"),
    **_in_group("kems-admin", "ban", "unban", "bans"),
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
