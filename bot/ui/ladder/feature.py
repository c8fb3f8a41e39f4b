"""Who stands where: leaderboards, figures, seasons, what follows on their ends, and void matches."""

from dataclasses import dataclass

import discord

from bot.ladder.formula import Formula
from bot.records.archive import NightRecords
from bot.records.history import Boards, History
from bot.records.season_files import SeasonRecords
from bot.records.seasons import ChampionStore, Recount, SeasonStore
from bot.tables.clock import Clock
from bot.tables.hub import Hub, RightsChanged, SeasonChanged, SettingsChanged
from bot.tables.season_ends import SeasonDutyStore, SeasonEnds
from bot.ui.feature import Feature
from bot.ui.ladder.about import LadderCommands, VoidCommands
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.ladder.commands import StandingsCommands
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.podium_post import PodiumPost
from bot.ui.ladder.season_commands import SeasonCommands
from bot.ui.live.presenter import Presenter
from bot.ui.lobby.places import ServerDefaults


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ladders of all servers. `ends` carries out the duties of seasons that are over."""

    feature: Feature
    reader: LadderReader
    ends: SeasonEnds
    champion_role: ChampionRole


def wire_ladder(
    client: discord.Client,
    clock: Clock,
    hub: Hub,
    presenter: Presenter,
    defaults: ServerDefaults,
    formula: Formula,
    history: History,
    boards: Boards,
    seasons: SeasonStore,
    duties: SeasonDutyStore,
    nights: NightRecords,
    champions: ChampionStore,
    records: SeasonRecords,
    recount: Recount,
) -> Ladder:
    reader = LadderReader(clock, formula, history, boards, seasons, duties, nights)
    champion_role = ChampionRole(client, champions)
    podiums = PodiumPost(presenter.live, hub, defaults, boards, reader, duties, champion_role)
    ends = SeasonEnds(clock, duties, podiums)
    hub.subscribe(RightsChanged, ends.server_changed)
    hub.subscribe(SettingsChanged, ends.server_changed)
    hub.subscribe(SeasonChanged, ends.season_changed)

    standings = StandingsCommands(reader, presenter.illustrator)
    season = SeasonCommands(clock, reader, seasons, records, defaults, ends, presenter)
    voids = VoidCommands(clock, recount, history)
    feature = Feature(
        presses=(standings, season, voids),
        commands=(*standings.commands, LadderCommands(reader)),
        manager_commands=(season, voids),
    )
    return Ladder(feature, reader, ends, champion_role)
