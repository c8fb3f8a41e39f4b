"""Game nights: planned, signed up for, played and led."""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from random import Random
from typing import Any

import discord

from bot.base.clock import Clock
from bot.discord.interactions.feature import Feature
from bot.discord.messages.live_messages import LiveMessages
from bot.records.archive import Archive, NightRecords
from bot.records.seasons import SeasonStore
from bot.tables.directory import TableDirectory
from bot.tables.hub import (
    Hub,
    NightChanged,
    PersonBanned,
    RightsChanged,
    SeatsCalled,
    SeatsChanged,
    ServersLost,
    ServersReached,
    TableClosed,
)
from bot.tables.match.table import TableChanged
from bot.tables.nights.drafts import NightDraftStore
from bot.tables.nights.live_nights import LiveNights
from bot.tables.nights.night_runner import NightRunner
from bot.tables.nights.round_tables import RoundTables
from bot.tables.nights.running_night import NightStore
from bot.tables.server_settings import RuleBook
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.lobby.places import ServerDefaults
from bot.ui.night.commands import NightCommand, NightCommands
from bot.ui.night.host.host_presses import HostPresses
from bot.ui.night.messages.night_messages import NightMessages
from bot.ui.night.messages.winner_role import WinnerRole
from bot.ui.night.night_reader import NightReader
from bot.ui.night.plan.plan_presses import PlanPresses
from bot.ui.night.players import PlayerPresses


@dataclass(frozen=True, slots=True)
class Nights:
    feature: Feature
    live: LiveNights
    runner: NightRunner
    messages: NightMessages
    hosts: Callable[[discord.Interaction], Awaitable[bool]]
    """Whether the presser may plan a night."""


def wire_nights(
    client: discord.Client,
    clock: Clock,
    rng: Random,
    hub: Hub,
    directory: TableDirectory,
    live_messages: LiveMessages,
    is_settled: Callable[[int], bool],
    defaults: ServerDefaults,
    ladder: LadderReader,
    book: RuleBook,
    store: NightStore,
    drafts: NightDraftStore,
    past: NightRecords,
    archive: Archive,
    seasons: SeasonStore,
    champion_role: ChampionRole,
    matches_played: Callable[[int, int], Coroutine[Any, Any, int]],
) -> Nights:
    """They hear of their tables after the `directory` and the messages of tables, which are subscribed already.

    `is_settled` says whether all tables in a channel show how they ended.
    """
    live = LiveNights(clock=clock, store=store, directory=directory, hub=hub, rng=rng)
    messages = NightMessages(
        *(client, clock, live_messages, directory, is_settled, defaults, archive, past, ladder.zone, live),
        ladder.league_line,
    )
    tables = RoundTables(clock, store, directory, messages, rng)
    winner_role = WinnerRole(client, clock, defaults, champion_role, hub.publish)
    runner = NightRunner(live, tables, clock, hub, messages, winner_role.hand_over, messages.review)
    hub.subscribe(NightChanged, runner.night_changed, messages.night_changed)
    hub.subscribe(TableChanged, runner.table_changed)
    hub.subscribe(SeatsCalled, runner.seats_changed)
    hub.subscribe(SeatsChanged, runner.seats_changed)
    hub.subscribe(TableClosed, runner.table_closed)
    hub.subscribe(PersonBanned, live.banned)
    hub.subscribe(ServersLost, runner.servers_lost)
    hub.subscribe(ServersReached, runner.servers_reached, messages.servers_reached)
    hub.subscribe(RightsChanged, messages.rights_changed)

    nights = NightReader(
        live, past, defaults, directory.bans, messages.gone, matches_played, messages.warning, messages.events
    )
    players = PlayerPresses(nights, clock, directory, ladder.strength)
    plans = PlanPresses(nights, drafts, book, seasons, defaults, clock)
    feature = Feature(
        presses=(players, HostPresses(nights, clock, ladder.strength, messages.write), plans),
        commands=(
            *NightCommand(nights, players).commands,
            *NightCommands(nights, plans).commands,
        ),
    )
    return Nights(feature, live, runner, messages, nights.hosts)
