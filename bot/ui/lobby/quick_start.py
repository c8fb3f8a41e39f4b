"""Quick starts: lobbies that start by themselves. Everybody who presses *Play* in the channel takes a seat there.

A quick start is saved like any lobby, so it survives a restart; one that is long overdue is closed. The answer to a
press leads its presser to the match, as long as this run of the bot remembers it.
"""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from typing import Final

import discord
import structlog

from bot.base.background import Locks, Tasks
from bot.base.worker import Workers
from bot.discord.api import components as c
from bot.discord.api.components import link_to
from bot.discord.api.custom_ids import make_id
from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.api.requests import log_failures
from bot.discord.api.responses import defer, follow_up, reply_panel
from bot.discord.places.permissions import IN_THREAD, can_hold_threads, missing_permissions
from bot.tables.directory import TableDirectory
from bot.tables.hub import ServersLost, ServersReached
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table import Table
from bot.ui.lobby.lobby_board import table_link, why_friendly
from bot.ui.lobby.places import into_thread
from bot.ui.lobby.players_role import PlayersRole
from bot.ui.lobby.verbs import FILL, LobbyVerb
from bot.ui.table.messages.table_messages import TableMessages
from bot.ui.table.presses import show_seat
from bot.ui.table.which_table import find_lobby
from bot.ui.words.refusals import former_table_text, lobby_refusal
from bot.ui.words.table_text import countdown

