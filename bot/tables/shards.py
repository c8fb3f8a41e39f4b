"""Shards: Discord sends the events of each server to one of them, and one process of the bot serves it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Protocol


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `count` shards. Source: https://discord.com/developers/docs/events/gateway#sharding"""

    number: int
    count: int

    def has(self, guild_id: int) -> bool:
        """Whether the servers of this shard include that one."""
        return (guild_id >> 22) % self.count == self.number


ALL: Final = Shard(0, 1)
"""The only shard of a bot that needs no more."""


class ShardLeases(Protocol):
    """Which shards this process serves. Every `async` method raises StoreError when the store could not do its work."""

    @property
    def count(self) -> int:
        """How many shards the bot has; known after `enter`."""

    @property
    def held(self) -> Collection[int]:
        """The shards that this process serves."""

    @property
    def share(self) -> int:
        """How many shards are this process's part among the processes that live."""

    @property
    def requests(self) -> int:
        """How many requests a second this process may send to Discord with the bot's token."""

    @property
    def asked_to_let_go(self) -> Collection[int]:
        """The users whom another process asks this one to let leave all tables (`bot.tables.erasure`)."""

    @property
    def is_leader(self) -> bool:
        """Whether this process does the work that one does for all."""

    @property
    def is_lost(self) -> bool:
        """Whether others have taken everything over from this process; `enter` begins again."""

    def may_act(self) -> bool:
        """Whether no other process can have taken a shard over by now, by this process's own clock."""

    async def enter(self, shards: int) -> None:
        """Join the processes of the bot. The first one decides how many `shards` there are."""

    async def claim(self) -> int | None:
        """Take a shard that no living process has; None if there is none."""

    async def lead(self) -> None:
        """Become the leader if no living process is."""

    async def release(self, shard: int) -> None:
        """Let another process take a shard, which this one serves no more."""

    async def identify_wait(self, bucket: int) -> float:
        """Take the next turn to identify a shard of a bucket; the seconds until then."""
