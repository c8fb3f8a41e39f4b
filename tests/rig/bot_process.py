"""The process of the bot, unmodified but for the address of Discord."""

from functools import partialmethod
from multiprocessing.connection import Connection
from typing import Any

from bot.base import log
from bot.base.settings import Settings
from bot.discord.api.discord_internals import discord_at
from bot.discord.gateway.client import KemsClient
from bot.operating.operations import run_bot
from bot.operating.run import run_until_stopped
from bot.store.engine import cluster as on_postgres
from bot.tables import cluster

TOKEN = "bG9vcGJhY2s.rig.token"
QUIET_S = 0.25
"""discord.py takes all servers to be told once it has heard of none for so long; by itself it waits two seconds."""
IDENTIFY_S = 0.5


def main(_: Connection, address: str, fields: dict[str, Any]) -> None:
    written: dict[str, Any] = {"table_pictures": 0}  # unless they are measured: the rig reads tables as text
    settings = Settings(_env_file=None, discord_token=TOKEN, **written | fields)
    log.configure(settings.log_level, settings.log_format)
    with discord_at(address):
        run_until_stopped(run_bot(settings))


def hasty(line: Connection, address: str, fields: dict[str, Any]) -> None:
    """For a Discord that tells of all servers at once, and does not mind how soon a shard identifies again."""
    KemsClient._get_state = partialmethod(KemsClient._get_state, guild_ready_timeout=QUIET_S)  # type: ignore[assignment]
    cluster.IDENTIFY_S = on_postgres.IDENTIFY_S = IDENTIFY_S  # type: ignore[misc]
    main(line, address, fields)
