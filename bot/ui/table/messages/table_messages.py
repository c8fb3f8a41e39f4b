"""Watches all tables and keeps their public messages and private panels up to date. No press waits for that."""

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import Final

import discord
import structlog

from bot.base.background import Tasks
from bot.base.errors import StoreError
from bot.base.worker import Workers
from bot.discord.api.error_codes import OutageReason
from bot.discord.api.interactions import RefusedError, is_private, texts_of
from bot.discord.api.patience import PATIENCE_S
from bot.discord.api.responses import defer, delete_reply, reply
from bot.discord.interactions.rooms import Rooms
from bot.discord.messages.live_message import LiveMessage
from bot.discord.places.outage import ChannelLost, Outage
from bot.discord.text.texts import Texts
from bot.game.events import CardsDealt, RoundEnded
from bot.game.views import SeatView
from bot.tables.cluster import ShardResource
from bot.tables.hub import LobbyChanged, MatchEndChanged, SeatsCalled, SeatsChanged, ServersReached, TableClosed
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.match.table import RETRY_S, Table, TableChanged
from bot.tables.match.table_actions import Pause, TableRefusal
from bot.tables.table_store import DamagedTable, ServerFilter, all_servers
from bot.ui.table.messages.ephemeral_panels import EphemeralPanels
from bot.ui.table.messages.reminders import Reminders
from bot.ui.table.messages.running_pictures import RunningPictures
from bot.ui.table.messages.table_message import TableMessage
from bot.ui.table.messages.table_screen import LobbyBoard, TableScreen
from bot.ui.table.pages.match_end import MatchEnds
from bot.ui.words.panel_text import are_others, seat_news
from bot.ui.words.plan_text import short_plan

LONGEST_POST_S: Final = 10.0
"""Longest wait, in seconds, before a person who opens a table reads that its message could not be posted."""

_log = structlog.get_logger(__name__)


