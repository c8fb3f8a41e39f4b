"""The Protocol by which the user interface hears of changes at running tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.tables.lobby import Lobby
from bot.tables.table import Observer, Table


class Watcher(Observer, Protocol):
    """Shows tables. Every method must return at once."""

    def awaits(self, table: Table, seats: Sequence[int], until: int) -> None:
        """Remind the players of these seats: the table waits for them until `until` (milliseconds).

        `changed` follows when one of them acts, and when their time is over.
        """

    def closed(self, lobby: Lobby) -> None:
        """A lobby expired, or a match was broken off."""
