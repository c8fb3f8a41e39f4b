"""The greeting's button *Play now*: a match with robots that begins at once."""

import discord

from bot.tables.directory import TableDirectory
from bot.ui.kit.custom_ids import Press
from bot.ui.kit.interactions import reader
from bot.ui.lobby.robot_matches import show_seat
from bot.ui.lobby.robot_openings import RobotOpenings
from bot.ui.lobby.verbs import LobbyVerb
from bot.ui.messages.presenter import Presenter
from bot.ui.table.which_table import running_match
from bot.ui.words.refusals import RefusedError


class QuickPresses:
    """Answers with the presser's panel: of the match that begins, or of the one that they play already."""

    verbs = frozenset[str]({LobbyVerb.QUICK})

    def __init__(self, directory: TableDirectory, presenter: Presenter, robot_openings: RobotOpenings) -> None:
        self._directory = directory
        self._presenter = presenter
        self._robot_openings = robot_openings

    async def press(self, interaction: discord.Interaction, press: Press) -> None:
        """Answer one press. Raises StoreError when the match was not saved."""
        if interaction.guild_id is None:
            raise RefusedError(reader(interaction).t("Tables are opened in a server's channel."))
        channel_id, settings = await self._robot_openings.find_channel(interaction)

        async def here(_locale: str) -> int:
            return channel_id

        table = running_match(self._directory, interaction)
        table = table or await self._robot_openings.begin(interaction, settings, here)
        await show_seat(interaction, table, self._presenter)
