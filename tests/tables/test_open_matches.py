"""Matches of hidden channels are hidden: each server's, and again until that is saved."""

import asyncio
from collections.abc import Collection
from typing import Any, cast

from bot.base.errors import StoreError
from bot.tables.cluster import Shard
from bot.tables.hub import OpenChannels
from bot.tables.open_matches import RETRY_MS, OpenMatches
from tests.tables.virtual import LoopClock, in_virtual_time


class Tables:
    """Refuses what is about `broken`."""

    def __init__(self, broken: int) -> None:
        self.broken = broken
        self.kept: list[tuple[int, Collection[int], int | None]] = []

    async def save_open_channels(self, guild_id: int, channel_ids: Collection[int], gone_thread_id: int | None) -> None:
        if guild_id == self.broken:
            raise StoreError("full")
        self.kept.append((guild_id, channel_ids, gone_thread_id))


@in_virtual_time
async def test_a_server_that_fails_does_not_delay_others_and_is_retried() -> None:
    tables = Tables(broken=1)
    matches = OpenMatches(LoopClock(), cast(Any, tables))
    for guild_id in (1, 2):
        matches.changed(OpenChannels(guild_id, [7]))
    matches.start()
    await asyncio.sleep(1)
    assert tables.kept == [(2, [7], None)]
    matches.changed(OpenChannels(1, [7], 9))
    matches.changed(OpenChannels(1, []))
    tables.broken = 0
    await asyncio.sleep(RETRY_MS / 1000)
    assert tables.kept[1:] == [(1, [], None), (1, [7], 9)], "the newest of what is not saved"


@in_virtual_time
async def test_servers_that_another_process_serves_are_left_to_it() -> None:
    tables = Tables(broken=1)
    matches = OpenMatches(LoopClock(), cast(Any, tables))
    matches.start()
    matches.changed(OpenChannels(1, []))
    await asyncio.sleep(1)
    await matches.release(Shard(0, 1).has)
    tables.broken = 0
    await asyncio.sleep(RETRY_MS / 1000)
    assert tables.kept == []
