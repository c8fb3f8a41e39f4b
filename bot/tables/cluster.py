"""The processes of the bot. Discord sends the events of each server to a shard, and one process serves a shard."""

import math
import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Protocol

from bot.base.times import MINUTE_MS
from bot.tables.table_store import ServerFilter

IDENTIFY_S: Final = 5.2
"""Seconds between two identifies of a bucket, where Discord asks for five; connecting takes now more, now less.
https://discord.com/developers/docs/events/gateway#rate-limits"""
REQUESTS_A_SECOND: Final = 45
"""The bot's own limit, below Discord's 50: a few requests wait for no room, such as those for roles."""


NONCE_MS: Final = 5 * MINUTE_MS
"""Longest time that Discord remembers a nonce: "the past few minutes".
https://discord.com/developers/docs/resources/message#create-message"""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of the bot's `count` shards.

    Source: https://discord.com/developers/docs/events/gateway#sharding
    """

    number: int
    count: int

    @classmethod
    def of(cls, guild_id: int, count: int) -> "Shard":
        """Return the shard of a server, out of `count`."""
        return cls((guild_id >> 22) % count, count)

    def has(self, guild_id: int) -> bool:
        """Return whether a server belongs to this shard."""
        return self.of(guild_id, self.count) == self


ALL: Final = Shard(0, 1)
"""The only shard of a bot that needs no more than one."""


class ShardResource:
    """Something that this process keeps in memory for the servers of its shards; by default nothing.

    Both methods may raise StoreError.
    """

    async def restore(self, servers: ServerFilter) -> None:
        """Load the stored data of these servers, before Discord can be reached for them."""

    async def release(self, servers: ServerFilter) -> None:
        """Drop these servers, which another process takes over."""


class Cluster(Protocol):
    """The leases of shards: which ones this process owns. Every `async` method may raise StoreError."""

    @property
    def count(self) -> int:
        """The number of all shards, known after `enter`."""

    @property
    def owned_shards(self) -> Collection[int]:
        """The shards whose leases this process owns."""

    @property
    def unknown(self) -> Collection[int]:
        """Shards that the store may have given to this process, though the response was lost."""

    @property
    def share(self) -> int:
        """How many shards this process should own among the processes that are alive."""

    @property
    def requests(self) -> int:
        """The requests a second that this process may make with the bot's token."""

    @property
    def neighbours(self) -> int:
        """The number of the bot's processes on this one's address, itself included."""

    @property
    def users_to_remove(self) -> Collection[int]:
        """The users that another process asks this one to remove from all its tables (`bot.tables.erasure`)."""

    @property
    def is_leader(self) -> bool:
        """Whether this process is the leader, which does the work that is needed only once for all processes."""

    @property
    def is_lost(self) -> bool:
        """Whether other processes have taken over all leases of this one; `enter` joins them again."""

    @property
    def acts_until(self) -> float:
        """The time (`time.monotonic`) until which no other process can take over a shard of this one."""

    async def enter(self, shards: int) -> None:
        """Join the processes of the bot; the first one sets the number of `shards`."""

    async def acquire_lease(self) -> int | None:
        """Acquire the lease of a shard that no living process owns, and return the shard; None if there is none."""

    async def lead(self) -> None:
        """Become the leader if no living process is the leader."""

    async def release_lease(self, shard: int) -> None:
        """Release the lease of a shard, which this process no longer serves."""

    async def identify_wait(self, bucket: int, turn: str) -> float:
        """Acquire the right to identify a shard; return 0, or the seconds to wait before another call.

        There is no queue, in which a process that dies would keep its place.

        Args:
            bucket: Discord's bucket of the shard, its number modulo `max_concurrency`.
            turn: Names the attempt, which succeeds again if the answer to an earlier call was lost.
        """


class SoleProcess:
    """The `Cluster` of a bot with a single process, which owns all shards."""

    is_leader: Final = True
    is_lost: Final = False
    acts_until: Final = math.inf
    requests: Final = REQUESTS_A_SECOND
    neighbours: Final = 1
    users_to_remove: Final = ()
    unknown: Final = ()

    def __init__(self) -> None:
        self.count = self.share = 0
        self.owned_shards: list[int] = []
        self._turns: dict[int, tuple[float, str]] = {}

    async def enter(self, shards: int) -> None:
        """Set the number of shards; there are no other processes to join."""
        self.count = self.share = shards

    async def acquire_lease(self) -> int | None:
        """Return a shard that this process does not own yet; None if it owns all."""
        free = next((number for number in range(self.count) if number not in self.owned_shards), None)
        if free is not None:
            self.owned_shards.append(free)
        return free

    async def lead(self) -> None:
        """Do nothing: this process is the leader."""

    async def release_lease(self, shard: int) -> None:
        """Release a shard, whose lease may be acquired again."""
        self.owned_shards.remove(shard)

    async def identify_wait(self, bucket: int, turn: str) -> float:
        """Return 0 and acquire the turn of a bucket, or the seconds until its next turn."""
        now = time.monotonic()
        free_at, holder = self._turns.get(bucket, (now, turn))
        if now < free_at and holder != turn:
            return free_at - now
        self._turns[bucket] = now + IDENTIFY_S, turn
        return 0.0


@dataclass(frozen=True, slots=True)
class NonceTags:
    """The tags in the nonces of this bot's posts.

    - `present`: drawn at `drawn_at` (Unix milliseconds) for all its processes.
    - `former`: that of the former run. It is used for five minutes more, so that a retried post has the nonce with
      which the former run may have posted it.

    A copy of the database on another machine begins with the same tags; five minutes later it has others.
    """

    present: str
    former: str
    drawn_at: int

    @classmethod
    def first(cls, now: int) -> "NonceTags":
        """Return the tags of a bot that runs for the first time."""
        tag = secrets.token_hex(2)
        return cls(tag, tag, now)

    def renewed(self, now: int) -> "NonceTags":
        """Return the tags of the next run."""
        return NonceTags(secrets.token_hex(2), self.of(now), now)

    def of(self, now: int) -> str:
        """Return the tag for a nonce that is made now."""
        return self.former if now < self.drawn_at + NONCE_MS else self.present

    def has(self, tag: str, now: int) -> bool:
        """Return whether a nonce with this tag, seen now, may be from this bot, perhaps from a retried post."""
        return tag == self.present or (tag == self.former and now < self.drawn_at + 3 * NONCE_MS)


class NonceTagStore(Protocol):
    """The stored tags, and signs of rivals. Each method may raise StoreError."""

    async def draw(self, now: int) -> NonceTags:
        """Return the tags for a starting process: new ones if no other process of the bot is running."""

    async def save_rival(self, at: int) -> None:
        """Save when another bot with the same token was last seen (Unix milliseconds)."""

    async def rival_seen_at(self) -> int | None:
        """Return when another bot with the same token was last seen; None if never."""
