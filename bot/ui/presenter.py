"""Keeps what everybody sees up to date: the public messages and the private panels of all tables.

It watches the tables and decides nothing. Nothing here is awaited by a press, and nothing waits when idle.
"""

from collections.abc import Sequence

import discord
import structlog

from bot.game.cards import Card
from bot.game.events import CardPutDown, CardsDealt, CardTaken, Event, PoolSwept, RoundEnded
from bot.live.house import House
from bot.live.lobby import Lobby, Status
from bot.live.ports import Clock
from bot.live.table import Table
from bot.ui.board_message import BoardMessage
from bot.ui.card_emojis import CardEmojis
from bot.ui.coalesce import Budget
from bot.ui.panels import Panels
from bot.ui.reminders import Reminders

REQUESTS_A_SECOND = 45
"""What all edits together may ask of Discord, which allows a bot 50."""

_log = structlog.get_logger(__name__)


class Presenter:
    """The house's watcher. Call `attach` before anything happens: house and presenter need each other."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self.budget = Budget(REQUESTS_A_SECOND)
        self.emojis = CardEmojis(client)
        self.panels = Panels(clock, self.budget, self.emojis)
        self._client = client
        self._reminders = Reminders(client)
        self._house: House | None = None
        self._boards: dict[int, BoardMessage] = {}
        self._takers: dict[int, dict[Card, int]] = {}

    def attach(self, house: House) -> None:
        """The house whose tables are shown."""
        self._house = house

    def restore(self) -> None:
        """Bring every message up to date after a restart."""
        for lobby in self.house.lobbies():
            self.board(lobby, is_restored=True).ask()
        for table in self.house.tables():
            self.board(table.lobby, is_restored=True).changed(table)

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Something became durable at a table."""
        self._remember_takers(table.id, events)
        self.board(table.lobby).changed(table)
        self.panels.changed(table, turn_page=any(isinstance(event, CardsDealt | RoundEnded) for event in events))

    def board(self, lobby: Lobby, *, is_restored: bool = False) -> BoardMessage:
        """The public message of a table; `is_restored` counts when it is asked for the first time."""
        board = self._boards.get(lobby.id)
        if board is None:
            self._forget_gone()
            board = self._boards[lobby.id] = BoardMessage(
                self._client,
                self.house,
                lobby,
                budget=self.budget,
                emojis=self.emojis,
                opened_hands=lambda: self._opened(lobby.id),
                is_restored=is_restored,
            )
        return board

    def table_at(self, message_id: int) -> Table | None:
        """The table that a message shows."""
        for table_id, board in self._boards.items():
            if board.place.message_id == message_id:
                return self.house.table(table_id)
        return None

    def taker(self, table_id: int, card: Card) -> int | None:
        """The seat that took a card out of the pool last, while it has it."""
        return self._takers.get(table_id, {}).get(card)

    def awaits(self, table: Table, seats: Sequence[int], until: int) -> None:
        """Call the people of these seats to their table, by the one message beside its own that it has."""
        self._reminders.send(table.lobby, seats, until)

    def closed(self, lobby: Lobby) -> None:
        """A lobby or match was cancelled, or the lobby's time ran out."""
        if lobby.status in (Status.CANCELLED, Status.EXPIRED):
            self.board(lobby).close(lobby)
            self.panels.forget(lobby.id)

    def caught_up(self, outcome: object) -> None:
        """A change was saved after its presser had been sent away."""
        if isinstance(outcome, Lobby):
            self.closed(outcome)
            self.board(outcome).ask()

    def stop(self) -> None:
        """Write nothing any more: the bot is leaving."""
        for board in self._boards.values():
            board.stop()
        self.panels.stop()

    @property
    def house(self) -> House:
        """The house whose tables are shown."""
        assert self._house is not None, "the presenter is attached to its house before it is used"
        return self._house

    def _opened(self, table_id: int) -> frozenset[int]:
        table = self.house.table(table_id)
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

    def _forget_gone(self) -> None:
        """Let go of tables that left the house."""
        for table_id in [table_id for table_id in self._boards if self.house.lobby(table_id) is None]:
            self._boards.pop(table_id)  # not stopped: it may have its last words to say
            self._takers.pop(table_id, None)
            self.panels.forget(table_id)
