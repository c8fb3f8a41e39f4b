"""Matches at their tables: what everybody sees of them, and what players do there."""

from dataclasses import dataclass
from typing import Final

import discord
import structlog

from bot.base.errors import StoreError
from bot.discord.api.refusals import STORE_ERROR
from bot.discord.interactions.admission.admission import Admission
from bot.discord.interactions.feature import Feature
from bot.discord.interactions.rooms import Rooms
from bot.discord.places.outage import ChannelLost
from bot.discord.text.texts import texts_for
from bot.game.actions import MakeGesture
from bot.game.events import Phase
from bot.game.signs import GestureKind
from bot.tables.directory import TableDirectory
from bot.tables.hub import LobbyChanged, MatchEndChanged, SeatsCalled, SeatsChanged, ServersReached, TableClosed, on
from bot.tables.match.table import Table, TableChanged
from bot.tables.match.table_actions import Refused
from bot.tables.seat_reservations import ReservationSettled
from bot.ui.table.commands import TableCommands
from bot.ui.table.departures import Departures
from bot.ui.table.messages.running_pictures import RunningPictures
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.messages.table_screen import LobbyBoard
from bot.ui.table.pages.match_end import MatchEnds
from bot.ui.table.presses import TablePresses
from bot.ui.table.robot_places import RobotPlaces
from bot.ui.table.which_table import table_of
from bot.ui.words.refusals import refusal_text, sign_refusal
from bot.ui.words.signs import SignTextError, read_gesture

_HUNTING: Final = frozenset({Phase.HUNT, Phase.SWEEP})

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, eq=False)
class Gestures:
    """Brings the gestures of players to their table; ignores everything else.

    `reads_chat`: ordinary messages count too, not only those that mention the bot or reply to it.
    """

    _directory: TableDirectory
    _messages: TableMessages
    _admission: Admission
    reads_chat: bool

    async def reacted(self, payload: discord.RawReactionActionEvent) -> None:
        """Pass a player's new reaction to the table as a gesture.

        A removed reaction is no gesture: Discord says whose it was, but not who removed it.
        """
        user = self._messages.context.client.user
        is_own = user is not None and payload.user_id == user.id
        table = None if is_own or not self._admission.enter() else self._messages.table_at(payload.message_id)
        if table is not None and (seat := table.lobby.seat_of(payload.user_id)) is not None:
            await self._make(table, payload.user_id, MakeGesture(seat, GestureKind.REACT, str(payload.emoji)))

    async def posted(self, message: discord.Message) -> None:
        """Pass a player's new message to the table as a gesture.

        Without the message content intent, Discord hides the text of messages that do not mention the bot.
        """
        is_for_us = self._messages.context.client.user in message.mentions
        if message.author.bot or not (self.reads_chat or is_for_us) or not self._admission.enter():
            return
        table = self._table_of(message)
        seat = None if table is None else table.lobby.seat_of(message.author.id)
        if table is None or seat is None:
            return
        lobby = table.lobby
        try:
            gesture = read_gesture(message.content, table.seat_view(seat), texts_for(lobby.locale), lobby.players)
        except SignTextError:
            return  # no gesture here
        # Of what people say to each other, only what may be a sign is kept: words while cards change hands.
        if gesture.kind is GestureKind.POST or is_for_us or table.table_view().phase in _HUNTING:
            await self._make(table, message.author.id, gesture)

    def _table_of(self, message: discord.Message) -> Table | None:
        """Return the table whose message is replied to; else the author's own in this channel."""
        replied = message.reference.message_id if message.reference is not None else None
        replied_table = None if replied is None else self._messages.table_at(replied)
        guild_id = None if message.guild is None else message.guild.id
        if replied_table is not None:
            return replied_table if replied_table.lobby.place.guild_id == guild_id else None
        return table_of(self._directory, message.author.id, guild_id, message.channel.id)

    async def _make(self, table: Table, user_id: int, gesture: MakeGesture) -> None:
        """Make a gesture; the player's panel shows why it is refused.

        The id of the message is not kept: it would lead to its author for ever.
        """
        if not self._admission.lets_gesture(user_id):
            return
        try:
            await self._directory.seating.seen(table, user_id)
            outcome = await table.submit(gesture)
        except StoreError as error:
            _log.warning("gesture.not_saved", table=table.id, problem=str(error))
            self._messages.panels.notify(table, user_id, lambda texts: texts.t(STORE_ERROR))
            return
        if isinstance(outcome, Refused):
            code, view = outcome.code, table.seat_view(gesture.seat)
            self._messages.panels.notify(
                table, user_id, lambda texts: sign_refusal(code, gesture, view, texts) or refusal_text(code, texts)
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFeature(Feature):
    """The feature of tables, with the messages and seats that the lobby's feature uses, too."""

    messages: TableMessages
    robot_places: RobotPlaces


def table_feature(rooms: Rooms, lobby_board: LobbyBoard, match_ends: MatchEnds) -> TableFeature:
    """Return tables and their messages as a feature.

    - `lobby_board` renders a table before its match.
    - `match_ends` reads what is shown after it.
    """
    directory, settings = rooms.directory, rooms.settings
    pictures = RunningPictures(directory, rooms.store.servers.read, settings.table_pictures)
    messages = TableMessages(rooms, lobby_board, match_ends, pictures)
    departures, robot_places = Departures(directory, messages), RobotPlaces(directory, messages)
    gestures = Gestures(directory, messages, rooms.admission, reads_chat=settings.message_content)
    return TableFeature(
        messages=messages,
        robot_places=robot_places,
        presses=(TablePresses(directory, messages), departures, robot_places),
        commands=TableCommands(directory, messages, departures).commands,
        hears=(
            on(TableChanged, messages.table_changed),
            on(SeatsCalled, messages.seats_called),
            on(SeatsChanged, messages.table_changed),
            on(LobbyChanged, messages.lobby_changed),
            on(TableClosed, messages.table_closed),
            on(MatchEndChanged, messages.end_changed),
            on(ServersReached, messages.servers_reached),
            on(ChannelLost, messages.channel_lost),
            on(ReservationSettled, robot_places.settled),
            on(discord.RawReactionActionEvent, messages.reacted, gestures.reacted),
            on(discord.Message, messages.written, gestures.posted),
        ),
        of_shards=(messages,),
        stops=(robot_places.close, messages.close, messages.stop),
    )
