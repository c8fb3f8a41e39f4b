"""Drafts of nights: of each person the latest on each server."""

from typing import Final, Protocol

from bot.base.times import DAY_MS
from bot.nights.planning.draft import NightDraft

KEPT_MS: Final = DAY_MS
"""So long a draft stays that nobody changes; then `bot.store.records.retention` deletes it."""


class NightDraftStore(Protocol):
    """Each method may raise StoreError."""

    async def keep(self, guild_id: int, user_id: int, draft: NightDraft, now: int) -> None:
        """Save a draft in place of the person's former one on that server."""

    async def read(self, guild_id: int, user_id: int) -> NightDraft | None:
        """The person's draft on that server."""
