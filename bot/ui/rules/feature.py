"""The rules, and the sets that servers keep."""

from bot.discord.interactions.feature import Feature
from bot.discord.interactions.rooms import Rooms
from bot.ui.rules.commands import RulesCommands, RuleSetCommands
from bot.ui.rules.editor import RulesPresses


def rules_feature(rooms: Rooms, *, back: str) -> Feature:
    """`back` is the verb of the settings of a table."""
    directory, book = rooms.directory, rooms.book
    sets = RuleSetCommands(directory, book)
    return Feature(
        presses=(RulesPresses(directory, book, back), sets),
        commands=(*RulesCommands(directory, book).commands, *sets.commands),
    )
