"""What the deal of the day, and moments that are played again, ask of a store."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol, TypeVar

from bot.daily.day import Score, Try
from bot.daily.moment import Challenge, MomentKey, MomentTry
from bot.daily.run import Attempt

T = TypeVar("T", bound=Attempt)


@dataclass(frozen=True, slots=True)
class PanelReach:
    """How the panel of a scene is reached: the token of its newest press, and the reader's language."""

    token: str = field(repr=False)
    language: str


class TryStore(Protocol[T]):
    """Every method raises StoreError when it could not do its work."""

    async def begin(self, one: T, reach: PanelReach) -> bool:
        """Save a try that begins, and end as missed those that the person left open; False where it was used before."""

    async def find(self, one: T) -> T | None:
        """A person's try at the same, as it is saved now."""

    async def save(self, one: T, reach: PanelReach | None = None, *, since: int | None = None) -> bool:
        """Save a move, or the end of a try; False where it is over or erased, or where a later press was saved.

        `since` is the `pressed_at` of the copy of which it was made, by default that of `one`: another process may have
        a newer copy.
        """

    async def unfinished(self) -> tuple[tuple[T, PanelReach | None], ...]:
        """The tries that are not over; how their panels are reached, where that is known."""


class MomentStore(TryStore[MomentTry], Protocol):
    """Of a moment the same person may begin another try when the last one is over."""

    async def challenge(self, key: MomentKey) -> Challenge | None:
        """The challenge to a moment; None where nobody has posted it."""

    async def post(self, one: Challenge) -> bool:
        """Save a challenge; False where there is one already."""

    async def withdraw(self, one: Challenge) -> None:
        """Delete a challenge that could not be posted."""


class DailyStore(TryStore[Try], Protocol):
    async def secret(self) -> bytes:
        """What draws people's scenes; made once for each database."""

    async def mark(self, user_id: int, day: date, *, is_posted: bool) -> bool:
        """Save whether a person has posted the result of a day; False where it was saved before."""

    async def tries(self, user_id: int, day: date) -> tuple[Try, ...]:
        """A person's tries of a day in their order."""

    async def days(self, user_id: int) -> Collection[date]:
        """The days of which a person used all tries."""

    async def scores(self, guild_id: int, first: date, last: date) -> tuple[Score, ...]:
        """What the people of a server did on these days, without those who are on no boards."""

    async def posts_due(self, day: date, hour: int) -> tuple[tuple[int, int], ...]:
        """The ids of servers that want their post of this day by this hour, each with its channel."""
