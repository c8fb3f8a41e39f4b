"""What scenes, of days and of moments, ask of a store."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from bot.daily.attempt import Challenge, Key, MomentKey, Try
from bot.daily.day import Score


@dataclass(frozen=True, slots=True)
class PanelReach:
    """How the panel of a scene is reached: the token of its newest press, and the reader's language."""

    token: str = field(repr=False)
    language: str


class SceneStore(Protocol):
    """Every method raises StoreError when it could not do its work."""

    async def start(self, one: Try, reach: PanelReach, *, again: bool = False) -> bool:
        """Save a try that begins, and end as missed the silent ones of the person; False where it was used before.

        With `again` it takes the place of a former one that is not running.
        """

    async def find(self, user_id: int, key: Key) -> Try | None:
        """A person's try as it is saved now."""

    async def save(self, one: Try, reach: PanelReach | None = None, *, since: int | None = None) -> bool:
        """Save a move, or the end of a try; False where it is over or erased, or where a later press was saved.

        `since` is the `pressed_at` of the copy of which it was made, by default that of `one`: another process may have
        a newer copy.
        """

    async def withdraw(self, one: Try) -> None:
        """Delete a try that has begun and was not shown."""

    async def unfinished(self) -> tuple[tuple[Try, PanelReach | None], ...]:
        """The tries that are not over; how their panels are reached, where that is known."""

    async def mark(self, user_id: int, keys: Collection[Key], *, is_posted: bool) -> bool:
        """Save whether a person has posted these tries; False where it was saved before."""

    async def put_forward(self, one: Try) -> bool:
        """Save that a player puts their moment forward as a challenge; False where it was saved before.

        `one` takes the place of a try that the player has not begun yet.
        """

    async def challenge(self, key: MomentKey) -> Try | None:
        """The try of the player who has put a moment forward."""

    async def challenges(self, table_id: int) -> tuple[Challenge, ...]:
        """The challenges of a match, at most `MOST_CHALLENGES` of them."""

    async def challenged_tables(self, user_id: int) -> Collection[tuple[int, int]]:
        """The tables with a challenge that a person has put forward or tried: the ids of server and table."""

    async def secret(self) -> bytes:
        """What draws people's scenes; made once for each database."""

    async def attempts(self, user_id: int, day: date) -> tuple[Try, ...]:
        """A person's tries of a day in their order."""

    async def days(self, user_id: int) -> Collection[date]:
        """The days of which a person used all tries."""

    async def scores(self, guild_id: int, first: date, last: date) -> tuple[Score, ...]:
        """What the people of a server did on these days, without those who are on no boards."""

    async def posts_due(self, day: date, hour: int) -> tuple[tuple[int, int], ...]:
        """The ids of servers that want their post of this day by this hour, each with its channel."""