class TableMessages(ShardResource):
    """All public messages of tables in this process, with the private `panels`; updated by events of the hub."""

    def __init__(self, rooms: Rooms, lobby_board: LobbyBoard, match_ends: MatchEnds, pictures: RunningPictures) -> None:
        self._live, self._directory, self.context = rooms.live, rooms.directory, rooms.live.context
        self.panels = EphemeralPanels(
            rooms.client, rooms.memory, rooms.panel_requests, rooms.emojis, self.problem_line, self._hand_opened,
            message_id=self._message_id,
        )  # fmt: skip
        self.members = rooms.live.members
        self._reminders = Reminders(rooms.live, rooms.directory.attendance.called)
        self._lobby_board = lobby_board
        self._match_ends = match_ends
        self._pictures = pictures
        self._messages: dict[int, TableMessage] = {}
        self._gone: set[int] = set()
        self._resting = Tasks()
        self._ends = Workers(rooms.clock, "match_end", self._renew_end, retry_ms=int(RETRY_S * 1000), label="table")
        self.close = self._ends.stop

    async def restore(self, servers: ServerFilter = all_servers) -> None:
        """Load the messages of these servers' tables after a restart; `servers_reached` updates them."""
        directory = self._directory
        tables = [table for table in directory.tables() if servers(table.lobby.place.guild_id)]
        await self.panels.restore(tables)
        unplayed: list[Lobby | DamagedTable] = [*directory.open_lobbies(), *directory.all_damaged()]
        for lobby in unplayed:
            if servers(lobby.place.guild_id):
                self.message(lobby, may_already_be_posted=True).request_update()
        for table in tables:
            self.message(table.lobby, may_already_be_posted=True).changed(table)
        for ended in directory.closed_before:
            if servers(ended.place.guild_id):
                self.message(ended, may_already_be_posted=True).close(ended)

    async def release(self, servers: ServerFilter) -> None:
        """Stop writing about the tables of these servers: another process takes them over."""
        for table_id, message in tuple(self._messages.items()):
            if servers(message.place.guild_id):
                self._forget(table_id)
                self.panels.close(table_id)

    def table_changed(self, changed: TableChanged | SeatsChanged) -> None:
        """Show a change of a match on its message and on the panels of its players."""
        table, events = changed.table, changed.events if isinstance(changed, TableChanged) else ()
        is_turn = any(isinstance(event, CardsDealt | RoundEnded) for event in events)
        if any(isinstance(event, RoundEnded) for event in events):
            self._pictures.learn(table.lobby.place.guild_id)
        self.message(table.lobby).changed(table, is_urgent=is_turn)
        self.panels.changed(table, events, turn_page=is_turn)
        if any(isinstance(event, CardsDealt) for event in events):
            self._tell_unanswered(table)
        if isinstance(changed, SeatsChanged) and changed.before is not None:
            self._tell_seats(table, changed.before)
        for notice in self._reminders.notices.get(table.id, ()):
            notice.request_update()

    def _tell_seats(self, table: Table, before: Lobby) -> None:
        """Notify the players of who has left the table and who plays now."""
        for user_id in table.lobby.people if are_others(before, table.lobby) else ():
            self.panels.notify(table, user_id, lambda texts: seat_news(before, table.lobby, texts))

    def _tell_unanswered(self, table: Table) -> None:
        """Notify a team whose proposal was not answered in time which sign stays."""
        for user_id, seat in table.lobby.people.items():
            view = table.seat_view(seat)
            if view.team in table.unanswered:

                def stays(texts: Texts, view: SeatView = view) -> str:
                    return texts.t("No answer: {sign} stays your sign.", sign=short_plan(view, texts))

                self.panels.notify(table, user_id, stays)

    def message(self, lobby: Lobby | DamagedTable, *, may_already_be_posted: bool = False) -> TableMessage:
        """Return the public message of a table; `may_already_be_posted` only matters in the first call."""
        message = self._messages.get(lobby.id)
        if message is None:
            self._forget_gone()
            context = self._live.context
            screen = TableScreen(
                self._directory, context.emojis, self._lobby_board, self._match_ends, lobby,
                lambda: self._opened(lobby.id), self._pictures,
            )  # fmt: skip
            message = self._messages[lobby.id] = TableMessage(
                context, self._directory, lobby, screen,
                outage_changed=self._outage_changed, posted=self.panels.follow,
                may_already_be_posted=may_already_be_posted,
            )  # fmt: skip
            self._live.add(message)
            self._pictures.learn(lobby.place.guild_id, message.request_update)
            if self._is_gone(lobby.id):
                self._gone.add(lobby.id)
        return message

    def table_at(self, message_id: int) -> Table | None:
        """Return the match that a message shows; None for any other message."""
        message = self._message_at(message_id)
        return None if message is None else self._directory.table(message.table_id)

    def seats_called(self, called: SeatsCalled) -> None:
        """Mention the players whom a table waits for."""
        self._reminders.call(called.table, called.seats, called.until)

    def lobby_changed(self, changed: LobbyChanged) -> None:
        """Show a change of a lobby on its message."""
        self.table_closed(changed)
        self.message(changed.lobby).request_update()

    def end_changed(self, changed: MatchEndChanged) -> None:
        """Show what was added to the result of a match."""
        if self.context.client.get_guild(changed.guild_id) is not None:  # else another process has its messages
            self._ends.wake(changed.table_id)

    async def _renew_end(self, table_id: int) -> None:
        if (table := await self._directory.recall(table_id)) is not None:
            await self.message(table.lobby).renew_end(table)

    def table_closed(self, closed: TableClosed | LobbyChanged) -> None:
        """If a table was closed before the end of its match, show that and delete its saved panels."""
        lobby = closed.lobby
        if lobby.status in (Status.CANCELLED, Status.EXPIRED):
            self.message(lobby, may_already_be_posted=True).close(
                lobby
            )  # a lobby may expire before `restore` comes to it
            self.panels.forget(lobby.id)
            for notice in self._reminders.notices.get(lobby.id, ()):
                notice.request_update()

    def written(self, written: discord.Message) -> None:
        """Record that a message was written in a channel."""
        is_own_line = written.author == self._live.context.client.user and bool(written.content)  # such as a reminder
        if not (is_own_line or is_private(written)):
            for message in _of_tables(self._live.in_channel(written.channel.id)):
                message.written(written.id, by_person=not written.author.bot)

    def reacted(self, payload: discord.RawReactionActionEvent) -> None:
        """Record a reaction to the message of a table."""
        if (message := self._message_at(payload.message_id)) is not None:
            message.reacted(str(payload.emoji))

    def channel_lost(self, lost: ChannelLost) -> None:
        """Post why the table waits, in the parent channel of a lost thread."""
        for message in _of_tables(self._live.in_channel(lost.channel_id)):
            table = self._directory.table(message.table_id)
            if lost.parent_id is not None and message.outage is None and table is not None and not table.is_over:
                self._reminders.notify(table.lobby, lost.parent_id, partial(message.outage_line, message.texts))

    def servers_reached(self, reached: ServersReached) -> None:
        """Update the messages and panels of servers that are reachable again."""
        tables = [message for guild_id in reached.guild_ids for message in _of_tables(self._live.in_server(guild_id))]
        for message in tables if reached.has_missed else ():
            message.lost_sight()
        self._live.served(reached.guild_ids)
        for message in tables:
            if (table := self._directory.table(message.table_id)) is not None:
                self.panels.served(table)

    async def post(self, lobby: Lobby, texts: Texts) -> None:
        """Post the message of a table that a press has opened or moved; the press must have a deferred answer.

        Raises:
            RefusedError: It could not be posted; the sentence says why, and what becomes of the table.
        """
        message = self.message(lobby)
        await message.write_in_time(LONGEST_POST_S)
        if (line := message.outage_line(texts)) is not None:
            raise RefusedError(line)
        if message.address.message_id is None:
            raise RefusedError(message.refusal_line(texts) + " " + texts.t("The table comes by itself."))

    async def show_new(self, interaction: discord.Interaction, lobby: Lobby, note: str | None = None) -> None:
        """Post the message of a table that a press has opened, and lead its presser there.

        `note`: a sentence for the presser, before the link.

        Raises:
            RefusedError: It could not be posted.
        """
        texts = texts_of(interaction)
        await defer(interaction, is_new=True)
        await self.post(lobby, texts)
        if note is None and lobby.place.channel_id == interaction.channel_id and not is_private(interaction.message):
            await delete_reply(interaction)  # it stands below
            return
        link = texts.t("The new table is in {channel}.", channel=f"<#{lobby.place.channel_id}>")
        await reply(interaction, " ".join(filter(None, (note, link))))

    async def still_unseen(self, table: Table, texts: Texts) -> str | None:
        """Try at once to show a table that nobody can see. Return why it cannot be played there; None if it can."""
        message = self.message(table.lobby)
        try:
            async with asyncio.timeout(PATIENCE_S):
                if message.outage is not None:
                    await message.write_now()
        except TimeoutError:
            _log.info("message.not_in_time", table=table.id)
        is_playable = message.outage is None or message.outage.reason is OutageReason.REFUSED
        return None if is_playable else message.outage_line(texts)

    def problem_line(self, table_id: int, texts: Texts) -> str | None:
        """Return what is wrong with a table's message; None if nothing is."""
        message = self._messages.get(table_id)
        return None if message is None else message.problem_line(texts)

    def outage_line(self, table_id: int, texts: Texts) -> str | None:
        """Return why a table's message cannot be shown; None if it can."""
        message = self._messages.get(table_id)
        return None if message is None else message.outage_line(texts)

    def stop(self) -> None:
        """Stop all background work for the messages and panels."""
        self._resting.cancel()
        self._pictures.stop()
        self.panels.stop()

    def _message_id(self, table_id: int) -> int | None:
        message = self._messages.get(table_id)
        return None if message is None else message.address.message_id

    def _message_at(self, message_id: int) -> TableMessage | None:
        message = self._live.at(message_id)
        return message if isinstance(message, TableMessage) else None

    def _outage_changed(self, message: TableMessage) -> None:
        table = self._directory.table(message.table_id)
        if table is not None:
            self.panels.changed(table)
        if message.outage is not None:
            self._resting.start(self._let_rest(message))

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
        table = self._directory.table(table_id)
        if table is not None and outage.reason is not OutageReason.REFUSED:  # else people play on by their panels
            # While a call is judged, the table refuses to pause.
            return not isinstance(await table.submit(Pause(by_itself=True)), TableRefusal)
        if outage.reason is OutageReason.CHANNEL_GONE:
            await self._directory.lobbies.update(table_id, lambda lobby: lobby.closed(Status.CANCELLED))
        return True

    def _opened(self, table_id: int) -> frozenset[int]:
        table = self._directory.table(table_id)
        return frozenset() if table is None else self.panels.opened(table)

    def _hand_opened(self, table: Table) -> None:
        self.message(table.lobby).request_update()

    def _is_gone(self, table_id: int) -> bool:
        return self._directory.lobby(table_id) is None and self._directory.damaged(table_id) is None

    def _forget_gone(self) -> None:
        left, self._gone = self._gone.union(self._directory.take_gone()), set()
        for table_id in filter(self._is_gone, left):
            message = self._messages.get(table_id)
            if message is not None and message.is_due and message.outage is None:
                self._gone.add(table_id)  # it does not say yet how its table ended
            else:
                self._forget(table_id)
                self.panels.forget(table_id)

    def _forget(self, table_id: int) -> None:
        if (message := self._messages.pop(table_id, None)) is not None:
            self._live.drop(message)
        self._reminders.forget(table_id)
        self._ends.drop(table_id)
        self._pictures.forget(table_id)


def _of_tables(found: Iterable[LiveMessage]) -> list[TableMessage]:
    return [message for message in found if isinstance(message, TableMessage)]
