"""What was played: histories, matches, replays and files of them."""

from bot.records.archive import Archive
from bot.records.history import History
from bot.records.pictures import Pictures
from bot.records.seasons import SeasonStore
from bot.ui.feature import Feature
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.presenter import Presenter
from bot.ui.records.commands import HistoryCommands
from bot.ui.records.history_reader import HistoryReader
from bot.ui.records.past_matches import PastMatches
from bot.ui.records.presses import HistoryPresses


def records_feature(
    archive: Archive,
    history: History,
    seasons: SeasonStore,
    pictures: Pictures,
    presenter: Presenter,
    defaults: ServerDefaults,
) -> Feature:
    """The finished matches of all servers; `seasons` tell the time zone of a server."""
    past = PastMatches(archive, presenter.emojis, pictures, defaults)
    reader = HistoryReader(history, archive, seasons)
    return Feature(
        presses=(past, HistoryPresses(reader, presenter.illustrator)),
        commands=HistoryCommands(past, reader, presenter.illustrator).commands,
        is_about_past=True,
    )
