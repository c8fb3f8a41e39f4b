"""What happens at one table costs the same among many tables as among ten.

Counted, not timed: the lines of `bot/` that are carried out.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

import bot
from bot.discord.api.components import Layout
from bot.discord.api.error_codes import OutageReason
from bot.discord.messages.ephemeral_message import PanelToken
from bot.discord.messages.live_messages import LiveMessages
from bot.discord.messages.panel_memory import PanelMemory
from bot.discord.places.outage import ChannelLost
from bot.discord.rate_limits.bot_requests import EDIT_INTERVAL
from bot.game.actions import PutDown
from bot.records.player import Player
from bot.tables.directory import TableDirectory
from bot.tables.erasure import Erasure
from bot.tables.hub import Hub, RightsChanged, ServersReached
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table import Table
from bot.tables.table_store import OpenPanel, PanelKey
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.which_table import find_table, table_of
from tests.examples import mostly_long
from tests.rig.soak import Canvas, presenting
from tests.tables.fakes import MemoryStore, NoBans, World, a_lobby, idle_robot
from tests.tables.virtual import LoopClock, in_virtual_time

FEW, MANY, A_THOUSAND = 10, 100, 1000
MIDDLE = 500
_BOT = str(Path(bot.__file__).parent)


class Lines:
    """Counts the lines of `bot/` that are carried out."""

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def counted(self) -> Iterator[None]:
        former = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(former)

    def _enter(self, frame: FrameType, _event: str, _argument: object) -> Any:
        return self._line if frame.f_code.co_filename.startswith(_BOT) else None

    def _line(self, _frame: FrameType, event: str, _argument: object) -> Any:
        self.count += event == "line"
        return self._line


class PanelsInMemory:
    """Panels of a former run, all of which can still be reached."""

    def __init__(self, lobbies: Collection[Lobby]) -> None:
        self._lobbies = lobbies

    async def load(self, _since: int, _table_ids: Collection[int]) -> tuple[OpenPanel, ...]:
        now = LoopClock().now()
        return tuple(
            OpenPanel(lobby.id, player.user_id, seat, "hand", "en", 1, now, 1, "token")
            for lobby in self._lobbies
            for seat, player in enumerate(lobby.players)
            if player is not None and player.user_id is not None
        )

    async def save(self, opened: Sequence[OpenPanel], closed: Collection[PanelKey], since: int) -> None:
        pass


class Town:
    """So many tables in their hunts, each with its own server, channel, message, people and open panels."""

    def __init__(
        self, directory: TableDirectory, live: LiveMessages, messages: TableMessages, store: MemoryStore, canvas: Canvas
    ) -> None:
        self.directory = directory
        self.live = live
        self.messages = messages
        self.store = store
        self.canvas = canvas
        self.edited: list[PanelToken] = []

    @property
    def table(self) -> Table:
        """The one at which something happens: in the middle, neither the oldest nor the youngest."""
        table = self.directory.table(MIDDLE)
        assert table is not None
        return table

    def place(self) -> TableChannel:
        return self.table.lobby.place


async def town(tables: int) -> Town:
    pattern = World()
    played = await pattern.hunting()
    store, seats = MemoryStore(delay=0), played.lobby.players
    for table_id in range(MIDDLE - tables // 2, MIDDLE + tables // 2):
        people = tuple(Player(f"P{seat}", 10 * table_id + seat + 1) for seat in range(len(seats)))
        place = TableChannel(table_id, 1_000_000 + table_id, 2_000_000 + table_id, 1)
        store.lobbies[table_id] = replace(
            played.lobby, id=table_id, place=place, host_id=10 * table_id + 1, players=people, status=Status.PLAYING
        )
        store.logs[table_id] = list(pattern.store.logs[played.id])
    await pattern.directory.close()
    canvas = Canvas()
    memory = PanelMemory(PanelsInMemory([*store.lobbies.values()]), LoopClock())
    hub = Hub()
    directory = TableDirectory(
        clock=LoopClock(), store=store, journal=store, bans=NoBans(), rng=Random(1), hub=hub, robots=idle_robot
    )
    live, messages = presenting(hub, directory, canvas, memory)
    await directory.restore()
    await messages.restore()
    await directory.resume()
    await asyncio.sleep(600)  # all messages are up to date
    assert live.context.requests.edit_interval(None) == EDIT_INTERVAL, "no table is busy any more"
    return Town(directory, live, messages, store, canvas)


@pytest.fixture(autouse=True)
def edited(monkeypatch: pytest.MonkeyPatch) -> list[PanelToken]:
    """The panels that were edited."""
    reached: list[PanelToken] = []

    async def edit(reach: PanelToken, _layout: Layout) -> None:
        reached.append(reach)

    monkeypatch.setattr(PanelToken, "edit", edit)
    return reached


Doing = Callable[[Town], Awaitable[object]]


async def put_down(town: Town) -> None:
    """A move, with all that it redraws."""
    table = town.table
    view = table.player_view(0)
    await table.submit(next(action for action in view.legal if isinstance(action, PutDown)))
    await asyncio.sleep(5)


async def open_a_table(town: Town) -> None:
    lobby = await town.directory.lobbies.open(
        a_lobby(Player("Zoé", 7), place=TableChannel(7, 77), rules=town.table.lobby.rules)
    )
    town.messages.message(lobby).request_update()
    await asyncio.sleep(5)


async def end_a_table(town: Town) -> None:
    await town.directory.seating.end(town.table, 0)
    await asyncio.sleep(5)


async def delete_messages(town: Town) -> None:
    town.live.deleted((5, 6))
    message_id = town.place().message_id
    assert message_id is not None
    town.live.deleted((message_id,))
    await asyncio.sleep(5)
    assert town.place().message_id not in (None, message_id), "it was posted again"


async def change_a_channel(town: Town) -> None:
    town.live.rights_changed(RightsChanged(town.place().guild_id, town.place().channel_id))
    town.live.rights_changed(RightsChanged(town.place().guild_id))
    town.live.rights_changed(RightsChanged(5_000_000))
    town.messages.channel_lost(ChannelLost(5_000_000, OutageReason.CHANNEL_GONE))
    town.live.removed(5_000_000)
    await asyncio.sleep(5)


async def serve_a_server(town: Town) -> None:
    town.directory.hold({town.place().guild_id})
    town.messages.servers_reached(ServersReached({town.place().guild_id}))
    await town.directory.resume({town.place().guild_id})
    await asyncio.sleep(5)


async def find_tables(town: Town) -> None:
    place, user_id = town.place(), 10 * town.table.id + 2
    assert town.messages.table_at(place.message_id or 0) is town.table
    assert town.directory.lobby_in(place.channel_id) is town.table.lobby
    assert town.directory.lobby_in(7) is None
    assert table_of(town.directory, user_id, place.guild_id) is town.table
    assert table_of(town.directory, user_id, place.guild_id + 1) is None
    interaction: Any = SimpleNamespace(
        user=SimpleNamespace(id=user_id), guild_id=place.guild_id, channel_id=9, guild=None, locale="en"
    )
    for number in (None, town.table.id):
        assert find_table(town.directory, interaction, number) is town.table.lobby
    privacy: Any = None
    assert Erasure(town.directory, privacy, privacy, Hub()).tables_of(user_id) == (town.table.lobby,)


async def carry_out(doing: Doing, tables: int) -> int:
    lines, built = Lines(), await town(tables)
    with lines.counted():
        await doing(built)
    await built.directory.close()
    built.live.stop()
    built.messages.stop()
    return lines.count


@pytest.mark.parametrize(
    "doing",
    [put_down, open_a_table, end_a_table, delete_messages, change_a_channel, serve_a_server, find_tables],
    ids=lambda doing: doing.__name__,
)
@pytest.mark.parametrize("tables", mostly_long([MANY, A_THOUSAND], MANY))
def test_an_event_at_a_table_touches_no_other_table(doing: Doing, tables: int) -> None:
    counts: list[int] = []

    @in_virtual_time
    async def run() -> None:
        counts.extend([await carry_out(doing, each) for each in (FEW, FEW, tables)])  # the first fills caches

    run()
    _, few, many = counts
    assert few > 20, "something was done"
    assert many == few


@in_virtual_time
async def test_a_move_edits_the_panels_of_its_table_alone(edited: list[PanelToken]) -> None:
    built = await town(FEW)
    posted = built.canvas.requests
    edited.clear()
    await put_down(built)
    assert len(edited) == 4
    assert built.canvas.requests == posted + 1
    await built.directory.close()
    built.live.stop()
    built.messages.stop()
