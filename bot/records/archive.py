"""Matches that are over, move by move: what the archive gives, and how it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.game.events import Event
from bot.records.card_theme import Theme
from bot.records.player import Player


@dataclass(frozen=True, slots=True)
class PastPlace:
    """Where a match was played that is over, and the people who sat there at its end."""

    table_id: int
    channel_id: int
    user_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match that was played to its end: its people by seat, who have no name if forgotten, and its whole log.

    Without events the log is not kept any longer, nor are the names.
    """

    table_id: int
    theme: Theme
    people: tuple[Player, ...]
    events: tuple[Event, ...]


class Archive(Protocol):
    """Matches that were played to their end. Every method raises StoreError when the store could not do its work."""

    async def finished(
        self, guild_id: int, channel_id: int | None, table_id: int | None = None
    ) -> tuple[PastPlace, ...]:
        """Finished matches of a server: that of the table, else the channel's and then the others, youngest first.

        A handful at most. One that is still played, or was broken off, is not finished.
        """

    async def read(self, table_id: int) -> PastMatch | None:
        """A finished match, whole; None where there is no such match."""