STALE_MS: Final = 120_000
"""Delay after which a quick start is closed: nobody waits for it any more."""
_RETRY_MS: Final = 1_000

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class QuickStarts:
    """All quick starts of the process. While Discord cannot be reached for a server, its quick starts wait."""

    _directory: TableDirectory
    _messages: TableMessages
    _players_role: PlayersRole
    _waiting: dict[int, dict[int, discord.Interaction]] = field(default_factory=dict, init=False)
    _beginning: set[int] = field(default_factory=set, init=False)
    _telling: Tasks = field(default_factory=Tasks, init=False)
    _opening: Locks = field(default_factory=Locks, init=False)

    def __post_init__(self) -> None:
        self._clock = self._messages.context.clock
        self._due = Workers(self._clock, "call", self._begin_due, retry_ms=_RETRY_MS, label="table")
        self.close = self._due.stop

    def open_in(self, place: TableChannel) -> Lobby | None:
        """Return the quick start in a channel with a free seat; the oldest of several."""
        waiting = (lobby for lobby in reversed(self._directory.alive_in(place.guild_id)) if lobby.is_quick_start)
        return next(
            (lobby for lobby in waiting if lobby.place.channel_id == place.channel_id and not lobby.is_full), None
        )

    async def sit_down(self, call: Lobby) -> Lobby | LobbyRefusal:
        """Seat the host of `call` at a quick start with a free seat in its channel, or open `call`; return the lobby.

        A person who sits at another quick start of the server stays there.

        Raises:
            StoreError: The change was not saved.
            BannedError: The person is banned.
        """
        player = call.players[0]
        assert player is not None, "the host"
        opening = self._opening.of(call.place.channel_id)
        async with opening:  # else two presses at the same moment open two
            for own in self._directory.alive_of(call.host_id):
                is_here = own.place.guild_id == call.place.guild_id
                if own.is_quick_start and is_here and own.seat_of(call.host_id) is not None:
                    return own
            while (known := self.open_in(call.place)) is not None:
                joined = await self._directory.lobbies.update(known.id, lambda lobby: lobby.join(player))
                if isinstance(joined, Lobby):
                    return joined
            opened = await self._directory.lobbies.open(await self._players_role.with_role_mention(call))
            if isinstance(opened, Lobby):
                self._directory.lobbies.show(opened)
            return opened

    async def promise(self, interaction: discord.Interaction, table_id: int) -> None:
        """Tell a person at a quick start when it will start; their panel later replaces that message.

        The press must have a deferred ephemeral answer.

        Raises:
            RefusedError: Discord refuses the message of the quick start; the sentence says why, and nothing starts.
        """
        texts = texts_of(interaction)
        if not self.remember(interaction, table_id):
            lobby = find_lobby(self._directory, table_id, texts, seated=interaction.user.id)
            table = self._directory.table(table_id)
            if table is None:  # a table that a command has opened just before
                raise RefusedError(former_table_text(lobby.place, texts))
            await self._lead(interaction, table)
            return
        board = self._messages.message(find_lobby(self._directory, table_id, texts))
        await board.write_in_time()
        if board.problem_line(texts) is not None and board.address.message_id is None:  # nobody else can see it
            self._waiting.get(table_id, {}).pop(interaction.user.id, None)
            await self._directory.lobbies.update(table_id, lambda lobby: lobby.closed(Status.CANCELLED))
            raise RefusedError(board.refusal_line(texts))
        call = self._directory.open_lobby(table_id)
        if call is not None and call.starts_at is not None and interaction.user.id in self._waiting.get(table_id, ()):
            link = link_to(call.place.guild_id, call.place.channel_id, call.place.message_id)
            line = texts.t("Your match begins {when}: {link}", when=countdown(call.starts_at), link=link)
            now = c.button(texts.t("Don't wait"), make_id(table_id, LobbyVerb.START, FILL), style=c.PRIMARY)
            await reply_panel(
                interaction, c.layout(c.text(line, why_friendly(call, interaction)), c.row(now), colour=c.GREEN)
            )

    async def start_now(self, interaction: discord.Interaction, table_id: int) -> None:
        """Start the match at the request of a person at the table, as the answer to their press."""
        texts = texts_of(interaction)
        lobby = find_lobby(self._directory, table_id, texts, seated=interaction.user.id, is_open=True)
        await defer(interaction)
        self._waiting.setdefault(table_id, {}).setdefault(interaction.user.id, interaction)
        await self._begin(lobby)

    def remember(self, interaction: discord.Interaction, table_id: int) -> bool:
        """Keep a press of a person in a lobby, to lead them to the match; return False if the match has begun."""
        is_waiting = table_id in self._beginning or self._directory.open_lobby(table_id) is not None
        if is_waiting:
            self._waiting.setdefault(table_id, {})[interaction.user.id] = interaction
        return is_waiting

    @contextmanager
    def beginning(self, table_id: int) -> Iterator[None]:
        """Treat a match as starting in the `with` block: people are led to it once it has moved to its thread."""
        self._beginning.add(table_id)
        try:
            yield
        finally:
            self._beginning.discard(table_id)

    async def lead(self, table: Table) -> Collection[int]:
        """Show waiting people the way to their match: a link to its thread, or else their panel. Return their ids."""
        waiting = self._waiting.pop(table.id, {})
        led = {user_id: press for user_id, press in waiting.items() if table.lobby.seat_of(user_id) is not None}
        await asyncio.gather(*(self._lead(interaction, table) for interaction in led.values()))
        return led.keys()

    async def _lead(self, interaction: discord.Interaction, table: Table) -> None:
        place, texts = self._messages.message(table.lobby).place, texts_of(interaction)
        is_here = place.channel_id == interaction.channel_id
        with log_failures(_log.info, "call.not_led", table=table.id):
            if interaction.response.type is not discord.InteractionResponseType.deferred_channel_message:
                link = table_link(table.id, None if is_here else place, texts)  # the answer has changed the call
                await follow_up(interaction, link)
            elif is_here:
                await show_seat(interaction, table, self._messages.panels, is_below=True)
            else:
                await reply_panel(interaction, table_link(table.id, place, texts))

    async def _tell_gone(self, interaction: discord.Interaction) -> None:
        """Take back the announcement that a match starts."""
        if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
            with log_failures(_log.info, "call.not_told"):
                sentence = str(lobby_refusal(LobbyCode.UNKNOWN_TABLE, texts_of(interaction)))
                await reply_panel(interaction, c.layout(c.text(sentence), colour=c.GREY))

    def changed(self, lobby: Lobby) -> None:
        """Schedule the start of a quick start; once the table is no longer a lobby, forget who has waited there."""
        if lobby.is_quick_start:
            self._due.wake_at(lobby.id, self._clock.now() if lobby.is_full else lobby.starts_at)
        elif lobby.status is not Status.OPEN:
            waiting = self._waiting.pop(lobby.id, {})
            if lobby.status is Status.CANCELLED:
                for interaction in waiting.values():
                    self._telling.start(self._tell_gone(interaction))
            self._due.drop(lobby.id)

    def lost(self, lost: ServersLost) -> None:
        """Stop the countdowns of servers that Discord cannot be reached for."""
        for lobby in self._in(lost.guild_ids):
            self._due.drop(lobby.id)

    def reached(self, reached: ServersReached) -> None:
        """Resume the countdowns of servers that are reachable again."""
        for lobby in self._in(reached.guild_ids):
            self.changed(lobby)

    def _in(self, guild_ids: Collection[int]) -> list[Lobby]:
        return [lobby for guild_id in guild_ids for lobby in self._directory.alive_in(guild_id) if lobby.is_quick_start]

    async def _begin_due(self, table_id: int) -> int | None:
        """Start the match if it is due. Return when it is due, if that is later."""
        lobby, now = self._directory.open_lobby(table_id), self._clock.now()
        if lobby is not None and lobby.starts_at is not None:
            if now < lobby.starts_at and not lobby.is_full:
                return lobby.starts_at
            if now > lobby.starts_at + STALE_MS:
                await self._directory.lobbies.update(table_id, lambda lobby: lobby.closed(Status.CANCELLED))
            else:
                await self._begin(lobby)
        self._due.drop(table_id)
        return None

    async def _begin(self, lobby: Lobby) -> None:
        board = self._messages.message(lobby)
        with self.beginning(lobby.id), board.hold(inf):
            table = await self._directory.start(lobby.id, fills=True)
            if isinstance(table, LobbyRefusal):  # somebody did not wait
                return
            channel, message_id = self._thread_channel(lobby), board.place.message_id
            if channel is not None and message_id is not None:
                table.hold()  # until its players see it
                try:
                    await into_thread(table, board, channel, message_id)
                finally:
                    await table.release()
        await self.lead(table)

    def _thread_channel(self, lobby: Lobby) -> discord.TextChannel | None:
        """Return the channel in which the match gets a thread of its own; None if it gets none."""
        guild = self._messages.context.client.get_guild(lobby.place.guild_id)
        channel = None if guild is None else guild.get_channel(lobby.place.channel_id)
        if guild is None or not lobby.wants_thread or not can_hold_threads(channel):
            return None
        return None if missing_permissions(channel.permissions_for(guild.me), IN_THREAD) else channel
