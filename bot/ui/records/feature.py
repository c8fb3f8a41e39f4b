"""What was played: histories, matches, replays and files of them."""

from bot.records.archive import Archive
from bot.records.history import History
from bot.records.pictures import Pictures
from bot.records.seasons import SeasonStore
from bot.records.shared_rounds import SharedRounds
from bot.ui.feature import Feature
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.presenter import Presenter
from bot.ui.records.history_commands import HistoryCommands
from bot.ui.records.replay_commands import ReplayCommands
from bot.ui.records.round_sharing import RoundSharing


def records_feature(
    archive: Archive,
    history: History,
    seasons: SeasonStore,
    shared: SharedRounds,
    pictures: Pictures,
    presenter: Presenter,
    defaults: ServerDefaults,
) -> Feature:
    """The finished matches of all servers; `seasons` tell the time zone of a server."""
    sharing = RoundSharing(shared, pictures, presenter.emojis, presenter.requests, defaults)
    replays = ReplayCommands(archive, history, presenter.emojis, sharing)
    matches = HistoryCommands(history, archive, seasons, presenter.illustrator)
    return Feature(presses=(replays, matches), commands=(*replays.commands, *matches.commands), is_about_past=True)
