"""Game nights: planned, signed up for, played and led."""

from bot.records.nights import NightRecords
from bot.records.seasons import SeasonStore
from bot.tables.clock import Clock
from bot.tables.nights.live_nights import LiveNights
from bot.tables.rule_book import RuleBook
from bot.ui.feature import Feature
from bot.ui.lobby.server_defaults import ServerDefaults
from bot.ui.messages.presenter import Presenter
from bot.ui.night.commands import NightCommand, NightCommands
from bot.ui.night.host.host_presses import HostPresses
from bot.ui.night.night_reader import NightReader
from bot.ui.night.plan.plan_presses import PlanPresses
from bot.ui.night.player_presses import PlayerPresses, Strength


def night_feature(
    clock: Clock,
    live: LiveNights,
    past: NightRecords,
    book: RuleBook,
    seasons: SeasonStore,
    defaults: ServerDefaults,
    presenter: Presenter,
    strength: Strength,
) -> Feature:
    """The nights of all servers."""
    nights = NightReader(live, past)
    players = PlayerPresses(nights, clock, presenter, strength)
    plans = PlanPresses(nights, book, seasons, defaults, clock)
    return Feature(
        presses=(players, HostPresses(nights, clock), plans),
        commands=NightCommand(nights, players).commands,
        manager_commands=(NightCommands(nights, plans, clock),),
    )
