"""What was played: histories, matches, replays and files of them."""

import discord

from bot.records.archive import Archive, SharedRounds
from bot.records.history import History
from bot.records.pictures import Pictures
from bot.records.seasons import SeasonStore
from bot.tables.clock import Clock
from bot.tables.directory import TableDirectory
from bot.tables.hub import Hub, LobbyChanged, RightsChanged, SeatsCalled, SeatsChanged, ServersReached, TableClosed
from bot.tables.match.table import TableChanged
from bot.ui.feature import Feature
from bot.ui.live.custom_emojis import CustomEmojis
from bot.ui.live.panel_requests import PanelRequests
from bot.ui.live.presenter import Presenter
from bot.ui.live.private_panels import PanelMemory
from bot.ui.lobby.places import ServerDefaults
from bot.ui.lobby.public_screen import table_screens
from bot.ui.records.commands import RecordsCommands
from bot.ui.records.match_picture import MatchEndReader
from bot.ui.records.round_sharing import RoundSharing


def wire_presenter(
    client: discord.Client,
    clock: Clock,
    hub: Hub,
    directory: TableDirectory,
    memory: PanelMemory,
    requests: PanelRequests,
    pictures: Pictures,
    archive: Archive,
    history: History,
    seasons: SeasonStore,
) -> Presenter:
    """The presenter of the tables of `directory`, which shows what is recorded of a match at its end."""
    emojis = CustomEmojis(client, clock)
    screens = table_screens(directory, emojis, MatchEndReader(archive, history, seasons, pictures).read)
    presenter = Presenter(client, clock, directory, screens, emojis, memory, pictures, requests)
    hub.subscribe(TableChanged, presenter.table_changed)
    hub.subscribe(SeatsCalled, presenter.seats_called)
    hub.subscribe(SeatsChanged, presenter.table_changed)
    hub.subscribe(LobbyChanged, presenter.lobby_changed)
    hub.subscribe(TableClosed, presenter.table_closed)
    hub.subscribe(RightsChanged, presenter.live.rights_changed)
    hub.subscribe(ServersReached, presenter.servers_reached)
    return presenter


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
    sharing = RoundSharing(shared, pictures, presenter.emojis, presenter.live, defaults)
    records = RecordsCommands(history, archive, seasons, presenter, sharing)
    return Feature(presses=(records,), commands=records.commands, is_about_past=True)
