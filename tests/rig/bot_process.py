"""The process of the bot, unmodified but for the address of Discord."""

from multiprocessing.connection import Connection
from typing import Any

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import log
from bot.operating.operations import run_bot
from bot.running import run_until_told
from bot.settings import Settings

TOKEN = "bG9vcGJhY2s.rig.token"


def main(_: Connection, address: str, fields: dict[str, Any]) -> None:
    written: dict[str, Any] = {"table_pictures": 0}  # unless they are measured: the rig reads tables as text
    settings = Settings(_env_file=None, discord_token=TOKEN, **written | fields)
    log.configure(settings.log_level, settings.log_format)
    Route.BASE = f"http://{address}/api/v10"  # `discord_at` would load the whole simulated Discord into this process
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gateway")
    run_until_told(run_bot(settings))
