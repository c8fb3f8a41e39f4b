"""Game nights: planned, signed up for, played and hosted."""

import discord

from bot.discord.interactions.feature import Feature
from bot.discord.interactions.rooms import Rooms
from bot.tables.hub import (
    NightChanged,
    OpenChannels,
    PersonBanned,
    PersonErased,
    RightsChanged,
    SeatsCalled,
    SeatsChanged,
    ServersLost,
    ServersReached,
    SettingsChanged,
    TableClosed,
    on,
)
from bot.tables.match.table import TableChanged
from bot.tables.nights.night_runner import NightRunner
from bot.tables.nights.round_tables import RoundTables
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.night.commands import NightCommands
from bot.ui.night.host.host_presses import HostPresses
from bot.ui.night.messages.night_messages import NightMessages
from bot.ui.night.messages.winner_role import WinnerRole
from bot.ui.night.night_reader import NightReader
from bot.ui.night.plan.plan_presses import PlanPresses
from bot.ui.night.players import PlayerPresses


def feature(rooms: Rooms) -> Feature:
    """Return game nights as a feature. They receive the events of a table after the table's messages have."""
    clock, hub, live, directory = rooms.clock, rooms.hub, rooms.nights, rooms.directory
    ladder = LadderReader(rooms)
    messages = NightMessages(rooms, ladder)
    winner_role = WinnerRole(rooms, ChampionRole(rooms.client, rooms.store.champions))
    tables = RoundTables(clock, rooms.store.nights, directory, messages, rooms.rng)
    runner = NightRunner(live, tables, clock, hub, messages, winner_role.hand_over, messages.review)
    nights = NightReader(rooms, messages, ladder)
    players = PlayerPresses(nights, clock, directory)
    plans = PlanPresses(rooms, nights)
    return Feature(
        presses=(players, HostPresses(nights, clock), plans),
        commands=NightCommands(nights, players, plans).commands,
        hears=(
            on(NightChanged, runner.night_changed, messages.night_changed),
            on(TableChanged, runner.table_changed),
            on(SeatsCalled, runner.seats_changed),
            on(SeatsChanged, runner.seats_changed),
            on(TableClosed, runner.table_closed),
            on(PersonBanned, live.banned),
            on(PersonErased, lambda person: live.forget(person.user_id)),
            on(ServersLost, runner.servers_lost),
            on(ServersReached, runner.servers_reached, messages.servers_reached),
            on(RightsChanged, messages.rights_changed),
            on(OpenChannels, messages.access_changed),
            on(SettingsChanged, messages.access_changed),
            on(discord.Message, messages.thread_started),
        ),
        of_shards=(live, messages, runner),
        stops=(runner.close, messages.stop),
        problems=messages.problems,
    )
