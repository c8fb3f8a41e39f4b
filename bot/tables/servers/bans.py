"""Bans from the tables and nights of a server, until a time.

Whatever seats or registers people checks them. A banned person stays at their present table, and is taken off all
nights at once.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from bot.base.clock import Clock
from bot.base.errors import KemsError
from bot.base.times import DAY_MS
from bot.records.player import HelpSetting
from bot.tables.hub import Hub, PersonBanned

MOST_DAYS: Final = 365
"""The longest ban, in days: a ban outlives the erasure of a person's data, for a year at most."""


@dataclass(frozen=True, slots=True)
class Ban:
    """A ban from the tables and nights of a server.

    - `user_id`: None once the person's data was erased; the ban still holds.
    - `until`: when it ends (Unix milliseconds).
    - `by_id`: the user id of the person who gave it.
    - `reason`: as that person wrote it.
    """

    user_id: int | None
    until: int
    by_id: int | None = None
    reason: str = ""


class BannedError(KemsError):
    """The banned user `user_id` would get a seat at a table or a place in a night."""

    def __init__(self, user_id: int, ban: Ban) -> None:
        super().__init__("This person is banned here.")
        self.user_id = user_id
        self.ban = ban


class BanStore(Protocol):
    """The bans of all servers, at most one for each person in each. Every method may raise StoreError."""

    async def put(self, guild_id: int, user_id: int, ban: Ban) -> None:
        """Save a ban in place of the person's former one."""

    async def lift(self, guild_id: int, user_id: int) -> bool:
        """Delete a person's ban, even after their data was erased; return False if there is none."""

    async def find(self, guild_id: int, user_ids: Collection[int], at: int) -> Mapping[int, Ban]:
        """Return the bans of these people that hold at the time `at`, by user id."""

    async def newcomers(
        self, guild_id: int, user_ids: Collection[int], at: int
    ) -> tuple[Mapping[int, Ban], Mapping[int, HelpSetting]]:
        """Return what must be known of people who sit down: their bans (`find`) and levels of help, by user id.

        A level is the one that the person has chosen; else it depends on how many matches they have played.
        """

    async def all(self, guild_id: int, at: int) -> tuple[Ban, ...]:
        """Return the bans of a server that hold at the time `at`; those that end first come first."""


class Bans:
    """The present bans of all servers. Every method may raise StoreError."""

    def __init__(self, clock: Clock, store: BanStore, hub: Hub) -> None:
        self._clock = clock
        self._store = store
        self._hub = hub
        self.publish: Final = hub.publish
        self.lift: Final = store.lift

    async def of(self, guild_id: int) -> tuple[Ban, ...]:
        """Return the bans of a server; those that end first come first."""
        return await self._store.all(guild_id, self._clock.now())

    async def find_many(self, guild_id: int, user_ids: Collection[int]) -> Mapping[int, Ban]:
        """Return the bans of these people, by user id."""
        return await self._store.find(guild_id, user_ids, self._clock.now()) if user_ids else {}

    async def admit(
        self, guild_id: int, new: Collection[int], unread: Collection[int] = ()
    ) -> Mapping[int, HelpSetting]:
        """Return the levels of help of all these people, by user id.

        Raises:
            BannedError: One of the `new` people is banned.
        """
        people = {*new, *unread}
        if not people:
            return {}
        banned, levels = await self._store.newcomers(guild_id, people, self._clock.now())
        for user_id in banned.keys() & new:
            raise BannedError(user_id, banned[user_id])
        return levels

    async def check(self, guild_id: int, user_ids: Collection[int]) -> None:
        """Check that none of these people is banned from a server.

        Raises:
            BannedError: One of them is.
        """
        for user_id, ban in (await self.find_many(guild_id, user_ids)).items():
            raise BannedError(user_id, ban)

    async def ban(self, guild_id: int, user_id: int, days: int, by_id: int, reason: str) -> Ban:
        """Ban a person for at most `MOST_DAYS`, and take them off the nights of the server."""
        ban = Ban(user_id, self._clock.now() + min(days, MOST_DAYS) * DAY_MS, by_id, reason)
        await self._store.put(guild_id, user_id, ban)
        await self._hub.publish_and_wait(PersonBanned(guild_id, user_id, ban.until, by_id, reason))
        return ban
