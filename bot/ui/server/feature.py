"""How a server is set up."""

from bot.records.seasons import SeasonStore
from bot.tables.clock import Clock
from bot.tables.jobs.retention import Retention
from bot.tables.jobs.season_ends import SeasonDutyStore
from bot.tables.server_settings import ServerStore
from bot.ui.feature import Feature
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.server.commands import ConfigCommands


def server_feature(
    clock: Clock,
    servers: ServerStore,
    seasons: SeasonStore,
    duties: SeasonDutyStore,
    retention: Retention,
    defaults: ServerDefaults,
    afk_seconds: int,
) -> Feature:
    """The settings of all servers; `afk_seconds` holds where a server has not chosen its own."""
    config = ConfigCommands(servers, seasons, duties, retention, clock, defaults, afk_seconds=afk_seconds)
    return Feature(presses=(config,), manager_commands=config.commands)
