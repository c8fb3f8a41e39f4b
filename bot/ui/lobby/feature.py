"""A table before its match: opening and moving it, who sits where, the vote; and which screen a table shows."""

from collections.abc import Callable, Collection
from random import Random

from bot.game.rules.presets import CLASSIC
from bot.tables.clock import Clock
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby
from bot.tables.rule_book import RuleBook
from bot.tables.server_settings import ServerStore
from bot.tables.table_store import Damaged
from bot.ui.feature import Feature
from bot.ui.lobby.commands import LobbyCommands
from bot.ui.lobby.invitations import Invitations
from bot.ui.lobby.openings import Openings
from bot.ui.lobby.practice import PracticeCommands
from bot.ui.lobby.presses import LobbyPresses
from bot.ui.lobby.public_screen import PublicScreen
from bot.ui.lobby.quick_presses import QuickPresses
from bot.ui.lobby.rematch_presses import RematchPresses
from bot.ui.lobby.robot_matches import HasPlayed, RobotMatches
from bot.ui.lobby.robot_openings import RobotOpenings
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.lobby.settings_presses import SettingsPresses
from bot.ui.messages.presenter import Presenter
from bot.ui.table.public.match_end import ReadMatchEnd


def lobby_feature(
    directory: TableDirectory,
    book: RuleBook,
    presenter: Presenter,
    defaults: ServerDefaults,
    servers: ServerStore,
    clock: Clock,
    rng: Random,
    read_match_end: ReadMatchEnd,
    has_played: HasPlayed,
    *,
    in_thread: bool,
) -> Feature:
    """The lobbies of `directory`; `in_thread`: a table gets a thread of its own unless its host says otherwise."""
    openings = Openings(presenter)
    robot_matches = RobotMatches(directory, presenter, rng, book.preset(CLASSIC.preset), has_played)
    robot_openings = RobotOpenings(directory, presenter, defaults, openings, robot_matches)

    def public_screen(lobby: Lobby | Damaged, opened_hands: Callable[[], Collection[int]]) -> PublicScreen:
        return PublicScreen(directory, lobby, presenter.emojis, opened_hands, read_match_end)

    return Feature(
        presses=(
            LobbyPresses(directory, presenter, defaults),
            QuickPresses(directory, presenter, robot_openings),
            RematchPresses(directory, presenter),
            SettingsPresses(directory, presenter, rng),
            Invitations(directory, presenter, servers, clock),
        ),
        commands=(
            *LobbyCommands(directory, book, presenter, defaults, openings, in_thread=in_thread).commands,
            *PracticeCommands(directory, presenter, robot_openings).commands,
        ),
        table_screen=public_screen,
    )
