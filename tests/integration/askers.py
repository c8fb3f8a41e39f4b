"""Which file of the bot makes a request to Discord: the nearest one on the stack."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import discord.app_commands
import pytest
from simcord.http.client import FakeHTTPClient, FakeWebhookAdapter

import bot
from bot.discord.api import discord_internals

ROOMS: Final = ("discord/", "operating/")
"""What may ask Discord: the room for it, and what a host does with the bot."""
_BOT: Final = f"{Path(bot.__file__).parent}/"
_OTHERS: Final = (str(Path(__file__).parents[1]), str(Path(discord.app_commands.__file__).parent))
"""The tests, and discord.py's offers of what may be typed."""
_EMOJIS: Final = "/emojis"
"""Made in a task of discord.py's, so that a long wait can be broken off."""
_UNDER_ALL: Final = {discord_internals.__file__}
"""All requests pass it, whoever makes them."""


def asker() -> str:
    """The nearest file of the bot on the stack, from `bot/` on; "" for one of the tests, or of discord.py alone."""
    frame, is_known = sys._getframe(1), False
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_BOT) and file not in _UNDER_ALL:
            return file.removeprefix(_BOT)
        is_known = is_known or (file.startswith(_OTHERS) and file != __file__)
        frame = frame.f_back  # type: ignore[assignment]  # None at the end
    return "" if is_known else "a task without a file"


@contextmanager
def watched_requests() -> Iterator[set[str]]:
    """Collect the files besides those of `ROOMS` that make requests, with the bot's token or with an interaction's."""
    outside = set[str]()
    with pytest.MonkeyPatch.context() as patch:
        for adapter in (FakeHTTPClient, FakeWebhookAdapter):
            patch.setattr(adapter, "request", _watched(adapter.request, outside))
        yield outside


def _watched(request: Any, outside: set[str]) -> Any:
    async def asked(*args: Any, **options: Any) -> Any:
        file = asker()
        if file and not file.startswith(ROOMS) and not args[1].path.endswith(_EMOJIS):
            outside.add(file)
        return await request(*args, **options)

    return asked
