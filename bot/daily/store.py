"""The Protocol by which scenes of days and of moments are stored."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from bot.daily.attempt import Attempt, Challenge, Key, MomentKey
from bot.daily.day import Score


@dataclass(frozen=True, slots=True)
class PanelReach:
    """How to edit the panel of a scene: the token of its newest interaction, and the reader's language."""

    token: str = field(repr=False)
    language: str


class SceneStore(Protocol):
    """Stores attempts. Every method raises StoreError if the store fails."""

    async def start(self, attempt: Attempt, reach: PanelReach, *, again: bool = False) -> bool:
        """Save a new attempt, and end the person's silent ones as missed; False if there was one already.

        `again` replaces a former attempt that is not running.
        """

    async def find(self, user_id: int, key: Key) -> Attempt | None:
        """Return a person's attempt as saved."""

    async def save(self, attempt: Attempt, reach: PanelReach | None = None, *, since: int | None = None) -> bool:
        """Save a move or the end of an attempt; False if it is over, erased, or saved with a later move.

        `since` is the `pressed_at` of the copy that was changed, by default that of `attempt`: another process may have
        saved a newer one.
        """

    async def withdraw(self, attempt: Attempt) -> None:
        """Delete an attempt that has begun and was not shown."""

    async def unfinished(self) -> tuple[tuple[Attempt, PanelReach | None], ...]:
        """Return the attempts that are not over, and how their panels are reached, if known."""

    async def mark(self, user_id: int, keys: Collection[Key], *, is_posted: bool) -> bool:
        """Save whether a person has posted these attempts; False if it was saved before."""

    async def add_challenge(self, attempt: Attempt) -> bool:
        """Save that a player offers their moment as a challenge; False if it was saved before.

        `attempt` replaces one that the player has not begun yet.
        """

    async def challenge(self, key: MomentKey) -> Attempt | None:
        """Return the attempt of the player who has offered a moment."""

    async def challenges(self, table_id: int) -> tuple[Challenge, ...]:
        """Return the challenges of a match, at most `MOST_CHALLENGES`."""

    async def challenged_tables(self, user_id: int) -> Collection[tuple[int, int]]:
        """Return server id and table id of each match in which a person has offered or tried a challenge."""

    async def secret(self) -> bytes:
        """Return the secret that scenes are drawn by; made once for each database."""

    async def attempts(self, user_id: int, day: date) -> tuple[Attempt, ...]:
        """Return a person's attempts of a day, in order."""

    async def days(self, user_id: int) -> Collection[date]:
        """Return the days of which a person has used all attempts."""

    async def scores(self, guild_id: int, first: date, last: date) -> tuple[Score, ...]:
        """Return the scores of a server's people on these days, without those who are on no boards."""

    async def posts_due(self, day: date, hour: int) -> tuple[tuple[int, int], ...]:
        """Return the servers that want their post of this day by this hour, each with its channel."""
