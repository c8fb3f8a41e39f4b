"""A person who sits at tables of two processes has their data deleted by one of them."""

import asyncio
import time
from pathlib import Path
from random import Random

import asyncpg
import pytest

from bot.ui.lobby.verbs import LobbyVerb
from tests.rig.evidence import postgres_database
from tests.rig.players import Group, Player, offers
from tests.rig.rig import Rig, running
from tests.rig.several import held_by_each
from tests.store.conftest import connected
from tests.store.privacy.test_policy import PERSON

SHARDS = 2
NAMES = ("Léa", "Bruno", "Chloé")


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
async def test_a_person_leaves_the_tables_of_every_process_and_is_deleted(tmp_path: Path) -> None:
    async with (
        postgres_database() as dsn,
        running(tmp_path, NAMES, guilds=SHARDS, shards=SHARDS, database_url=dsn) as rig,
    ):
        for bot in (rig, rig.another("second")):
            await bot.launch()
        await shared(rig, dsn)
        lea = rig.remote.users["Léa"]
        for host, channel in zip(("Bruno", "Chloé"), rig.remote.channels.values(), strict=True):
            await sit_down(rig, host, lea, channel)
        assert await rows(dsn, "seats", "user_id", lea) == 2
        asked = await rig.remote.slash(lea, "kems privacy delete")
        assert "2 tables" in asked.answer.text, "those of both processes"
        began = time.monotonic()
        await rig.remote.press(lea, asked.answer, asked.answer.controls[0].custom_id)
        done = "Vos données sont effacées."
        await rig.remote.until(lambda: any(done in seen.text for seen in rig.remote.seen_by(lea)), done)
        print(f"deleted after {time.monotonic() - began:.1f} s")
        left = {column: await rows(dsn, *column.split("."), lea) for column in sorted(PERSON)}
        assert not any(left.values()), left


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
async def test_a_bot_that_is_killed_in_between_deletes_the_person_with_its_next_start(tmp_path: Path) -> None:
    async with postgres_database() as dsn, running(tmp_path, NAMES, database_url=dsn) as rig:
        await rig.start()
        lea = rig.remote.users["Léa"]
        await sit_down(rig, "Bruno", lea, rig.remote.channel_id)
        asked = await rig.remote.slash(lea, "kems privacy delete")
        async with connected(dsn) as other:
            async with other.transaction():
                await other.execute("LOCK TABLE players IN ACCESS EXCLUSIVE MODE")  # she leaves, and is not erased
                await rig.remote.press(lea, asked.answer, asked.answer.controls[0].custom_id)
                async with asyncio.timeout(60):
                    while await rows(dsn, "seats", "user_id", lea):
                        await asyncio.sleep(0.05)
                await rig.kill()
                await other.execute("UPDATE processes SET expires_at = 0")  # it is known to be dead
            assert await rows(dsn, "pending_erasures", "user_id", lea)
            await rig.start()
            async with asyncio.timeout(60):
                while any([await rows(dsn, *column.split("."), lea) for column in PERSON]):
                    await asyncio.sleep(0.2)


async def shared(rig: Rig, dsn: str) -> None:
    """Each process serves one shard and is connected with it, and there are commands."""
    async with asyncio.timeout(90):
        while await held_by_each(dsn) != [1, 1] or not await rig.remote.served(SHARDS):
            await asyncio.sleep(0.2)


async def sit_down(rig: Rig, host: str, guest: int, channel: int) -> None:
    await rig.remote.slash(rig.remote.users[host], "kems start", channel)
    group = Group(rig.remote, [Player(host, rig.remote.users[host], rig.remote, Random(1))])

    def has_joined() -> bool:
        group.look_around()
        return LobbyVerb.JOIN in offers(group.board(), group.table_id)

    await rig.remote.until(has_joined, f"{host}'s table")
    (join,) = offers(group.board(), group.table_id)[LobbyVerb.JOIN]
    await rig.remote.press(guest, join.message, join.custom_id)


async def rows(dsn: str, table: str, column: str, user: int) -> int:
    connection = await asyncpg.connect(dsn)
    try:
        holds = f"SELECT count(*) FROM {table} WHERE position($1 IN {column}::text) > 0"  # noqa: S608 - our own names
        found: int = await connection.fetchval(holds, str(user))
        return found
    finally:
        await connection.close()
