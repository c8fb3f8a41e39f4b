"""The durable log of all matches, as running tables need it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.game.events import Event


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of a match's log: `seq` counts from 1, `press_id` is the interaction that caused it."""

    seq: int
    event: Event
    press_id: int | None = None


class Journal(Protocol):
    """The durable log of all matches."""

    async def append(self, match_id: int, first_seq: int, events: Sequence[Event], press_id: int | None) -> None:
        """Make the events durable, numbered from `first_seq`; with a `MatchEnded` the match's result, too.

        Raises StoreError when they were not saved, or it is not known whether they were.
        """

    async def read(self, match_id: int, first_seq: int) -> tuple[Entry, ...]:
        """The match's entries from `first_seq` on. Raises StoreError when the log could not be read, or has a gap."""
