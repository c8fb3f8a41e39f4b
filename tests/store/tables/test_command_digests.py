"""Digests of commands are kept for each application and server."""

from __future__ import annotations

from bot.store.tables.command_digests import SqlCommandDigests
from tests.store.conftest import opened
from tests.store.matches import BIG


async def test_each_application_and_server_has_its_own(address: str) -> None:
    async with opened(address) as database:
        digests = SqlCommandDigests(database)
        assert await digests.read(BIG, 0) is None
        await digests.save(BIG, 0, "a" * 64)
        await digests.save(BIG, BIG + 1, "b")
        await digests.save(BIG + 2, 0, "c")
        await digests.save(BIG, 0, "d" * 64)
    async with opened(address) as database:
        digests = SqlCommandDigests(database)
        keys = ((BIG, 0), (BIG, BIG + 1), (BIG + 2, 0), (BIG + 2, 1))
        assert [await digests.read(*key) for key in keys] == ["d" * 64, "b", "c", None]
