"""The one public message of a table: posted, edited at a bearable pace, left behind as a result.

It must not know rules or people's hands: it shows public views, and remembers where.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.live.house import House
from bot.live.lobby import Lobby
from bot.live.people import Place, Player
from bot.live.table import Table
from bot.ui.board import table_board
from bot.ui.card_emojis import CardEmojis
from bot.ui.coalesce import Budget, Coalescer
from bot.ui.layouts import at_rest, dated, payload, with_line, without_controls
from bot.ui.lobby_view import lobby_board
from bot.ui.result import result_board
from bot.ui.sentences import stuck_text
from bot.ui.shown import Shown
from bot.ui.texts import Texts, texts_for

EDIT_INTERVAL: Final = 1.25
"""Seconds between two edits of one message (Discord allows about five in five seconds to a channel)."""

_UNKNOWN_MESSAGE: Final = 10008

_log = structlog.get_logger(__name__)


class BoardMessage:
    """Where and what everybody sees of one table. All edits go through one coalescer: there is one writer."""

    def __init__(
        self,
        client: discord.Client,
        house: House,
        lobby: Lobby,
        *,
        budget: Budget,
        emojis: CardEmojis,
        opened_hands: Callable[[], Collection[int]],
        is_restored: bool,
    ) -> None:
        """`is_restored`: a former run of the bot may have posted the next message and died before it was noted."""
        self.table_id = lobby.id
        self.place = lobby.place
        self._opened_at = lobby.opened_at
        self._client = client
        self._house = house
        self._emojis = emojis
        self._opened_hands = opened_hands
        self._shown = Shown()
        self._last: Table | None = None
        self._closed: Lobby | None = None
        self._may_be_posted = is_restored
        self._writer = Coalescer(self._write, interval=EDIT_INTERVAL, budget=budget, is_urgent=True)

    def changed(self, table: Table) -> None:
        """Something happened at the table: show it soon."""
        self._last = table
        self._writer.ask()

    def ask(self) -> None:
        """The message may be out of date."""
        self._writer.ask()

    def close(self, lobby: Lobby) -> None:
        """The table was cancelled, or its time ran out: its message says so for the last time."""
        self._closed = lobby
        self._writer.ask()

    def stop(self) -> None:
        """Write nothing any more."""
        self._writer.close()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Leave the message alone while a press on it is being answered, then bring it up to date if need be."""
        with self._writer.held():
            yield
        self._writer.ask()

    async def answer(self, interaction: discord.Interaction) -> None:
        """Answer a press on the message with its own new content, which costs none of the budget for edits."""
        layout = self._present()
        if layout is None:
            await interaction.response.defer()
            return
        is_here = interaction.message is not None and interaction.message.id == self.place.message_id
        with (self._shown if is_here else Shown()).sending() as sent:
            layout, _ = await self._emojis.deliver(
                layout, lambda it: interaction.response.edit_message(view=it), self._present
            )
            sent(payload(layout))

    async def answer_new(self, response: discord.InteractionResponse[discord.Client]) -> None:
        """Answer a command with the message itself, which is posted thereby."""
        layout = self._layout(0)
        assert layout is not None, "the table was opened just now"
        with self._shown.sending() as sent:
            said = await response.send_message(view=layout)
            sent(payload(layout))
        if said.message_id is not None:
            await self._note(replace(self.place, message_id=said.message_id))

    async def _note(self, place: Place) -> None:
        """Remember, durably, where the message is and what it shows."""
        self.place = place
        await self._house.move(self.table_id, place)

    async def _write(self) -> int:
        table = self._table()
        is_over = table is not None and table.is_over
        layout = self._present()
        if layout is None:
            return 0
        requests = 0
        if self.place.message_id is None:
            requests += await self._post()
        elif not self._shown.is_now(payload(layout)):
            requests += await self._edit(self.place.message_id, layout)
        if self._has_moved_on():
            requests += await self._post()
        await self._note(replace(self.place, is_final=is_over))
        return requests

    async def _post(self) -> int:
        """Post the message anew, at the end of the channel. Gives the number of requests."""
        table = self._table()
        number = 0 if table is None else table.table_view().round
        layout = self._layout(number)
        if layout is None:
            return 0
        may_be_posted, self._may_be_posted = self._may_be_posted, True
        shown = Shown()
        with shown.sending() as sent:
            layout, message = await self._emojis.deliver(
                layout, lambda it: self._channel().send(view=it, nonce=self._nonce()), lambda: self._layout(number)
            )
            if not may_be_posted:  # else it may be the message of an attempt that nobody saw the end of, and older
                sent(payload(layout))
        self._shown, self._may_be_posted = shown, False
        await self._note(replace(self.place, message_id=message.id, round=number))
        if may_be_posted:
            self._writer.ask()
        return 1

    def _nonce(self) -> str:
        """The message after the present one: asked for twice, Discord gives the first. At most 25 characters."""
        if self.place.message_id is not None:
            return str(self.place.message_id)
        return f"{self._opened_at}-{self.table_id}"

    async def _edit(self, message_id: int, layout: discord.ui.LayoutView) -> int:
        message = self._channel().get_partial_message(message_id)
        try:
            with self._shown.sending() as sent:
                layout, _ = await self._emojis.deliver(layout, lambda it: message.edit(view=it), self._present)
                sent(payload(layout))
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE or self._closed is not None:
                raise
            _log.info("board.deleted", table=self.table_id)
            return 1 + await self._post()
        return 1

    def _present(self) -> discord.ui.LayoutView | None:
        """What the present message should show."""
        return self._layout(self.place.round)

    def _layout(self, number: int) -> discord.ui.LayoutView | None:
        """What the message of a round should show: the table, or how its round ended once the next one was dealt."""
        table = self._table()
        if self._closed is not None:
            return lobby_board(self._closed, texts_for(self._closed.locale))
        if table is None:
            lobby = self._house.lobby(self.table_id)
            return None if lobby is None else lobby_board(lobby, texts_for(lobby.locale))
        texts = texts_for(table.lobby.locale)
        view = table.table_view()
        if view.round != number:
            return self._left_behind(table, number, texts)
        faces = self._emojis.faces(texts, table.lobby.theme)
        board = table_board(view, seated(table.lobby), table.id, faces, self._opened_hands())
        if table.is_stuck:
            board = with_line(board, stuck_text(texts))
        return dated(board if view.pause is None else at_rest(board), number)

    def _left_behind(self, table: Table, number: int, texts: Texts) -> discord.ui.LayoutView:
        result = table.ended_round(number)
        if result is None:  # the message of the lobby and the signs
            return without_controls(lobby_board(table.lobby, texts))
        ended = replace(result, ends_at=None)  # the next round is not awaited any more
        faces = self._emojis.faces(texts, table.lobby.theme)
        return without_controls(result_board(ended, seated(table.lobby), table.id, faces))

    def _has_moved_on(self) -> bool:
        table = self._table()
        return table is not None and self._closed is None and table.table_view().round != self.place.round

    def _table(self) -> Table | None:
        # A match that was broken off leaves the house before its message has said so.
        return self._house.table(self.table_id) or self._last

    def _channel(self) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(self.place.channel_id, guild_id=self.place.guild_id)


def seated(lobby: Lobby) -> tuple[Player, ...]:
    """The people of a match by seat; a match has no free seats."""
    return tuple(player for player in lobby.players if player is not None)
