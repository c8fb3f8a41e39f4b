"""How a server is set up."""

from bot.records.seasons import SeasonStore
from bot.tables.clock import Clock
from bot.tables.jobs.season_ends import SeasonDutyStore
from bot.tables.server_settings import ServerStore
from bot.ui.feature import Feature
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.server.commands import ConfigCommand
from bot.ui.server.config_presses import ConfigPresses


def server_feature(
    clock: Clock,
    servers: ServerStore,
    seasons: SeasonStore,
    duties: SeasonDutyStore,
    defaults: ServerDefaults,
    afk_seconds: int,
) -> Feature:
    """The settings of all servers; `afk_seconds` holds where a server has chosen no patience of its own."""
    config = ConfigPresses(servers, seasons, duties, clock, defaults, afk_seconds=afk_seconds)
    return Feature(presses=(config,), manager_commands=ConfigCommand(config).commands)
