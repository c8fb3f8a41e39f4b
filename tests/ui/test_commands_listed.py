"""The README's tables and the commands that there are."""

import re
from collections.abc import Iterator
from pathlib import Path

from discord import app_commands

from bot.compose import build_client
from bot.settings import Settings

README = Path(__file__).parents[2] / "README.md"


def listed() -> set[str]:
    """The commands in the first cells of tables; what follows one in its cell replaces its last word."""
    found: set[str] = set()
    for cell in re.findall(r"^\| (`/kems.*?) \|", README.read_text("utf-8"), re.MULTILINE):
        first, *others = re.findall(r"`(.*?)`", cell)
        group = first.rpartition(" ")[0]
        found |= {first, *(other if other.startswith("/") else f"{group} {other}" for other in others)}
    return found


def leaves(group: app_commands.Group) -> Iterator[str]:
    for command in group.walk_commands():
        if isinstance(command, app_commands.Command):
            yield f"/{command.qualified_name}"


async def test_the_readme_lists_every_command_and_no_other(tmp_path: Path) -> None:
    settings = Settings(database_url=f"sqlite:///{tmp_path / 'kems.db'}", _env_file=None)
    client = build_client(settings)
    assert listed() == {name for group in client.rooms.commands for name in leaves(group)}
