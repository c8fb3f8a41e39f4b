"""What shows live tables, as the directory of tables calls it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.tables.lobby import Lobby
from bot.tables.table import Observer, Table


class Watcher(Observer, Protocol):
    """Whoever shows the tables. Every method must return at once."""

    def awaits(self, table: Table, seats: Sequence[int], until: int) -> None:
        """These people are missed at a table: tell them. After `until` (milliseconds) it does without them.

        Whatever becomes of that, and whoever comes, is a change.
        """

    def closed(self, lobby: Lobby) -> None:
        """A lobby that nobody started is closed for good, or a match was broken off."""
