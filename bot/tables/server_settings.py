"""What a server has chosen apart from its ladder. Values only; Discord's ids are opaque numbers here."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from bot.tables.lobby.lobby import Absence
from bot.times import WEEK_MS

NOTICE_MS: Final = WEEK_MS
"""After a shorter retention was chosen no log is deleted for this long, so that the server can choose again."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """`language` is the language of public messages; None: Discord's setting for the server.

    Tables may be opened in `table_channels` and their threads; empty: everywhere. A season's podium is posted in
    `podium_channel`; None: where the season is ended by hand, and nowhere if the calendar ends it. The best of a season
    get `champion_role`, if there is one. Members who want to be called to tables have `players_role`, if there is one;
    they were called at `players_called_at` (milliseconds).
    `absence` and `afk_seconds` are for new tables: what happens to absent players, and after how many seconds without a
    move they are called (0: never; None: the bot's default).
    The log of a match is deleted after `retention_days`, but not before `retained_until` (milliseconds); None: never.
    """

    language: str | None = None
    table_channels: tuple[int, ...] = ()
    podium_channel: int | None = None
    champion_role: int | None = None
    absence: Absence = Absence.ROBOT
    afk_seconds: int | None = None
    retention_days: int | None = None
    retained_until: int | None = None
    players_role: int | None = None
    players_called_at: int | None = None

    def allows_table_in(self, *channel_ids: int | None) -> bool:
        """Whether a table may be opened in a channel; for a thread, that is its own id and its parent's."""
        return not self.table_channels or not set(self.table_channels).isdisjoint(channel_ids)

    def retaining(self, days: int | None, now: int) -> "ServerSettings":
        """The settings with another retention. A shorter one than before deletes nothing for `NOTICE_MS`."""
        if days is None:
            return replace(self, retention_days=None, retained_until=None)
        is_shorter = self.would_delete_more(days)
        return replace(self, retention_days=days, retained_until=now + NOTICE_MS if is_shorter else self.retained_until)

    @property
    def places(self) -> frozenset[int]:
        """The channels and roles that are chosen."""
        chosen = (*self.table_channels, self.podium_channel, self.champion_role, self.players_role)
        return frozenset(one for one in chosen if one is not None)

    def within(self, known: frozenset[int]) -> "ServerSettings":
        """The settings without the channels and roles that are not `known` any more."""
        return replace(
            self,
            table_channels=tuple(one for one in self.table_channels if one in known),
            podium_channel=self.podium_channel if self.podium_channel in known else None,
            champion_role=self.champion_role if self.champion_role in known else None,
            players_role=self.players_role if self.players_role in known else None,
        )

    def would_delete_more(self, days: int) -> bool:
        return self.retention_days is None or days < self.retention_days


class ServerStore(Protocol):
    """What each server has chosen apart from its ladder. Every method may raise StoreError."""

    async def read(self, guild_id: int) -> ServerSettings:
        """What the server has chosen, or the defaults."""

    async def change(self, guild_id: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Save what `change` makes of the server's settings, and return it. Two changes never overlap."""
