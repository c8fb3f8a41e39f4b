"""A table before its match: opening and moving it, who sits where, the vote."""

from random import Random

from bot.game.rules.presets import CLASSIC
from bot.tables.clock import Clock
from bot.tables.rule_book import RuleBook
from bot.tables.server_settings import ServerStore
from bot.ui.feature import Feature
from bot.ui.live.presenter import Presenter
from bot.ui.lobby.commands import LobbyCommands
from bot.ui.lobby.invitations import Invitations
from bot.ui.lobby.openings import Openings
from bot.ui.lobby.places import ServerDefaults
from bot.ui.lobby.presses import LobbyPresses, RematchPresses
from bot.ui.lobby.robot_tables import HasPlayed, RobotTables
from bot.ui.lobby.settings import SettingsPresses, VotePresses


def lobby_feature(
    book: RuleBook,
    presenter: Presenter,
    defaults: ServerDefaults,
    servers: ServerStore,
    clock: Clock,
    rng: Random,
    has_played: HasPlayed,
    *,
    in_thread: bool,
) -> Feature:
    """`in_thread`: a table gets a thread of its own unless its host says otherwise."""
    openings = Openings(presenter.directory)
    classic = book.preset(CLASSIC.preset)
    robot_tables = RobotTables(presenter, defaults, openings, rng, classic, has_played)

    return Feature(
        presses=(
            LobbyPresses(presenter, defaults),
            VotePresses(presenter.directory),
            robot_tables,
            RematchPresses(presenter),
            SettingsPresses(presenter.directory, rng),
            Invitations(presenter, servers, clock),
        ),
        commands=(
            *LobbyCommands(book, presenter, defaults, openings, in_thread=in_thread).commands,
            *robot_tables.commands,
        ),
    )
