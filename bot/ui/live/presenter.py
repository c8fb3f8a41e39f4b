"""Watches all tables and keeps their public messages and private panels up to date. No press waits for that."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from functools import partial

import discord
import structlog

from bot.background import Tasks
from bot.errors import StoreError
from bot.game.cards import Card
from bot.game.events import CardPutDown, CardsDealt, CardTaken, Event, PoolSwept, RoundEnded
from bot.records.pictures import Pictures
from bot.tables.clock import Clock
from bot.tables.directory import TableDirectory
from bot.tables.hub import LobbyChanged, SeatsCalled, SeatsChanged, ServersReached, TableClosed
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.match.table import RETRY_S, Table, TableChanged
from bot.tables.match.table_actions import LiveRefusal, Pause
from bot.tables.table_store import Damaged, Servers, all_servers
from bot.ui.admission.patience import PATIENCE_S
from bot.ui.kit.interactions import reader
from bot.ui.kit.texts import Texts
from bot.ui.live.custom_emojis import CustomEmojis
from bot.ui.live.illustrations import Illustrator
from bot.ui.live.live_message import LiveMessage
from bot.ui.live.live_messages import LiveMessages
from bot.ui.live.outage import Outage, Reason
from bot.ui.live.panel_requests import PanelRequests
from bot.ui.live.private_panels import PanelMemory, PrivatePanels
from bot.ui.live.reminders import Reminders
from bot.ui.live.requests import BotRequests
from bot.ui.live.table_message import Screens, TableMessage

_log = structlog.get_logger(__name__)


class Presenter:
    """Hears of tables by the hub."""

    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        directory: TableDirectory,
        screens: Screens,
        emojis: CustomEmojis,
        memory: PanelMemory,
        pictures: Pictures,
        panel_requests: PanelRequests | None = None,
    ) -> None:
        """`panel_requests` paces private panels; by default as Discord lets it."""
        self.requests = BotRequests(clock)
        self.panel_requests = panel_requests or PanelRequests(clock)
        self.emojis = emojis
        self.illustrator = Illustrator(pictures, self.panel_requests)
        self.panels = PrivatePanels(client, memory, self.panel_requests, screens, emojis, self.outage_line)
        self.live = LiveMessages(client, clock, self.requests, emojis, self.illustrator)
        self._reminders = Reminders(self.live, directory.attendance.called)
        self.directory = directory
        self._screens = screens
        self._messages: dict[int, TableMessage] = {}
        self._gone: set[int] = set()
        self._takers: dict[int, dict[Card, int]] = {}
        self._resting = Tasks()

    async def restore(self, servers: Servers = all_servers) -> None:
        """Load the messages of these servers' tables after a restart; `served` brings them up to date."""
        directory = self.directory
        tables = [table for table in directory.tables() if servers(table.lobby.place.guild_id)]
        await self.panels.restore(tables)
        unplayed: list[Lobby | Damaged] = [*directory.open_lobbies(), *directory.all_damaged()]
        for lobby in unplayed:
            if servers(lobby.place.guild_id):
                self.message(lobby, is_restored=True).ask()
        for table in tables:
            self.message(table.lobby, is_restored=True).changed(table)
        for ended in directory.closed_before:
            if servers(ended.place.guild_id):
                self.message(ended, is_restored=True).close(ended)

    def give_up(self, servers: Servers) -> None:
        """Write nothing more about the tables of these servers: another process goes on with them."""
        self.live.give_up([guild_id for guild_id in self.live.servers() if servers(guild_id)])
        for table_id, message in tuple(self._messages.items()):
            if servers(message.place.guild_id):
                self._forget(table_id)
                self.panels.give_up(table_id)

    def table_changed(self, changed: TableChanged | SeatsChanged) -> None:
        table, events = changed.table, changed.events if isinstance(changed, TableChanged) else ()
        self._remember_takers(table.id, events)
        is_turn = any(isinstance(event, CardsDealt | RoundEnded) for event in events)
        self.message(table.lobby).changed(table, is_urgent=is_turn)
        self.panels.changed(table, events, turn_page=is_turn)
        for notice in self._reminders.notices.get(table.id, ()):
            notice.ask()

    def message(self, lobby: Lobby | Damaged, *, is_restored: bool = False) -> TableMessage:
        """The public message of a table; `is_restored` matters at the first call."""
        message = self._messages.get(lobby.id)
        if message is None:
            self._forget_gone()
            screen = self._screens.of_table(lobby, lambda: self._opened(lobby.id))
            message = self._messages[lobby.id] = TableMessage(
                self.live.context, self.directory, lobby, screen,
                outage_changed=self._outage_changed, is_restored=is_restored,
            )  # fmt: skip
            self.live.add(message)
            if self._is_gone(lobby.id):
                self._gone.add(lobby.id)
        return message

    async def show_panel(
        self,
        interaction: discord.Interaction,
        table: Table,
        seat: int,
        page: str,
        *,
        is_below: bool = False,
    ) -> None:
        """Answer a press with the player's private panel, and show to all that the hand is open.

        `is_below`: as a new message, also where the panel was pressed.
        """
        texts = reader(interaction)
        if await self.panels.answer(interaction, table, seat, texts, page, None, is_below=is_below):
            self.message(table.lobby).ask()

    def is_settled(self, channel_id: int) -> bool:
        """Whether all tables in a channel show how they ended."""
        return all(message.place.is_final for message in _of_tables(self.live.in_channel(channel_id)))

    def table_at(self, message_id: int) -> Table | None:
        message = self._message_at(message_id)
        return None if message is None else self.directory.table(message.table_id)

    def taker(self, table_id: int, card: Card) -> int | None:
        return self._takers.get(table_id, {}).get(card)

    def seats_called(self, called: SeatsCalled) -> None:
        self._reminders.call(called.table, called.seats, called.until)

    def lobby_changed(self, changed: LobbyChanged) -> None:
        self.table_closed(changed)
        self.message(changed.lobby).ask()

    def table_closed(self, closed: TableClosed | LobbyChanged) -> None:
        lobby = closed.lobby
        if lobby.status in (Status.CANCELLED, Status.EXPIRED):
            self.message(lobby, is_restored=True).close(lobby)  # a lobby may expire before `restore` comes to it
            self.panels.forget(lobby.id)
            for notice in self._reminders.notices.get(lobby.id, ()):
                notice.ask()

    def written(self, channel_id: int, message_id: int) -> None:
        for message in _of_tables(self.live.in_channel(channel_id)):
            message.written(message_id)

    def reacted(self, message_id: int, emoji: str) -> None:
        if (message := self._message_at(message_id)) is not None:
            message.reacted(emoji)

    def lost_sight(self, guild_ids: Collection[int]) -> None:
        for guild_id in guild_ids:
            for message in _of_tables(self.live.in_server(guild_id)):
                message.lost_sight()

    def channel_lost(self, channel_id: int, reason: Reason, parent_id: int | None = None) -> None:
        """A channel or a thread was deleted, or a thread locked: the channel `parent_id` reads why a table waits."""
        seen = [message for message in _of_tables(self.live.in_channel(channel_id)) if message.outage is None]
        self.live.channel_lost(channel_id, reason)
        for message in seen:
            table = self.directory.table(message.table_id)
            if parent_id is not None and table is not None and not table.is_over:
                self._reminders.tell(table.lobby, parent_id, partial(message.outage_line, message.texts))

    def is_in(self, guild_ids: Collection[int], servers: Servers) -> None:
        """Of `servers` the bot is in those with these ids only."""
        for guild_id in self.live.servers():
            if servers(guild_id) and guild_id not in guild_ids:
                self.live.removed(guild_id)

    def servers_reached(self, reached: ServersReached) -> None:
        self.live.served(reached.guild_ids)
        for guild_id in reached.guild_ids:
            for message in _of_tables(self.live.in_server(guild_id)):
                if (table := self.directory.table(message.table_id)) is not None:
                    self.panels.changed(table)

    async def still_unseen(self, table: Table, texts: Texts) -> str | None:
        """Try at once to show an unseen table. Returns why it still cannot be shown."""
        message = self.message(table.lobby)
        try:
            async with asyncio.timeout(PATIENCE_S):
                if message.outage is not None:
                    await message.write_now()
        except TimeoutError:
            _log.info("message.not_in_time", table=table.id)
        return message.outage_line(texts)

    def outage_line(self, table_id: int, texts: Texts) -> str | None:
        message = self._messages.get(table_id)
        return None if message is None else message.outage_line(texts)

    def stop(self) -> None:
        self.live.stop()
        self._resting.cancel()
        self.panels.stop()
        self.illustrator.stop()

    def _message_at(self, message_id: int) -> TableMessage | None:
        message = self.live.at(message_id)
        return message if isinstance(message, TableMessage) else None

    def _outage_changed(self, message: TableMessage) -> None:
        table = self.directory.table(message.table_id)
        if table is not None:
            self.panels.changed(table)
        if message.outage is not None:
            self._resting.begin(self._let_rest(message))

    async def _let_rest(self, message: TableMessage) -> None:
        """Pause a match that cannot be seen, close a lobby whose channel is gone; retry until that is saved."""
        while message.outage is not None:
            try:
                if await self._is_at_rest(message.table_id, message.outage):
                    return
            except StoreError as error:
                _log.warning("unseen.not_saved", table=message.table_id, problem=str(error))
            await asyncio.sleep(RETRY_S)

    async def _is_at_rest(self, table_id: int, outage: Outage) -> bool:
        table = self.directory.table(table_id)
        if table is not None:
            return not isinstance(await table.submit(Pause(by_itself=True)), LiveRefusal)  # while calls are judged
        if outage.reason is Reason.CHANNEL_GONE:
            await self.directory.lobbies.update(table_id, lambda lobby: lobby.closed(Status.CANCELLED))
        return True

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
        left, self._gone = self._gone.union(self.directory.take_gone()), set()
        for table_id in filter(self._is_gone, left):
            self._forget(table_id)
            self.panels.forget(table_id)

    def _forget(self, table_id: int) -> None:
        if (message := self._messages.pop(table_id, None)) is not None:
            self.live.drop(message)
        self._takers.pop(table_id, None)
        self._reminders.forget(table_id)


def _of_tables(found: Iterable[LiveMessage]) -> list[TableMessage]:
    return [message for message in found if isinstance(message, TableMessage)]
