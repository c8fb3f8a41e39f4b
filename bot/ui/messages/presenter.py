"""Watches all tables and keeps their public messages and private panels up to date. No press waits for that."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

import discord
import structlog

from bot.errors import StoreError
from bot.game.cards import Card
from bot.game.events import CardPutDown, CardsDealt, CardTaken, Event, PoolSwept, RoundEnded
from bot.records.pictures import Pictures
from bot.tables.clock import Clock
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.match.table import RETRY_S, Table
from bot.tables.match.table_actions import LiveRefusal, Pause
from bot.tables.shards import ALL, Shard
from bot.tables.table_store import Damaged
from bot.ui.admission.time_limit import PATIENCE_S
from bot.ui.kit.interactions import reader
from bot.ui.kit.permissions import lacking
from bot.ui.kit.texts import Texts, texts_for
from bot.ui.messages.emojis.custom_emojis import CustomEmojis
from bot.ui.messages.illustrations import Illustrator
from bot.ui.messages.limits.bot_requests import BotRequests
from bot.ui.messages.limits.panel_requests import PanelRequests
from bot.ui.messages.panels.panel_memory import PanelMemory
from bot.ui.messages.panels.private_panels import PrivatePanels
from bot.ui.messages.reminders import Reminders
from bot.ui.messages.screens import Screens
from bot.ui.messages.table_message import TableMessage
from bot.ui.messages.table_messages import TableMessages
from bot.ui.messages.unseen import Unseen, Why

_MAY_PASS: Final = frozenset({Why.FORBIDDEN, Why.CLOSED, Why.REMOVED})
"""Reasons that may pass without an event."""

_log = structlog.get_logger(__name__)


class Presenter:
    """The directory's watcher. Call `attach` first: directory and presenter need each other."""

    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        memory: PanelMemory,
        pictures: Pictures,
        panel_requests: PanelRequests | None = None,
    ) -> None:
        """`panel_requests` paces private panels; by default as Discord lets it."""
        self.requests = BotRequests(clock)
        self.panel_requests = panel_requests or PanelRequests()
        self.emojis = CustomEmojis(client, clock)
        self.illustrator = Illustrator(pictures, self.panel_requests)
        self.panels = PrivatePanels(client, memory, self.panel_requests, self.emojis, self.told)
        self._clock = clock
        self._client = client
        self._reminders = Reminders(client, self.requests, self._called)
        self._directory: TableDirectory | None = None
        self._screens: Screens | None = None
        self.boards = TableMessages()
        self._gone: set[int] = set()
        self._takers: dict[int, dict[Card, int]] = {}
        self._resting: set[asyncio.Task[None]] = set()

    def attach(self, directory: TableDirectory, screens: Screens) -> None:
        """Show the tables of `directory` by `screens`."""
        self._directory = directory
        self._screens = screens
        self.panels.attach(screens)

    async def restore(self, shard: Shard = ALL) -> None:
        """Load the messages of a shard's tables after a restart; `served` brings them up to date."""
        directory = self.directory
        tables = [table for table in directory.tables() if shard.has(table.lobby.place.guild_id)]
        await self.panels.restore(tables)
        for lobby in directory.lobbies():
            if shard.has(lobby.place.guild_id):
                self.board(lobby, is_restored=True).ask()
        for table in tables:
            self.board(table.lobby, is_restored=True).changed(table)
        for damaged in directory.all_damaged():
            if shard.has(damaged.place.guild_id):
                self.board(damaged, is_restored=True).ask()
        for ended in directory.closed_before():
            if shard.has(ended.place.guild_id):
                self.board(ended, is_restored=True).close(ended)

    def give_up(self, shard: Shard) -> None:
        """Write nothing more about a shard's tables: another process goes on with them."""
        for guild_id in [guild_id for guild_id in self.boards.servers() if shard.has(guild_id)]:
            for board in self.boards.in_server(guild_id):
                board.stop()
                self.boards.drop(board.table_id)
                self._takers.pop(board.table_id, None)
                self._reminders.give_up(board.table_id)
                self.panels.give_up(board.table_id)

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        self._remember_takers(table.id, events)
        is_turn = any(isinstance(event, CardsDealt | RoundEnded) for event in events)
        self.board(table.lobby).changed(table, is_urgent=is_turn)
        self.panels.changed(table, turn_page=is_turn)
        self._reminders.changed(table.id)

    def board(self, lobby: Lobby | Damaged, *, is_restored: bool = False) -> TableMessage:
        """The public message of a table; `is_restored` matters at the first call."""
        board = self.boards.get(lobby.id)
        if board is None:
            self._forget_gone()
            assert self._screens is not None, "the presenter is attached before a table is shown"
            board = TableMessage(
                self._client,
                self.directory,
                lobby,
                self._screens.of_table(lobby, lambda: self._opened(lobby.id)),
                clock=self._clock,
                requests=self.requests,
                emojis=self.emojis,
                placed=self.boards.placed,
                sight_changed=self._sight_changed,
                is_restored=is_restored,
            )
            self.boards.add(board)
            if self._is_gone(lobby.id):
                self._gone.add(lobby.id)
        return board

    async def show_panel(
        self,
        interaction: discord.Interaction,
        table: Table,
        seat: int,
        page: str,
        notice: str | None = None,
        *,
        is_below: bool = False,
    ) -> None:
        """Answer a press with the player's private panel, and show to all that the hand is open.

        `is_below`: as a new message, also where the panel was pressed.
        """
        texts = reader(interaction)
        if await self.panels.answer(interaction, table, seat, texts, page, notice, is_below=is_below):
            self.board(table.lobby).ask()

    def table_at(self, message_id: int) -> Table | None:
        """The match whose public message that is."""
        board = self.boards.at(message_id)
        return None if board is None else self.directory.table(board.table_id)

    def taker(self, table_id: int, card: Card) -> int | None:
        """The seat that holds a card which it took out of the pool."""
        return self._takers.get(table_id, {}).get(card)

    def awaits(self, table: Table, seats: Sequence[int], until: int) -> None:
        """Remind the people of these seats."""
        self._reminders.call(table, seats, until)

    def closed(self, lobby: Lobby) -> None:
        if lobby.status in (Status.CANCELLED, Status.EXPIRED):
            self.board(lobby, is_restored=True).close(lobby)  # a lobby may expire before `restore` comes to it
            self.panels.forget(lobby.id)
            self._reminders.changed(lobby.id)

    def gave_up(self, damaged: Damaged) -> None:
        self.board(damaged).close(damaged)

    def deleted(self, message_ids: Collection[int]) -> None:
        for message_id in message_ids:
            board = self.boards.at(message_id)
            if board is not None:
                board.deleted()

    def written(self, channel_id: int, message_id: int) -> None:
        """A message came in a channel."""
        for board in self.boards.in_channel(channel_id):
            board.written(message_id)

    def reacted(self, message_id: int, emoji: str) -> None:
        """A reaction was put on a message."""
        board = self.boards.at(message_id)
        if board is not None:
            board.reacted(emoji)

    def lost_sight(self, guild_ids: Collection[int]) -> None:
        """Messages may have come in these servers that the bot did not see."""
        for guild_id in guild_ids:
            for board in self.boards.in_server(guild_id):
                board.lost_sight()

    def removed(self, guild_id: int) -> None:
        """The bot was removed from a server."""
        for board in self.boards.in_server(guild_id):
            board.lose(Why.REMOVED)

    def channel_deleted(self, channel_id: int, parent_id: int | None = None) -> None:
        """A channel, or a thread of `parent_id`, was deleted."""
        for board in self.boards.in_channel(channel_id):
            board.lose(Why.CHANNEL_GONE)
            table = self.directory.table(board.table_id)
            if parent_id is not None and table is not None and not table.is_over:
                texts = texts_for(table.lobby.locale)
                self._reminders.tell(table.lobby, parent_id, board.told(texts) or "")

    def is_in(self, guild_ids: Collection[int], shard: Shard) -> None:
        """The bot is in these servers of a shard only."""
        for guild_id in self.boards.servers():
            if shard.has(guild_id) and guild_id not in guild_ids:
                self.removed(guild_id)

    def served(self, guild_ids: Collection[int]) -> None:
        """Discord serves these servers (again): their messages may be out of date."""
        for board in [board for guild_id in guild_ids for board in self.boards.in_server(guild_id)]:
            self._try_again(board)
            board.ask()
            table = self.directory.table(board.table_id)
            if table is not None:
                self.panels.changed(table, turn_page=False)

    def try_again(self, guild_id: int, channel_id: int | None = None) -> None:
        """A server or one of its channels has changed: try to show unseen tables again."""
        found = self.boards.in_server(guild_id) if channel_id is None else self.boards.in_channel(channel_id)
        for board in found:
            self._try_again(board)

    async def still_unseen(self, table: Table, texts: Texts) -> str | None:
        """Try at once to show an unseen table. Returns why it still cannot be shown."""
        board = self.board(table.lobby)
        try:
            async with asyncio.timeout(PATIENCE_S):
                await board.found()
        except TimeoutError:
            _log.info("board.not_in_time", table=table.id)
        return board.told(texts)

    def told(self, table_id: int, texts: Texts) -> str | None:
        """Why a table cannot be shown; None where it can."""
        board = self.boards.get(table_id)
        return None if board is None else board.told(texts)

    def caught_up(self, outcome: object) -> None:
        """A change was saved after its press had been answered as too slow."""
        if isinstance(outcome, Lobby):
            self.closed(outcome)
            self.board(outcome).ask()

    def stop(self) -> None:
        for board in self.boards:
            board.stop()
        for task in self._resting:
            task.cancel()
        self._reminders.stop()
        self.panels.stop()
        self.illustrator.stop()

    @property
    def directory(self) -> TableDirectory:
        assert self._directory is not None, "the presenter is attached to its directory before it is used"
        return self._directory

    def _try_again(self, board: TableMessage) -> None:
        place, may_pass = board.place, board.unseen is not None and board.unseen.why in _MAY_PASS
        if may_pass and not lacking(self._client, place.guild_id, place.channel_id):
            board.try_again()

    def _sight_changed(self, board: TableMessage) -> None:
        table = self.directory.table(board.table_id)
        if table is not None:
            self.panels.changed(table, turn_page=False)
        if board.unseen is not None:
            task = asyncio.get_running_loop().create_task(self._let_rest(board))
            self._resting.add(task)
            task.add_done_callback(self._resting.discard)

    async def _let_rest(self, board: TableMessage) -> None:
        """Pause a match that cannot be seen, close a lobby whose channel is gone; retry until that is saved."""
        while board.unseen is not None:
            try:
                if await self._is_at_rest(board.table_id, board.unseen):
                    return
            except StoreError as error:
                _log.warning("unseen.not_saved", table=board.table_id, problem=str(error))
            await asyncio.sleep(RETRY_S)

    async def _is_at_rest(self, table_id: int, unseen: Unseen) -> bool:
        table = self.directory.table(table_id)
        if table is not None:
            return not isinstance(await table.submit(Pause(by_itself=True)), LiveRefusal)  # while calls are judged
        if unseen.why is Why.CHANNEL_GONE:
            closed = await self.directory.update(table_id, lambda lobby: lobby.cancel())
            if isinstance(closed, Lobby):
                self.closed(closed)
        return True

    def _called(self, table_id: int) -> dict[int, int]:
        return self.directory.seating.called(table_id)

    def _opened(self, table_id: int) -> frozenset[int]:
        table = self.directory.table(table_id)
        return frozenset() if table is None else self.panels.opened(table)

    def _remember_takers(self, table_id: int, events: Sequence[Event]) -> None:
        takers = self._takers.setdefault(table_id, {})
        for event in events:
            match event:
                case CardTaken(seat=seat, card=card):
                    takers[card] = seat
                case CardPutDown(card=card):
                    takers.pop(card, None)
                case CardsDealt() | PoolSwept():
                    takers.clear()

    def _is_gone(self, table_id: int) -> bool:
        return self.directory.lobby(table_id) is None and self.directory.damaged(table_id) is None

    def _forget_gone(self) -> None:
        """Forget tables that left the directory."""
        left, self._gone = self._gone.union(self.directory.take_gone()), set()
        for table_id in filter(self._is_gone, left):
            self.boards.drop(table_id)
            self._takers.pop(table_id, None)
            self._reminders.forget(table_id)
            self.panels.forget(table_id)
