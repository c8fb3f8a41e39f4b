"""What the deal of the day asks of a store."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from bot.daily.day import Score, Try


@dataclass(frozen=True, slots=True)
class PanelReach:
    """How the panel of a scene is reached: the token of its newest press, and the reader's language."""

    token: str = field(repr=False)
    language: str


class DailyStore(Protocol):
    """Every method raises StoreError when it could not do its work."""

    async def secret(self) -> bytes:
        """What draws people's scenes; made once for each database."""

    async def begin(self, one: Try, reach: PanelReach) -> bool:
        """Save a try that begins, and end as missed those that the person left open; False where it was used before."""

    async def save(self, one: Try, reach: PanelReach | None = None, *, since: int | None = None) -> bool:
        """Save a move, or the end of a try; False where it is over or erased, or where a later press was saved.

        `since` is the `pressed_at` of the copy of which it was made, by default that of `one`: another process may have
        a newer copy.
        """

    async def mark(self, user_id: int, day: date, *, is_posted: bool) -> bool:
        """Save whether a person has posted the result of a day; False where it was saved before."""

    async def tries(self, user_id: int, day: date) -> tuple[Try, ...]:
        """A person's tries of a day in their order."""

    async def unfinished(self) -> tuple[tuple[Try, PanelReach | None], ...]:
        """The tries that are not over; how their panels are reached, where that is known."""

    async def days(self, user_id: int) -> Collection[date]:
        """The days of which a person used all tries."""

    async def scores(self, guild_id: int, first: date, last: date) -> tuple[Score, ...]:
        """What the people of a server did on these days, without those who are on no boards."""

    async def posts_due(self, day: date, hour: int) -> tuple[tuple[int, int], ...]:
        """The ids of servers that want their post of this day by this hour, each with its channel."""
