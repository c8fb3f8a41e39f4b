"""The nights of servers that are over, and what a person's nights add up to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.nights.night import Night
from bot.nights.recap import NightEntry


@dataclass(frozen=True, slots=True)
class PersonNights:
    """The nights of one person on a server: one entry each, and the numbers of all nights that took place there."""

    entries: Sequence[NightEntry]
    held: Sequence[int]


class PastNights(Protocol):
    """Every method raises StoreError when the store could not do its work."""

    async def read(self, night_id: int) -> Night | None:
        """A night, over or not; None if there is none."""

    async def of_server(self, guild_id: int, most: int) -> tuple[Night, ...]:
        """The nights of a server that are over, the youngest first."""
