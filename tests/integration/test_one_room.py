"""No feature talks to Discord: the whole suite holds it by a fixture (`conftest.py`); here the fixture is tried."""

import ast
from pathlib import Path
from typing import Any, Final

import bot
from tests.integration.harness import Harness
from tests.integration.simcord_patches import as_bot

BOT: Final = Path(bot.__file__).parent
PLANTED: Final = "async def post(channel):\n    return await channel.send('x')\n"
ERRORS: Final = {"HTTPException", "Forbidden", "NotFound", "DiscordServerError", "InteractionResponded", "FAILED"}
"""How requests fail: the room for Discord catches it."""


async def test_a_planted_request_outside_of_bot_discord_is_found(harness: Harness, asked_outside: set[str]) -> None:
    channel = harness.bot.get_channel(harness.channel.id)
    for file, found in (("discord/planted.py", set()), ("ui/planted.py", {"ui/planted.py"})):
        planted: dict[str, Any] = {}
        exec(compile(PLANTED, str(BOT / file), "exec"), planted)  # noqa: S102 - the file is no real one
        with as_bot(harness.env):
            await planted["post"](channel)
        assert asked_outside == found
    asked_outside.clear()


def test_no_feature_names_the_errors_of_requests() -> None:
    """Nor a module of discord.py that makes requests."""
    naming = set()
    for file in (BOT / "ui").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Attribute(attr=name) | ast.alias(name=name) if name.rpartition(".")[2] in ERRORS:
                    naming.add(str(file.relative_to(BOT)))
                case ast.ImportFrom(module=("discord.errors" | "discord.http" | "discord.webhook")):
                    naming.add(str(file.relative_to(BOT)))
    assert not naming
