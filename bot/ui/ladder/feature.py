"""The ladders of all servers: boards, figures, seasons, podiums."""

from bot.discord.interactions.feature import Feature
from bot.discord.interactions.rooms import Rooms
from bot.tables.hub import ErasureDone, RightsChanged, SeasonChanged, SettingsChanged, on
from bot.ui.ladder.about import LadderCommands, VoidCommands
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.ladder.commands import StandingsCommands
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.podiums import Podiums
from bot.ui.ladder.season_commands import SeasonCommands


def ladder_reader(rooms: Rooms) -> LadderReader:
    store = rooms.store
    return LadderReader(
        rooms.clock, store.formula, store.history, store.boards, store.seasons, store.night_records, rooms.defaults
    )


def ladder_feature(rooms: Rooms) -> Feature:
    clock, store, defaults, reader = rooms.clock, rooms.store, rooms.defaults, ladder_reader(rooms)
    role = ChampionRole(rooms.client, store.champions)
    podiums = Podiums(clock, rooms.live, defaults, store.seasons, store.boards, reader, role)
    standings = StandingsCommands(reader, rooms.illustrator)
    season = SeasonCommands(clock, reader, store.seasons, store.season_records, store.night_records, defaults, podiums)
    voids = VoidCommands(clock, store.recount, store.history, reader, rooms.hub)
    return Feature(
        presses=(standings, season, voids),
        commands=(*standings.commands, *LadderCommands(reader).commands, *season.commands, *voids.commands),
        hears=(
            on(RightsChanged, podiums.server_changed),
            on(SettingsChanged, podiums.server_changed),
            on(SeasonChanged, podiums.season_changed),
            on(ErasureDone, lambda _: role.take_back()),
        ),
        of_shards=(podiums,),
        jobs=(podiums,),
        troubles=podiums.troubles,
    )
