"""What servers have chosen, one change at a time; and digests of commands, for each application and server."""

import asyncio
from dataclasses import replace

from bot.store.engine.database import Database
from bot.store.tables.servers import SqlCommandDigests, SqlServerStore
from bot.tables.lobby.options import Absence
from bot.tables.server_settings import ServerSettings
from tests.store.conftest import opened
from tests.store.matches import BIG

CHOSEN = ServerSettings(
    "en", (BIG + 1, BIG + 2), BIG + 3, BIG + 4, Absence.WAIT, 0, 90, 1_800_000_000_000, 8, 1_800_000_000_001
)


async def test_a_server_has_the_defaults_until_it_chooses(address: str) -> None:
    async with opened(address) as database:
        servers = SqlServerStore(database)
        assert await servers.read(BIG) == ServerSettings()
        assert await servers.change(BIG, lambda _: CHOSEN) == CHOSEN
        assert await servers.change(BIG, lambda before: replace(before, language=None)) == replace(
            CHOSEN, language=None
        )
    async with opened(address) as database:
        assert await SqlServerStore(database).read(BIG) == replace(CHOSEN, language=None)
        assert await SqlServerStore(database).read(BIG + 1) == ServerSettings()


async def test_changes_at_the_same_time_are_all_kept(database: Database) -> None:
    servers = SqlServerStore(database)
    await asyncio.gather(
        servers.change(1, lambda before: replace(before, language="fr")),
        servers.change(1, lambda before: replace(before, podium_channel=7)),
        servers.change(1, lambda before: replace(before, champion_role=8)),
        servers.change(2, lambda before: replace(before, absence=Absence.END)),
    )
    assert await servers.read(1) == ServerSettings(language="fr", podium_channel=7, champion_role=8)
    assert await servers.read(2) == ServerSettings(absence=Absence.END)


async def test_each_application_and_server_has_its_own_digest(address: str) -> None:
    async with opened(address) as database:
        digests = SqlCommandDigests(database)
        assert await digests.read(BIG, 0) is None
        for application_id, guild_id, digest in ((BIG, 0, "a" * 64), (BIG, BIG + 1, "b"), (BIG + 2, 0, "c")):
            await digests.save(application_id, guild_id, digest)
        await digests.save(BIG, 0, "d" * 64)
    async with opened(address) as database:
        digests = SqlCommandDigests(database)
        keys = ((BIG, 0), (BIG, BIG + 1), (BIG + 2, 0), (BIG + 2, 1))
        assert [await digests.read(*key) for key in keys] == ["d" * 64, "b", "c", None]
