"""Wires the rooms together and lists the features."""

from importlib import import_module
from random import Random, SystemRandom
from typing import Final

from bot.art.drawing_queue import DrawingQueue
from bot.base.clock import Clock, WallClock
from bot.base.settings import Settings
from bot.discord.gateway.client import KemsClient
from bot.discord.interactions.admission.admission import PressRate
from bot.discord.interactions.admission.discord_clock import DiscordClock
from bot.discord.interactions.rooms import Rooms, shared_feature
from bot.discord.rate_limits.panel_requests import OwnLoad
from bot.robots import Timing
from bot.store.engine.database import Database
from bot.store.stores import SqlStores
from bot.tables.hub import Hub
from bot.ui.lobby.feature import lobby_feature
from bot.ui.lobby.lobby_board import lobby_board
from bot.ui.lobby.verbs import SettingsVerb
from bot.ui.records.feature import records_feature
from bot.ui.records.match_ends import MatchEndReader
from bot.ui.rules.feature import rules_feature
from bot.ui.table.feature import table_feature

FEATURES: Final = (
    "ladder",
    "night",
    "daily",
    "daily_post",
    "privacy",
    "server",
    "help",
)
"""Folders of `bot/ui`, whose `feature.py` has `feature(rooms)`. The server's settings and the help show those above."""

_MAKERS: Final = [import_module(f"bot.ui.{name}.feature").feature for name in FEATURES]


def add_features(rooms: Rooms) -> None:
    """Wire all features, in the order in which events reach them and shards are restored."""
    features, table = rooms.features, table_feature(rooms, lobby_board, MatchEndReader(rooms))
    features += shared_feature(rooms), table, lobby_feature(rooms, table)
    features += rules_feature(rooms, back=SettingsVerb.SETTINGS), records_feature(rooms)
    for make in _MAKERS:
        features += (make(rooms),)


def build_client(
    settings: Settings,
    *,
    clock: Clock | None = None,
    rng: Random | None = None,
    timing: Timing | None = None,
    pace: PressRate | None = None,
    has_allowances: bool = True,
    database: Database | None = None,
    load: OwnLoad | None = None,
) -> KemsClient:
    """Return a bot that is not connected yet.

    Args:
        settings: Those of the bot.
        clock: By default the machine's, which Discord's responses correct.
        rng: By default the system's random numbers.
        timing: How quick robots are; None for the pace of their level.
        pace: The rate limit of presses.
        has_allowances: Whether the requests of members and servers are limited.
        database: A migrated one, which the bot closes; by default that of the settings.
        load: Measures the process's load; panels are edited more rarely under load. None to ignore the load.

    Raises:
        StoreError: DATABASE_URL is no address of a database.
    """
    now = DiscordClock(clock or WallClock())

    def wire(client: KemsClient) -> Rooms:
        hub = Hub()
        store = SqlStores(settings, database or Database(settings.database_url, sends_from=settings.address_name), hub)
        rooms = Rooms(
            client=client, settings=settings, clock=now, rng=rng or SystemRandom(), hub=hub, store=store,
            drawings=DrawingQueue(), timing=timing, load=load, rate=pace or PressRate(), has_allowances=has_allowances,
        )  # fmt: skip
        add_features(rooms)
        return rooms

    return KemsClient(settings, wire)
