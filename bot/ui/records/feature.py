"""The finished matches of all servers, and what is shown of a match as it ends."""

from bot.discord.interactions.feature import Feature
from bot.discord.interactions.rooms import Rooms
from bot.discord.places.sight import Sight
from bot.ui.lobby.players_role import players_role
from bot.ui.records.commands import RecordsCommands
from bot.ui.records.match_ends import MatchEndReader
from bot.ui.records.sharing import RoundSharing


def match_ends(rooms: Rooms) -> MatchEndReader:
    store = rooms.store
    return MatchEndReader(
        store.archive, store.history, store.seasons, store.scenes, rooms.pictures, rooms.directory, rooms.emojis,
        rooms.defaults, players_role(rooms),
    )  # fmt: skip


def records_feature(rooms: Rooms) -> Feature:
    store, emojis = rooms.store, rooms.emojis
    records = RecordsCommands(
        store.history, store.archive, store.seasons, rooms.directory, emojis, rooms.illustrator,
        RoundSharing(store.shared_rounds, rooms.pictures, emojis, rooms.live, rooms.defaults), Sight(rooms.requests),
    )  # fmt: skip
    return Feature(presses=(records,), commands=records.commands, is_about_past=True)
