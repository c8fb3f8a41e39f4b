"""What users may request for their own data: export, erasure, no place on boards, no picture."""

from collections.abc import Collection
from typing import Any, Protocol

from bot.records.file_batches import Batches, Progress, identity, json_document


def as_file(export: dict[str, Any]) -> Batches:
    """Return what `PersonalData.export` returns as a JSON document in UTF-8."""
    return json_document((name, identity, value) for name, value in export.items())


class PersonalData(Protocol):
    """Exports and erases a person's data. Every method raises StoreError if the store fails."""

    async def export(self, user_id: int, progress: Progress | None = None) -> dict[str, Any]:
        """Return all that is stored about a user in all servers, as JSON values. It names no other user.

        One export runs at a time; `progress` is kept up to date.
        """

    async def tables_of(self, user_id: int) -> int:
        """Return how many open lobbies and running matches a user sits at, in all servers."""

    async def save_erasure_request(self, user_id: int, *, is_wanted: bool = True) -> None:
        """Save that a user wants to be erased, or has changed their mind; a started erasure cannot be stopped."""

    async def erasure_requests(self) -> Collection[int]:
        """Return the users that asked to be erased and are not erased yet."""

    async def erase_past_matches(self, user_id: int, unreadable: Collection[int] = ()) -> bool:
        """Erase a user from finished matches, in batches since these may be many rows; call `erase` next.

        Returns:
            False, with nothing erased, while the user sits at an open table or one being played; `unreadable` tables do
                not count.
        """

    async def erase(self, user_id: int, unreadable: Collection[int] = ()) -> bool:
        """Erase a user's id, names, rating and standings everywhere at once; call `scrub_deleted_rows` next.

        The logs of matches stay, since they name nobody.

        Returns:
            False, with nothing erased, in the cases of `erase_past_matches`.
        """

    async def scrub_deleted_rows(self) -> None:
        """Overwrite the bytes of deleted rows in the store's files. This may take seconds.

        Raises:
            StoreError: Another program is using these bytes.
        """

    async def hide(self, guild_id: int, user_id: int, name: str, *, is_hidden: bool) -> None:
        """Leave a user out of a server's boards, or show them there again."""

    async def show_avatar(self, guild_id: int, user_id: int, name: str, *, is_shown: bool) -> None:
        """Show a user's avatar in pictures of all servers, or their initials instead."""

    async def without_avatar(self, user_ids: Collection[int]) -> frozenset[int]:
        """Return the users among these that do not want their avatar in pictures."""

    async def is_hidden(self, guild_id: int, user_id: int) -> bool:
        """Return whether a server's boards leave a user out."""
