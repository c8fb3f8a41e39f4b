"""The process of the bot, unmodified but for the address of Discord: ``python -m tests.rig.bot_process ADDRESS JSON``.

The JSON holds `Settings` fields. Everything is imported first; it starts when a line comes in on standard input, so
that a test which kills it again and again need not wait for Python.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress

from bot import log
from bot.operations import run_bot
from bot.sandbox.seams import discord_at
from bot.settings import Settings

TOKEN = "bG9vcGJhY2s.rig.token"


def main(address: str, fields: str) -> None:
    settings = Settings(_env_file=None, discord_token=TOKEN, **json.loads(fields))  # type: ignore[arg-type]
    log.configure(settings.log_level, settings.log_format)
    print("loaded", flush=True)
    if not sys.stdin.readline():
        return  # nobody wants it any more
    with discord_at(address), suppress(KeyboardInterrupt):
        asyncio.run(run_bot(settings))


if __name__ == "__main__":
    main(*sys.argv[1:])
