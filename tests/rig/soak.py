"""Robot matches one after the other in one process, on a clock that jumps: does the memory stay flat?

The house, its tables and robots, and their messages are the real ones; Discord and the database are
stand-ins that forget what is over. `make soak` plays 500, `tests/rig/test_soak.py` a few.
"""

import asyncio
import gc
import itertools
import resource
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import discord

from bot.art.drawing_queue import DrawingQueue
from bot.discord.interactions.rooms import Rooms
from bot.discord.messages.live_messages import LiveMessages
from bot.discord.messages.panel_memory import PanelMemory
from bot.discord.pictures.custom_emojis import CustomEmojis
from bot.discord.pictures.illustrations import Illustrator
from bot.discord.rate_limits.bot_requests import BotRequests
from bot.discord.rate_limits.panel_requests import PanelRequests
from bot.game.rules import house_rules as rules_of
from bot.records.player import Player
from bot.robots import LEVELS, Robot
from bot.tables.directory import TableDirectory
from bot.tables.hub import Hub, LobbyChanged, SeatsCalled, SeatsChanged, ServersReached, TableClosed
from bot.tables.lobby.lobby import new_lobby
from bot.tables.lobby.refusals import LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table import Table, TableChanged
from bot.tables.servers.settings import ServerSettings
from bot.ui.lobby.lobby_board import lobby_board
from bot.ui.table.messages.running_pictures import RunningPictures
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.pages.match_end import NOTHING_KNOWN, MatchEnd
from tests.tables.fakes import MemoryStore, NoBans
from tests.tables.virtual import LoopClock, VirtualLoop

WARM_UP = 50
"""Matches after which nothing may pile up any more."""
_CHANNEL = 2


class NoEnds:
    """Nothing is known of any match."""

    async def read(self, _table: Table) -> MatchEnd:
        return NOTHING_KNOWN

    async def film(self, _table: Table) -> None:
        return None


class Canvas:
    """As much of a Discord client as messages need: whatever is posted or edited is taken and forgotten."""

    def __init__(self) -> None:
        self.requests = 0
        self._ids = itertools.count(1000)

    def get_guild(self, _guild: int) -> SimpleNamespace:
        return SimpleNamespace(unavailable=False, get_channel_or_thread=lambda _id: None)

    def get_partial_messageable(self, _channel: int, *, guild_id: int) -> "Canvas":
        return self

    @property
    def http(self) -> "Canvas":
        return self

    async def send(self, *, view: object, nonce: str, **_options: object) -> SimpleNamespace:
        self.requests += 1
        return SimpleNamespace(id=next(self._ids))

    async def edit_message(self, _channel: int, _message: int, *, params: object) -> None:
        self.requests += 1

    def get_partial_message(self, _message: int) -> "Canvas":
        return self

    async def delete(self) -> None:
        self.requests += 1


@dataclass
class Soak:
    """What was measured, after the warm-up, at the end, and at every tenth of the way between.

    `blocks` are those that Python has allocated, which is exact; `resident` is the process's memory in MiB.
    """

    matches: int = 0
    events: int = 0
    requests: int = 0
    seconds: float = 0.0
    blocks: list[int] = field(default_factory=list)
    resident: list[float] = field(default_factory=list)

    @property
    def growth(self) -> float:
        """The share by which what is allocated grew from the warm-up to the end."""
        return self.blocks[-1] / self.blocks[0] - 1

    def __str__(self) -> str:
        return (
            f"soak: {self.matches} robot matches, {self.events:,} events, {self.requests:,} posts and edits"
            f" in {self.seconds:.0f} s; from the warm-up to the end:\n"
            f"  allocated blocks {' '.join(f'{count:,}' for count in self.blocks)} ({self.growth:+.2%})\n"
            f"  resident MiB {' '.join(f'{size:.1f}' for size in self.resident)}"
        )


def soak(matches: int, warm_up: int = WARM_UP, **rules: object) -> Soak:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(_soak(matches, warm_up, rules))


async def _soak(matches: int, warm_up: int, rules: dict[str, object]) -> Soak:
    report, store, canvas = Soak(), MemoryStore(delay=0), Canvas()
    memory = PanelMemory(None, LoopClock())
    hub = Hub()
    directory = TableDirectory(
        clock=LoopClock(),
        store=store,
        journal=store,
        bans=NoBans(),
        rng=Random(1),
        hub=hub,
        robots=lambda seat, level: Robot(Random(f"{report.matches} {seat}"), LEVELS[level]),
    )
    presenting(hub, directory, canvas, memory)
    began = time.monotonic()
    step = max((matches - warm_up) // 10, 1)
    while report.matches < matches:
        report.events += await _one_match(directory, store, rules)
        report.matches += 1
        if report.matches >= warm_up and (report.matches - warm_up) % step == 0:
            gc.collect()
            report.blocks.append(sys.getallocatedblocks())
            report.resident.append(resident_mib())
    report.seconds, report.requests = time.monotonic() - began, canvas.requests
    await directory.close()
    return report


def presenting(
    hub: Hub, directory: TableDirectory, canvas: Canvas, memory: PanelMemory
) -> tuple[LiveMessages, TableMessages]:
    """The messages that show the tables of `directory` on a canvas."""
    client, clock = cast(discord.Client, canvas), LoopClock()
    requests, emojis = PanelRequests(), CustomEmojis(client, clock)
    live = LiveMessages(client, clock, BotRequests(clock), emojis, Illustrator(DrawingQueue(), requests))
    in_words = RunningPictures(directory, _unread, 0)
    rooms = SimpleNamespace(
        client=client, clock=clock, directory=directory, emojis=emojis, live=live, memory=memory,
        panel_requests=requests,
    )  # fmt: skip
    messages = TableMessages(cast(Rooms, rooms), lobby_board, NoEnds(), in_words)
    hub.subscribe(TableChanged, messages.table_changed)
    hub.subscribe(SeatsCalled, messages.seats_called)
    hub.subscribe(SeatsChanged, messages.table_changed)
    hub.subscribe(LobbyChanged, messages.lobby_changed)
    hub.subscribe(TableClosed, messages.table_closed)
    hub.subscribe(ServersReached, messages.servers_reached)
    return live, messages


async def _unread(_guild_id: int) -> ServerSettings:
    raise AssertionError("where no table is drawn no wish is read")


def resident_mib() -> float:
    """The process's memory; where the system has no /proc, the most it ever had."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


async def _one_match(directory: TableDirectory, store: MemoryStore, rules: dict[str, Any]) -> int:
    chosen = rules_of.override(rules_of.preset("classic"), {name: str(value) for name, value in rules.items()})
    here, host = TableChannel(1, _CHANNEL), Player("Ana", 7)
    lobby = await directory.lobbies.open(new_lobby(place=here, host=host, rules=chosen, size=4, locale="fr"))
    robots = tuple(Player(f"Robot {seat}") for seat in range(4))
    await directory.lobbies.update(lobby.id, lambda present: replace(present, players=robots))
    table = await directory.start(lobby.id)
    assert not isinstance(table, LobbyRefusal), table
    while not table.is_over:
        await asyncio.sleep(30)
    await asyncio.sleep(10)
    events = len(store.logs[table.id])
    store.logs[table.id].clear()  # the database keeps these, not this process
    store.lobbies[table.id] = store.lobbies[1]
    return events


def main(matches: int = 1000) -> None:
    print(soak(matches, target=2), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
