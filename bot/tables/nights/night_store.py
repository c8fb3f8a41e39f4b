"""Nights, as the running ones need them stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bot.nights.night import Night
from bot.tables.shards import ALL, Shard


@dataclass(frozen=True, slots=True)
class MatchScore:
    """How a match of a night ended that is no longer in memory: points of its last game and games won, by team."""

    scores: tuple[int, ...]
    games: tuple[int, ...]


class NightStore(Protocol):
    """Nights by id. Every method raises StoreError when it could not do its work; then nothing has changed."""

    async def create(self, night: Night, former: Night | None = None) -> Night:
        """Save a new night and return it with its `id`, and with its `number` among the nights of its server.

        `former` is the night of which this one is the next: it is saved in the same transaction (see `save`).
        """

    async def save(self, night: Night) -> None:
        """Save a night whose `version` is one more than what is stored.

        Raises StoreError, too, where another version is stored.
        """

    async def load(self, night_id: int) -> Night | None:
        """One night; None once its row is deleted."""

    async def load_live(self, shard: Shard = ALL) -> tuple[Night, ...]:
        """The nights of a shard for which something is still to be done, the oldest first."""

    async def score(self, table_id: int) -> MatchScore | None:
        """How a table's match ended; None for one that was not played to its end."""
