"""The process of the bot, unmodified but for the address of Discord."""

from multiprocessing.connection import Connection
from typing import Any

from bot import log
from bot.cli import run_until_told
from bot.operations import run_bot
from bot.sandbox.discord.serving import discord_at
from bot.settings import Settings

TOKEN = "bG9vcGJhY2s.rig.token"


def main(_: Connection, address: str, fields: dict[str, Any]) -> None:
    settings = Settings(_env_file=None, discord_token=TOKEN, **fields)
    log.configure(settings.log_level, settings.log_format)
    with discord_at(address):
        run_until_told(run_bot(settings))
