"""Matches that are over, move by move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.game.events import Event
from bot.records.card_theme import Theme
from bot.records.player import Player


@dataclass(frozen=True, slots=True)
class PastPlace:
    """The place of a match that is over, and the people who sat there at its end."""

    table_id: int
    channel_id: int
    user_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class PastMatch:
    """A match that was played to its end: its players by seat, and its whole log.

    An erased player has no name. Without events the log was deleted, and with it all names.
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
        """Some finished matches of a server: that of `table_id`, else the channel's and then others, youngest first.

        A match that is still played, or was broken off, is not finished.
        """

    async def read(self, table_id: int) -> PastMatch | None:
        """A finished match; None if there is no such match."""
