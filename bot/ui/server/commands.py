"""`/kems-admin config`, for people who manage the server."""

import discord

from bot.ui.feature import CommandSet, command
from bot.ui.kit.texts import mark
from bot.ui.server.config_presses import ConfigPresses


class ConfigCommand(CommandSet):
    """`/kems-admin config`."""

    def __init__(self, config: ConfigPresses) -> None:
        super().__init__()
        self._config = config

    @command(mark("config"), mark("Set Kem's up: language, channels, seasons, data"))
    async def config(self, interaction: discord.Interaction) -> None:
        """Open the panel of all settings."""
        await self._config.open(interaction)
