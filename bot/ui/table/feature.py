"""Matches at their tables: what everybody sees of them, and what players do there."""

from dataclasses import dataclass

import discord

from bot.discord.interactions.feature import Feature
from bot.discord.interactions.rooms import Rooms
from bot.discord.places.outage import ChannelLost
from bot.tables.claims import ClaimSettled
from bot.tables.hub import LobbyChanged, MatchEndChanged, SeatsCalled, SeatsChanged, ServersReached, TableClosed, on
from bot.tables.match.table import TableChanged
from bot.ui.table.commands import TableCommands
from bot.ui.table.departures import Departures
from bot.ui.table.gestures import Gestures
from bot.ui.table.messages.running_pictures import RunningPictures
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.messages.table_screen import LobbyBoard
from bot.ui.table.pages.match_end import MatchEnds
from bot.ui.table.presses import TablePresses
from bot.ui.table.robot_places import RobotPlaces


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFeature(Feature):
    messages: TableMessages
    robot_places: RobotPlaces


def table_feature(rooms: Rooms, lobby_board: LobbyBoard, match_ends: MatchEnds) -> TableFeature:
    """`lobby_board` draws a table before its match, and `match_ends` reads what is shown after it."""
    client, directory, settings = rooms.client, rooms.directory, rooms.settings
    pictures = RunningPictures(directory, rooms.store.servers.read, settings.table_pictures)
    messages = TableMessages(
        rooms.live, directory, rooms.memory, rooms.panel_requests, lobby_board, match_ends, pictures
    )
    departures, robot_places = Departures(directory, messages), RobotPlaces(directory, messages)
    gestures = Gestures(client, directory, messages, rooms.admission, reads_chat=settings.message_content)
    return TableFeature(
        messages=messages,
        robot_places=robot_places,
        presses=(TablePresses(directory, messages, rooms.emojis), departures, robot_places),
        commands=TableCommands(directory, messages, departures).commands,
        hears=(
            on(TableChanged, messages.table_changed),
            on(SeatsCalled, messages.seats_called),
            on(SeatsChanged, messages.table_changed),
            on(LobbyChanged, messages.lobby_changed),
            on(TableClosed, messages.table_closed),
            on(MatchEndChanged, messages.end_changed),
            on(ServersReached, messages.servers_reached),
            on(ChannelLost, messages.channel_lost),
            on(ClaimSettled, robot_places.settled),
            on(discord.RawReactionActionEvent, messages.reacted, gestures.reacted),
            on(discord.Message, messages.written, gestures.posted),
        ),
        of_shards=(messages,),
        stops=(robot_places.close, messages.close, messages.stop),
    )
