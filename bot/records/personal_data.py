"""What a person may ask for about themselves: to see all that is stored, to be forgotten, to be on no board."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol


class PersonalData(Protocol):
    """Every method raises StoreError when the store could not do its work."""

    async def export(self, user_id: int) -> dict[str, Any]:
        """All that is stored on a person in all servers, as values that JSON knows. Other people are not named."""

    async def forget(self, user_id: int, unreadable: Collection[int] = ()) -> bool:
        """Remove a person's id, names, rating and standings everywhere; matches stay whole, without them.

        False, and nothing happened, while the person sits at a table that is open or being played; those that are
        `unreadable` do not count. All is removed at once, or nothing.
        """

    async def hide(self, guild_id: int, user_id: int, name: str, *, is_hidden: bool) -> None:
        """Leave a person out of a server's boards, or let them in again."""

    async def is_hidden(self, guild_id: int, user_id: int) -> bool:
        """Whether a server's boards leave a person out."""
