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
        """Save a new attempt and end the person's abandoned ones as missed; return False if this one exists already.

        `again` replaces an earlier attempt that is no longer running.
        """

    async def find(self, user_id: int, key: Key) -> Attempt | None:
        """Return a person's saved attempt."""

    async def save(self, attempt: Attempt, reach: PanelReach | None = None, *, since: int | None = None) -> bool:
        """Save a changed attempt; return False if the saved one is over, was erased, or has a later move.

        `since` is the `pressed_at` of the copy that was changed, by default that of `attempt`: another process may have
        saved a newer one.
        """

    async def withdraw(self, attempt: Attempt) -> None:
        """Delete an attempt that has started but was never shown to the person."""

    async def unfinished(self) -> tuple[tuple[Attempt, PanelReach | None], ...]:
        """Return the attempts that are not over, each with how to edit its panel, if known."""

    async def mark(self, user_id: int, keys: Collection[Key], *, is_posted: bool) -> bool:
        """Save whether a person has posted these attempts; return False if nothing changed."""

    async def add_challenge(self, attempt: Attempt) -> bool:
        """Save that a player offers their moment as a challenge; return False if it was offered before.

        `attempt` replaces one that the player has not begun yet.
        """

    async def challenge(self, key: MomentKey) -> Attempt | None:
        """Return the attempt of the player who has offered a moment."""

    async def challenges(self, table_id: int) -> tuple[Challenge, ...]:
        """Return the challenges of a match, at most `MOST_CHALLENGES`."""

    async def challenged_tables(self, user_id: int) -> Collection[tuple[int, int]]:
        """Return server id and table id of each match in which a person has offered or tried a challenge."""

    async def secret(self) -> bytes:
        """Return the secret from which scenes are drawn by lot; each database has its own."""

    async def attempts(self, user_id: int, day: date) -> tuple[Attempt, ...]:
        """Return a person's attempts of a day, in order."""

    async def days(self, user_id: int) -> Collection[date]:
        """Return the days on which a person has used all attempts."""

    async def scores(self, guild_id: int, first: date, last: date) -> tuple[Score, ...]:
        """Return the scores of a server's people on these days, except of people who opted out of boards."""

    async def posts_due(self, day: date, hour: int) -> tuple[tuple[int, int], ...]:
        """Return the servers whose post of this day is due by this hour, each with its channel."""
