"""What a user may ask for about their own data: to see it, to have it erased, to be on no board and in no picture."""

from collections.abc import Collection
from typing import Any, Protocol

from bot.records.portions import Portions, Progress, as_it_is, json_document


def as_file(told: dict[str, Any]) -> Portions:
    """What `PersonalData.export` tells, as a document in UTF-8."""
    return json_document((name, as_it_is, value) for name, value in told.items())


class PersonalData(Protocol):
    """Every method raises StoreError when the store could not do its work."""

    async def export(self, user_id: int, progress: Progress | None = None) -> dict[str, Any]:
        """All that is stored about a user in all servers, as JSON values. It names no other user.

        One export runs at a time; `progress` is kept up to date.
        """

    async def tables_of(self, user_id: int) -> int:
        """How many open lobbies and running matches a user sits at, in all servers."""

    async def note_wish(self, user_id: int, *, is_wanted: bool = True) -> None:
        """Save that a user wants to be erased, or does not any more; nothing stops an erasure that has begun."""

    async def wishes(self) -> Collection[int]:
        """The users who want to be erased, and are not yet."""

    async def forget_past(self, user_id: int, unreadable: Collection[int] = ()) -> bool:
        """Erase what can be many rows, of matches that are over, some at a time; `forget` is to follow.

        Returns False, and erases nothing, while the user sits at a table that is open or being played; tables that are
        `unreadable` do not count.
        """

    async def forget(self, user_id: int, unreadable: Collection[int] = ()) -> bool:
        """Erase a user's id, names, rating and standings everywhere, all at once; logs of matches stay as they are.

        Returns False, and erases nothing, as `forget_past` does. `remove_remains` is to follow.
        """

    async def remove_remains(self) -> None:
        """Remove from the store's files the former bytes of rows that are erased.

        Raises StoreError, too, while another program has these bytes in use. It may take seconds until then.
        """

    async def hide(self, guild_id: int, user_id: int, name: str, *, is_hidden: bool) -> None:
        """Leave a user out of a server's boards, or show them there again."""

    async def show_avatar(self, guild_id: int, user_id: int, name: str, *, is_shown: bool) -> None:
        """Show a user's avatar in pictures of all servers, or their initials instead."""

    async def without_avatar(self, user_ids: Collection[int]) -> frozenset[int]:
        """Those of the users who want no avatar in pictures."""

    async def is_hidden(self, guild_id: int, user_id: int) -> bool:
        """Whether a server's boards leave a user out."""
