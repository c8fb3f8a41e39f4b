"""The processes of the bot: Discord sends the events of each server to a shard, and one process serves it."""

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
"""What is planned of Discord's 50 for the whole bot: a few requests go by no budget, such as the roles of champions."""


NONCE_MS: Final = 5 * MINUTE_MS
"""How long Discord remembers a nonce, at most: "the past few minutes".
https://discord.com/developers/docs/resources/message#create-message"""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `count` shards.

    Source: https://discord.com/developers/docs/events/gateway#sharding
    """

    number: int
    count: int

    @classmethod
    def of(cls, guild_id: int, count: int) -> "Shard":
        return cls((guild_id >> 22) % count, count)

    def has(self, guild_id: int) -> bool:
        """Return whether a server is one of this shard's."""
        return self.of(guild_id, self.count) == self


ALL: Final = Shard(0, 1)
"""The only shard of a bot that needs no more."""


class ShardResource:
    """What this process keeps in memory of the servers of its shards; by itself nothing.

    Both methods may raise StoreError.
    """

    async def restore(self, servers: ServerFilter) -> None:
        """Load what was kept of these servers, which cannot be reached yet. Most find out as they are reached."""

    async def release(self, servers: ServerFilter) -> None:
        """Forget these servers: another process goes on with them."""


class Cluster(Protocol):
    """Which shards this process serves. Every `async` method raises StoreError when the store could not do its work."""

    @property
    def count(self) -> int:
        """How many shards the bot has; known after `enter`."""

    @property
    def owned_shards(self) -> Collection[int]:
        """The shards that this process serves."""

    @property
    def unknown(self) -> Collection[int]:
        """Shards that are stored as this process's without its knowing: the answer to a claim was lost."""

    @property
    def share(self) -> int:
        """How many shards are this process's part among the processes that live."""

    @property
    def requests(self) -> int:
        """How many requests a second this process may send to Discord with the bot's token."""

    @property
    def neighbours(self) -> int:
        """How many processes ask Discord from this one's address, itself included."""

    @property
    def users_to_remove(self) -> Collection[int]:
        """The users whom another process asks this one to let leave all tables (`bot.tables.erasure`)."""

    @property
    def is_leader(self) -> bool:
        """Whether this process does the work that one does for all."""

    @property
    def is_lost(self) -> bool:
        """Whether others have taken everything over from this process; `enter` begins again."""

    @property
    def acts_until(self) -> float:
        """Until when (`time.monotonic`) no other process can have taken a shard over."""

    async def enter(self, shards: int) -> None:
        """Join the processes of the bot. The first one decides how many `shards` there are."""

    async def claim(self) -> int | None:
        """Take a shard that no living process has; None without one."""

    async def lead(self) -> None:
        """Become the leader if no living process is."""

    async def release(self, shard: int) -> None:
        """Let another process take a shard, which this one serves no more."""

    async def identify_wait(self, bucket: int, turn: str) -> float:
        """Take the turn to identify a shard of a bucket, and return 0; or else the seconds until the next turn.

        `turn` names the attempt: it has its turn already where the answer to a former call was lost.
        Nobody waits in a queue: a process that dies meanwhile, or hands the shard over, would keep its place in it.
        """


class SoleProcess:
    """The `Cluster` of a bot whose only process serves all shards, for as long as it lives."""

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
        self.count = self.share = shards

    async def claim(self) -> int | None:
        free = next((number for number in range(self.count) if number not in self.owned_shards), None)
        if free is not None:
            self.owned_shards.append(free)
        return free

    async def lead(self) -> None:
        pass

    async def release(self, shard: int) -> None:
        self.owned_shards.remove(shard)

    async def identify_wait(self, bucket: int, turn: str) -> float:
        now = time.monotonic()
        free_at, taken = self._turns.get(bucket, (now, turn))
        if now < free_at and taken != turn:
            return free_at - now
        self._turns[bucket] = now + IDENTIFY_S, turn
        return 0.0


@dataclass(frozen=True, slots=True)
class NonceTags:
    """The tag of this bot's nonces, drawn at `drawn_at` for all its processes, and the `former` one.

    The former one serves for five minutes more: what the former run may have posted is posted again under its nonce.
    A copy of the database on another machine begins with the same tag, and has another one after that.
    """

    present: str
    former: str
    drawn_at: int

    @classmethod
    def first(cls, now: int) -> "NonceTags":
        """Return those of a bot that has never run before."""
        tag = secrets.token_hex(2)
        return cls(tag, tag, now)

    def renewed(self, now: int) -> "NonceTags":
        """Return those of the next run."""
        return NonceTags(secrets.token_hex(2), self.of(now), now)

    def of(self, now: int) -> str:
        """Return the tag of a new nonce."""
        return self.former if now < self.drawn_at + NONCE_MS else self.present

    def has(self, tag: str, now: int) -> bool:
        """Return whether a nonce that is told now may be this bot's own: some are sent again, and told late."""
        return tag == self.present or (tag == self.former and now < self.drawn_at + 3 * NONCE_MS)


class NonceTagStore(Protocol):
    """Each method raises StoreError when the store could not do its work."""

    async def draw(self, now: int) -> NonceTags:
        """Return the tags of a process that begins: new ones where no other process of the bot runs."""

    async def save_rival(self, at: int) -> None:
        """Save when another bot was last seen with the same token."""

    async def rival_seen_at(self) -> int | None:
        """Return when that was."""
