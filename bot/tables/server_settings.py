"""What a server has chosen apart from its ladder. Values only; Discord's ids are opaque numbers here."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from bot.tables.absence import Absence

NOTICE_MS: Final = 7 * 24 * 3600 * 1000
"""So long a server knows that matches will be deleted before the first of them is."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """`language` is that of public messages; None leaves it to Discord's setting for the server.

    Tables may be opened in `table_channels` and their threads, everywhere if there are none. A season's podium is
    posted in `podium_channel`; None: wherever it is ended, and nowhere if the calendar ends it.
    The best of a season gets `champion_role`, if there is one.
    `absence` and `afk_seconds` are for new tables: what becomes of people who do not come, and after how many seconds
    of doing nothing they are called (0: never; None: the bot's default).
    After `retention_days` the log of a match is deleted, though none before `retained_until` (milliseconds), when the
    server has known of it for a while; None: logs are kept for ever.
    """

    language: str | None = None
    table_channels: tuple[int, ...] = ()
    podium_channel: int | None = None
    champion_role: int | None = None
    absence: Absence = Absence.ROBOT
    afk_seconds: int | None = None
    retention_days: int | None = None
    retained_until: int | None = None

    def allows_table_in(self, *channel_ids: int | None) -> bool:
        """Whether a table may be opened in a channel; for a thread, that is its own id and its parent's."""
        return not self.table_channels or not set(self.table_channels).isdisjoint(channel_ids)

    def retaining(self, days: int | None, now: int) -> "ServerSettings":
        """The settings by which matches are kept for so many days; what only this one deletes has a time of notice."""
        if days is None:
            return replace(self, retention_days=None, retained_until=None)
        is_shorter = self.retention_days is None or days < self.retention_days
        return replace(self, retention_days=days, retained_until=now + NOTICE_MS if is_shorter else self.retained_until)


class ServerStore(Protocol):
    """What each server has chosen apart from its ladder. Every method may raise StoreError."""

    async def read(self, guild_id: int) -> ServerSettings:
        """What the server has chosen, or the defaults."""

    async def change(self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Save what `change` makes of the server's settings; gives what holds now. Two changes never overlap."""
