"""A running match: what is shown of it, what can be pressed, and the commands of its people."""

from bot.tables.directory import TableDirectory
from bot.ui.feature import Feature
from bot.ui.live.presenter import Presenter
from bot.ui.table.commands import TableCommands
from bot.ui.table.departures import Departures
from bot.ui.table.presses import TablePresses


def table_feature(directory: TableDirectory, presenter: Presenter) -> Feature:
    """The matches of `directory`."""
    departures = Departures(directory, presenter)
    return Feature(
        presses=(TablePresses(presenter), departures),
        commands=TableCommands(directory, presenter, departures).commands,
    )
