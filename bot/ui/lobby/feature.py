"""Lobbies: tables are opened, set and filled."""

from bot.discord.interactions.feature import Feature
from bot.discord.interactions.rooms import Rooms
from bot.tables.hub import LobbyChanged, ServersLost, ServersReached, on
from bot.ui.lobby.calls import Calls
from bot.ui.lobby.commands import LobbyCommands, short_rules
from bot.ui.lobby.panels import SettingsPresses, VotePresses
from bot.ui.lobby.places import Openings
from bot.ui.lobby.play import PlayCommand, RobotTables
from bot.ui.lobby.players_role import players_role
from bot.ui.lobby.presses import Invitations, LobbyPresses, RematchPresses
from bot.ui.table.feature import TableFeature


def lobby_feature(rooms: Rooms, table: TableFeature) -> Feature:
    client, clock, directory, messages, requests = (
        rooms.client, rooms.clock, rooms.directory, table.messages, rooms.requests,
    )  # fmt: skip
    openings, rules, in_thread = Openings(directory), short_rules(rooms.book), rooms.settings.table_threads
    role = players_role(rooms)
    calls = Calls(client, clock, directory, messages, requests, role)
    robot_tables = RobotTables(directory, messages.panels, requests, rooms.defaults, openings, rooms.rng, rules)
    play = PlayCommand(
        clock, directory, messages.panels, requests, rooms.defaults, openings, calls, rules,
        rooms.store.history.has_played, robot_tables.teach, in_thread,
    )  # fmt: skip
    invitations = Invitations(directory, messages.context, rooms.store.servers)
    tables = LobbyCommands(rooms.book, directory, messages, requests, rooms.defaults, openings, invitations, in_thread)
    return Feature(
        presses=(
            LobbyPresses(directory, messages, requests, rooms.defaults, calls, table.robot_places),
            VotePresses(directory),
            play,
            RematchPresses(directory, messages, requests),
            SettingsPresses(directory, messages.members, rooms.rng),
            invitations,
            tables,
            role,
        ),
        commands=(*play.commands, *tables.commands, *robot_tables.commands),
        hears=(
            on(LobbyChanged, lambda changed: calls.changed(changed.lobby)),
            on(ServersLost, calls.lost),
            on(ServersReached, calls.reached),
        ),
        stops=(calls.close,),
    )
