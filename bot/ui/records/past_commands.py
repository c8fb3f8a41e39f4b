"""The commands about matches that are over: `/kems export`, `replay`. Each answers with one private message."""

from typing import Final

import discord
from discord import app_commands

from bot.ui.kit.texts import mark
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

    @command(
        mark("export"),
        mark("Get a finished match as a file"),
        options={
            "number": (mark("table"), mark("The number of a table (the last one finished)")),
        },
    )
    async def export(
        self, interaction: discord.Interaction, number: app_commands.Range[int, 1, _MOST_TABLES] | None = None
    ) -> None:
        """Give a finished match of this server as KGN."""
        await self._past.export(interaction, number)

    @command(
        mark("replay"),
        mark("Watch a finished match step by step"),
        options={
            "number": (mark("table"), mark("The number of a table (the last one finished)")),
            "wanted": (mark("round"), mark("Which round (the first)")),
        },
    )
    async def replay(
        self,
        interaction: discord.Interaction,
        number: app_commands.Range[int, 1, _MOST_TABLES] | None = None,
        wanted: app_commands.Range[int, 1, _MOST_ROUNDS] = 1,
    ) -> None:
        """Show a round of a finished match of this server, all hands open, with buttons to go on and back."""
        await self._past.replay(interaction, number, wanted)
