"""Who stands where: leaderboards, figures, seasons and void matches."""

from bot.records.history import History
from bot.records.season_record import SeasonRecords
from bot.records.seasons import Recount, SeasonStore
from bot.tables.clock import Clock
from bot.tables.jobs.season_ends import SeasonEnds
from bot.ui.feature import Feature
from bot.ui.ladder.commands import LadderCommands, StandingsCommands
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.season_commands import SeasonCommands
from bot.ui.ladder.season_end import SeasonEnd
from bot.ui.ladder.void_commands import VoidCommands
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.presenter import Presenter


def ladder_feature(
    clock: Clock,
    reader: LadderReader,
    history: History,
    seasons: SeasonStore,
    records: SeasonRecords,
    recount: Recount,
    ends: SeasonEnds,
    presenter: Presenter,
    defaults: ServerDefaults,
) -> Feature:
    """The ladders of all servers."""
    standings = StandingsCommands(reader, presenter.illustrator)
    end = SeasonEnd(clock, reader, seasons, defaults, ends, presenter.illustrator)
    voids = VoidCommands(clock, recount, history)
    return Feature(
        presses=(standings, end, voids),
        commands=(*standings.commands, LadderCommands(reader)),
        manager_commands=(SeasonCommands(clock, reader, seasons, records, defaults, ends, end), voids),
    )
