"""Nights that were played: for recaps, for what they add up to, and as templates of new ones."""

from __future__ import annotations

from typing import Protocol

from bot.nights.night import Night


class NightRecords(Protocol):
    """Nights of any age. Every method raises StoreError when the store could not do its work."""

    async def night(self, guild_id: int, night_id: int) -> Night | None:
        """A night of a server, by its id."""

    async def past(self, guild_id: int, most: int) -> tuple[Night, ...]:
        """At most `most` nights of a server that are over or cancelled, the latest first."""

    async def of_person(self, guild_id: int, user_id: int, most: int) -> tuple[Night, ...]:
        """At most `most` nights of a server that are over and for which a person had signed up, the latest first."""
