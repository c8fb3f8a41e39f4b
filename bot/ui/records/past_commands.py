"""The commands about matches that are over: `/kems export`, `replay`. Each answers with one private message."""

from typing import Final

import discord
from discord import app_commands
from discord.app_commands import locale_str

from bot.ui.kit.texts import mark
from bot.ui.messages.answered import answered
from bot.ui.records.past_matches import PastMatches

_MOST_TABLES: Final = 2**53 - 1  # Discord's limit for a number
_MOST_ROUNDS: Final = 9999  # what a custom id can say


class PastCommands(app_commands.Group):
    """A source of commands for the group `/kems`: it is never registered itself."""

    def __init__(self, past: PastMatches) -> None:
        super().__init__(name="past", description="-")
        self._past = past

    def add_to(self, group: app_commands.Group) -> None:
        """Put them under another group."""
        for command in self.commands:
            group.add_command(command)

    @app_commands.command(
        name=locale_str(mark("export")), description=locale_str(mark("Get a finished match as a file"))
    )
    @app_commands.rename(number=locale_str(mark("table")))
    @app_commands.describe(number=locale_str(mark("The number of a table (the last one finished)")))
    async def export(
        self, interaction: discord.Interaction, number: app_commands.Range[int, 1, _MOST_TABLES] | None = None
    ) -> None:
        """Give a finished match of this server as KGN."""
        async with answered(interaction):
            await self._past.export(interaction, number)

    @app_commands.command(
        name=locale_str(mark("replay")), description=locale_str(mark("Watch a finished match step by step"))
    )
    @app_commands.rename(number=locale_str(mark("table")), wanted=locale_str(mark("round")))
    @app_commands.describe(
        number=locale_str(mark("The number of a table (the last one finished)")),
        wanted=locale_str(mark("Which round (the first)")),
    )
    async def replay(
        self,
        interaction: discord.Interaction,
        number: app_commands.Range[int, 1, _MOST_TABLES] | None = None,
        wanted: app_commands.Range[int, 1, _MOST_ROUNDS] = 1,
    ) -> None:
        """Show a round of a finished match of this server, all hands open, with buttons to go on and back."""
        async with answered(interaction):
            await self._past.replay(interaction, number, wanted)
