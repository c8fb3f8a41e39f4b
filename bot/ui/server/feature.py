"""The settings of all servers, their bans, their log channel and what happens there."""

from collections.abc import Sequence

from bot.discord.interactions.feature import Feature
from bot.discord.interactions.rooms import Rooms
from bot.tables.hub import Moderated, PersonBanned, on
from bot.ui.server.bans import BanCommands
from bot.ui.server.commands import ConfigCommands
from bot.ui.server.log_channel import LogChannel
from bot.ui.server.report import ReportCommand


def server_feature(rooms: Rooms, features: Sequence[Feature]) -> Feature:
    """The settings of a server say what these `features` lack there."""
    clock, store = rooms.clock, rooms.store
    log_channel = LogChannel(rooms.live.context, rooms.defaults)
    troubles = [*(one.troubles for one in features), log_channel.troubles]
    config = ConfigCommands(store.servers, store.seasons, troubles, store.retention, clock, rooms.settings.afk_seconds)
    report = ReportCommand(clock, store.history, store.night_records, store.seasons, rooms.illustrator)
    return Feature(
        presses=(config,),
        commands=(*config.commands, *BanCommands(rooms.directory.bans).commands, *report.commands),
        hears=(on(Moderated, log_channel.moderated), on(PersonBanned, log_channel.banned)),
        stops=(log_channel.stop,),
    )
