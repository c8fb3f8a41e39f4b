"""Everything on a database that belongs to one process: a SQLite file, which a lock on it keeps from all others."""

import time
from typing import Final

from bot.tables.shards import ShardLeases

IDENTIFY_S: Final = 5.2
"""Seconds between two identifies of a bucket, where Discord asks for five; connecting takes now more, now less.
https://discord.com/developers/docs/events/gateway#rate-limits"""
REQUESTS_A_SECOND: Final = 45
"""What is planned of Discord's 50 for the whole bot: a few requests go by no budget, such as the roles of champions."""


class SoleProcess(ShardLeases):
    """It serves all shards, for as long as it lives."""

    is_leader: Final = True
    is_lost: Final = False
    requests: Final = REQUESTS_A_SECOND
    asked_to_let_go: Final = ()

    def __init__(self) -> None:
        self._count = 0
        self._held: list[int] = []
        self._free_at: dict[int, float] = {}

    @property
    def count(self) -> int:
        return self._count

    @property
    def held(self) -> tuple[int, ...]:
        return tuple(self._held)

    @property
    def share(self) -> int:
        return self._count

    def may_act(self) -> bool:
        return True

    async def enter(self, shards: int) -> None:
        self._count = shards

    async def claim(self) -> int | None:
        free = next((number for number in range(self._count) if number not in self._held), None)
        if free is not None:
            self._held.append(free)
        return free

    async def lead(self) -> None:
        pass

    async def release(self, shard: int) -> None:
        self._held.remove(shard)

    async def identify_wait(self, bucket: int) -> float:
        now = time.monotonic()
        turn = max(now, self._free_at.get(bucket, now))
        self._free_at[bucket] = turn + IDENTIFY_S
        return turn - now

    async def close(self) -> None:
        """Nobody else waits."""
