"""Lobbies: tables are opened, set up and filled."""

from bot.discord.interactions.feature import Feature
from bot.discord.interactions.rooms import Rooms
from bot.tables.hub import LobbyChanged, ServersLost, ServersReached, on
from bot.ui.lobby.commands import LobbyCommands, short_rules
from bot.ui.lobby.panels import SettingsPresses, VotePresses
from bot.ui.lobby.places import Openings
from bot.ui.lobby.play import PlayCommands
from bot.ui.lobby.players_role import PlayersRole
from bot.ui.lobby.presses import Invitations, LobbyPresses, RematchPresses
from bot.ui.lobby.quick_start import QuickStarts
from bot.ui.table.feature import TableFeature


def lobby_feature(rooms: Rooms, table: TableFeature) -> Feature:
    """Return lobbies and quick starts as a feature.

    `table`: the feature of tables, whose messages show lobbies, too.
    """
    directory, messages = rooms.directory, table.messages
    openings, rules, role = Openings(rooms), short_rules(rooms.book), PlayersRole(rooms)
    calls = QuickStarts(directory, messages, role)
    history, rng = rooms.store.history, rooms.rng
    play = PlayCommands(rooms.clock, directory, messages.panels, openings, calls, rules, history, rng)
    invitations = Invitations(directory, messages.context, rooms.store.servers)
    tables = LobbyCommands(rooms.book, directory, messages, openings, invitations)
    return Feature(
        presses=(
            LobbyPresses(directory, messages, openings, calls, table.robot_places),
            VotePresses(directory),
            play,
            RematchPresses(directory, messages),
            SettingsPresses(directory, messages.members, rng),
            invitations,
            tables,
            role,
        ),
        commands=(*play.commands, *tables.commands),
        hears=(
            on(LobbyChanged, lambda changed: calls.changed(changed.lobby)),
            on(ServersLost, calls.lost),
            on(ServersReached, calls.reached),
        ),
        stops=(calls.close,),
    )
