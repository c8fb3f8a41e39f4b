"""Processes that share the shards of a bot on PostgreSQL: each saves what it holds, and nothing that it has lost.

A process that erases somebody waits for the others, and for no process that is gone.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

import pytest
from sqlalchemy import select, text

from bot.base.errors import StoreError
from bot.game.events import HuntOpened
from bot.nights.night import Night
from bot.store.engine import cluster as module
from bot.store.engine.cluster import IDLE_MS, RENEW_S, SqlCluster
from bot.store.engine.database import Database
from bot.store.nights import SqlNightStore
from bot.store.privacy import SqlOtherProcesses
from bot.store.schema.tables import ErasureRow
from bot.store.tables.journal import SqlJournal
from bot.store.tables.nonce_tags import SqlNonceTagStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.cluster import IDENTIFY_S, NONCE_MS, REQUESTS_A_SECOND, Shard
from tests.store.conftest import opened, scalars
from tests.store.engine.proxy import CutAt, Proxy
from tests.store.matches import lobby
from tests.tables.nights.evening import planned

pytestmark = pytest.mark.parametrize("backend", ["postgres"])

SHARDS = 4
TAKEN_OVER = "Another process of the bot has taken this table over"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEASE_S", 30.0)
    monkeypatch.setattr(module, "RENEW_S", 0.1)


@asynccontextmanager
async def processes(address: str, count: int = 2) -> AsyncIterator[list[tuple[Database, SqlCluster]]]:
    """So many processes that have entered, one after the other."""
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(count):
            database = await stack.enter_async_context(opened(address))
            await database.cluster.enter(SHARDS)
            found.append((database, database.cluster))
        yield found


async def stand_still(leases: SqlCluster) -> None:
    """Renew nothing, and let the row expire."""
    leases._renewing.cancel()
    async with leases._engine.begin() as connection:
        await connection.execute(text("UPDATE processes SET expires_at = 0 WHERE id = :me"), {"me": leases.id})


async def claimed(leases: SqlCluster) -> list[int]:
    """All shards that are free."""
    found = []
    while (shard := await leases.acquire_lease()) is not None:
        found.append(shard)
    return found


async def table_on(database: Database, shard: int) -> int:
    guild_id = (7 * SHARDS + shard) << 22
    assert Shard(shard, SHARDS).has(guild_id)
    opening = lobby()
    return await SqlTableStore(database).create(replace(opening, place=replace(opening.place, guild_id=guild_id)))


async def until(leases: SqlCluster, share: int) -> None:
    async with asyncio.timeout(60):
        while leases.share != share:
            await asyncio.sleep(0.05)


@pytest.mark.usefixtures("quick")
async def test_each_shard_has_one_owner_and_one_process_leads(address: str) -> None:
    async with processes(address) as [(_, first), (_, second)]:
        assert (second.count, second.share) == (SHARDS, SHARDS // 2)
        assert [await first.acquire_lease(), await second.acquire_lease(), *await claimed(first)] == [0, 1, 2, 3]
        assert await second.acquire_lease() is None
        await until(first, SHARDS // 2)
        await first.release_lease(3)
        assert await second.acquire_lease() == 3
        assert (first.owned_shards, second.owned_shards) == ((0, 2), (1, 3))
        await first.lead()
        await second.lead()
        assert (first.is_leader, second.is_leader) == (True, False)


async def test_a_shard_that_cannot_be_read_does_not_delay_others(address: str) -> None:
    async with processes(address, 1) as [(_, first)]:
        for shard in (0, 1):
            assert await first.acquire_lease() == shard
            await first.release_lease(shard)
        assert await claimed(first) == [2, 3, 0, 1]


@pytest.mark.usefixtures("quick")
async def test_a_process_that_leaves_is_replaced_at_once(address: str) -> None:
    async with processes(address) as [(leaving, first), (_, second)]:
        await claimed(first)
        await first.lead()
        await leaving.close()
        assert await claimed(second) == [0, 1, 2, 3]
        await second.lead()
        assert second.is_leader
        await until(second, SHARDS)


async def test_a_process_that_was_replaced_saves_nothing_more_and_joins_again(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with processes(address) as [(old, first), (new, second)]:
        await claimed(first)
        table_id = await table_on(old, 1)
        await SqlJournal(old).append(table_id, 1, (HuntOpened(1),), None)
        night = await SqlNightStore(old).create(Night(0, (7 * SHARDS + 1) << 22, 0, 900, "fr", planned(), seed=7))
        await stand_still(first)
        assert await claimed(second) == [0, 1, 2, 3]
        with pytest.raises(StoreError, match=TAKEN_OVER):
            await SqlJournal(old).append(table_id, 2, (HuntOpened(2),), None)
        with pytest.raises(StoreError, match=TAKEN_OVER):
            await SqlTableStore(old).cancel_damaged(table_id)
        with pytest.raises(StoreError, match="has taken this server over"):
            await table_on(old, 1)
        with pytest.raises(StoreError, match="has taken this server over"):
            await SqlNightStore(old).save(replace(night, version=1))
        await SqlNightStore(new).save(replace(night, version=1))
        await SqlJournal(new).append(table_id, 2, (HuntOpened(3),), None)
        assert not first.is_lost
        await first._renew_leases()
        assert first.is_lost
        assert time.monotonic() >= first.acts_until
        await first.enter(SHARDS)
        assert (first.is_lost, first.owned_shards) == (False, ())
        assert time.monotonic() < first.acts_until
        with pytest.raises(StoreError, match=TAKEN_OVER):
            await SqlJournal(old).append(table_id, 3, (HuntOpened(4),), None)


async def test_losing_a_shard_affects_only_its_own_tables(address: str) -> None:
    async with processes(address) as [(database, first), (_, second)]:
        await claimed(first)
        lost, kept = await table_on(database, 2), await table_on(database, 3)
        async with database.engine.begin() as connection:
            await connection.execute(text("UPDATE leases SET owner = NULL WHERE id = 2"))
        assert await second.acquire_lease() == 2
        journal = SqlJournal(database)
        appends = (journal.append(table_id, 1, (HuntOpened(1),), None) for table_id in (lost, kept))
        refused, saved = await asyncio.gather(*appends, return_exceptions=True)
        assert TAKEN_OVER in str(refused)
        assert saved is None


async def test_a_shard_acquired_again_has_a_new_lease(address: str) -> None:
    """Its tables are those of an earlier claim until they are read again."""
    async with processes(address) as [(database, first), (_, second)]:
        await claimed(first)
        table_id, before = await table_on(database, 0), first.epochs[0]
        async with database.engine.begin() as connection:
            await connection.execute(text("UPDATE leases SET epoch = epoch + 2 WHERE id = 0"))
        with pytest.raises(StoreError, match=TAKEN_OVER):
            await SqlJournal(database).append(table_id, 1, (HuntOpened(1),), None)
        await first.release_lease(0)
        assert await second.acquire_lease() == 0
        assert second.epochs[0] == before + 3


async def test_writes_for_a_table_are_synchronous_whatever_the_server_setting(address: str) -> None:
    async with processes(address, 1) as [(database, first)]:
        await claimed(first)
        table_id = await table_on(database, 0)
        setting = text("SHOW synchronous_commit")
        async with database.transaction() as session:
            assert await session.scalar(setting) == "off"
        async with database.transaction(tables=(table_id,)) as session:
            assert await session.scalar(setting) == "on"
        async with database.transaction(server=SHARDS << 22) as session:
            assert await session.scalar(setting) == "on"


async def test_nobody_takes_over_between_the_check_and_the_commit_of_an_append(address: str) -> None:
    async with processes(address) as [(database, first), (_, second)]:
        await claimed(first)
        table_id = await table_on(database, 0)
        async with database.transaction(tables=(table_id,)):
            await stand_still(first)
            assert await claimed(second) == [1, 2, 3]
        assert await claimed(second) == [0]


async def test_a_write_after_a_lease_has_expired_is_read_by_the_next_owner_or_refused(address: str) -> None:
    """Its row may be gone while it believes to live; its tables are its own until somebody takes them over."""
    async with processes(address) as [(database, first), (other, second)]:
        await claimed(first)
        table_id = await table_on(database, 0)
        await stand_still(first)
        await second._renew_leases()
        assert await scalars(database, "SELECT id FROM processes") == [second.id]
        await SqlJournal(database).append(table_id, 1, (HuntOpened(1),), None)
        assert await claimed(second) == [0, 1, 2, 3]
        assert [entry.event for entry in await SqlJournal(other).read(table_id, 1)] == [HuntOpened(1)]
        with pytest.raises(StoreError, match=TAKEN_OVER):
            await SqlJournal(database).append(table_id, 2, (HuntOpened(2),), None)


async def test_a_process_that_hangs_in_a_transaction_loses_the_transaction(address: str) -> None:
    async with processes(address) as [(database, first), (_, second)]:
        await claimed(first)
        table_id = await table_on(database, 0)

        async def append() -> None:
            async with database.transaction(tables=(table_id,)):
                await stand_still(first)
                await asyncio.sleep(IDLE_MS / 1000 + 0.5)
                assert await claimed(second) == [0, 1, 2, 3]

        with pytest.raises(StoreError):
            await append()


async def test_a_process_stops_by_its_own_clock_before_others_take_over(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEASE_S", 2.0)
    monkeypatch.setattr(module, "RENEW_S", 60.0)
    async with processes(address, 1) as [(database, first)]:
        await claimed(first)
        assert time.monotonic() < first.acts_until
        await asyncio.sleep(2.05)
        assert time.monotonic() >= first.acts_until
        with pytest.raises(StoreError, match="has lost touch with the database"):
            await table_on(database, 0)
        await first._renew_leases()  # nobody has replaced it meanwhile
        assert time.monotonic() < first.acts_until
        await table_on(database, 0)


@pytest.mark.usefixtures("quick")
async def test_the_number_of_shards_changes_once_nobody_is_left(address: str) -> None:
    async with opened(address) as other:
        async with processes(address, 1):
            await other.cluster.enter(2)
            assert other.cluster.count == SHARDS
            await other.cluster.close()
        await other.cluster.enter(2)
        assert (other.cluster.count, await claimed(other.cluster)) == (2, [0, 1])


async def test_a_claim_whose_answer_was_lost_is_made_again(address: str) -> None:
    async with Proxy.to(address) as proxy, opened(proxy.address) as database:
        await database.cluster.enter(SHARDS)
        for take in (database.cluster.acquire_lease, database.cluster.lead):
            proxy.cut_at(CutAt.AFTER_COMMIT)
            with pytest.raises(StoreError):
                await take()
            await take()
        assert database.cluster.is_leader
        assert [*database.cluster.owned_shards, *await claimed(database.cluster)] == [1, 2, 3, 0]


async def test_a_lease_whose_answer_was_lost_is_released_unless_it_is_claimed_again(address: str) -> None:
    """The process's share is smaller by then, and nobody else may take what a living process holds."""
    async with Proxy.to(address) as proxy, opened(proxy.address) as database, opened(address) as other:
        for one in (database, other):
            await one.cluster.enter(SHARDS)
        assert await database.cluster.acquire_lease() == 0
        proxy.cut_at(CutAt.AFTER_COMMIT)
        with pytest.raises(StoreError):
            await database.cluster.acquire_lease()
        assert await claimed(other.cluster) == [2, 3]
        await database.cluster._renew_leases()
        assert database.cluster.unknown == {1}
        await database.cluster.release_lease(1)
        assert await other.cluster.acquire_lease() == 1
        assert database.cluster.owned_shards == (0,)
        await database.cluster._renew_leases()
        assert not database.cluster.unknown


@pytest.mark.usefixtures("quick")
async def test_a_process_renews_its_leases_even_when_its_share_of_requests_was_not_saved(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Proxy.to(address) as proxy, opened(proxy.address) as database:
        grow = database.cluster._grow

        async def cut_off() -> None:
            monkeypatch.setattr(database.cluster, "_grow", grow)
            proxy.cut_at(CutAt.BEFORE_COMMIT)
            await grow()

        monkeypatch.setattr(database.cluster, "_grow", cut_off)
        await database.cluster.enter(SHARDS)
        async with asyncio.timeout(60):
            while database.cluster.requests != REQUESTS_A_SECOND:
                await asyncio.sleep(0.02)


async def test_a_renewal_that_fails_is_tried_again_before_the_next_one_is_due(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(address) as database:
        await database.cluster.enter(SHARDS)
        leases = database.cluster
        leases._renewing.cancel()
        pauses: list[float] = []
        answers = [StoreError("It is busy."), TimeoutError(), None, None]

        async def renew() -> None:
            answer = answers.pop(0)
            leases.is_lost = not answers
            if answer is not None:
                raise answer

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)

        with monkeypatch.context() as patched:
            patched.setattr(leases, "_renew_leases", renew)
            patched.setattr("asyncio.sleep", sleep)
            await leases._keep_renewing()
        assert pauses == [RENEW_S, 0.25, 0.25, RENEW_S]


async def test_identifies_are_spaced_over_all_processes(address: str) -> None:
    async with processes(address) as [(database, first), (_, second)]:
        turns = ((first, "a"), (second, "b"), (first, "c"))
        waits = [await process.identify_wait(0, turn) for process, turn in turns]
        assert waits == pytest.approx([0, IDENTIFY_S, IDENTIFY_S], abs=0.5), "nobody keeps a place in a queue"
        assert await second.identify_wait(1, "d") == 0
        async with database.engine.begin() as connection:
            await connection.execute(text("UPDATE identifies SET free_at = free_at - 5200 WHERE bucket = 0"))
        assert [await second.identify_wait(0, "b") > 0, await first.identify_wait(0, "c") > 0] == [False, True]


async def test_an_identify_whose_response_was_lost_does_not_wait_again(address: str) -> None:
    async with Proxy.to(address) as proxy, opened(proxy.address) as database, opened(address) as other:
        await database.cluster.enter(SHARDS)
        await other.cluster.enter(SHARDS)
        database.cluster._renewing.cancel()
        proxy.cut_at(CutAt.AFTER_COMMIT)
        with pytest.raises(StoreError):
            await database.cluster.identify_wait(0, "a")
        assert await other.cluster.identify_wait(0, "b") == pytest.approx(IDENTIFY_S, abs=0.5)
        assert await database.cluster.identify_wait(0, "a") == 0
        assert await database.cluster.identify_wait(0, "c") == pytest.approx(IDENTIFY_S, abs=0.5)


async def test_the_shares_of_requests_never_exceed_the_whole(address: str) -> None:
    async with processes(address, 1) as [(database, first)]:
        assert first.requests == REQUESTS_A_SECOND
        async with processes(address, 1) as [(_, second)]:
            assert second.requests == 0, "the first has not confirmed yet that it sends less"
            await first._renew_leases()
            assert first.requests == REQUESTS_A_SECOND // 2
            await second._renew_leases()
            assert second.requests == 0, "what was sent in the last second counts"
            await first._renew_leases()
            await second._renew_leases()
            assert first.requests == second.requests == REQUESTS_A_SECOND // 2
        await first._renew_leases()
        assert first.requests == REQUESTS_A_SECOND
        assert await scalars(database, "SELECT sum(requests) FROM processes") == [REQUESTS_A_SECOND]


async def test_a_command_that_needs_the_database_alone_fails_while_a_process_runs_and_delays_new_ones(
    address: str,
) -> None:
    async with opened(address) as command:
        async with processes(address, 1):
            with pytest.raises(StoreError, match="is used by another bot"):
                await command.lock()
        await command.lock()
        async with opened(address) as other:
            entering = asyncio.create_task(other.cluster.enter(SHARDS))
            await asyncio.sleep(0.6)
            assert not entering.done()
            await command.close()
            await asyncio.wait_for(entering, 60)


SOMEBODY = 1 << 60


async def rows(database: Database) -> list[int]:
    return await scalars(database, select(ErasureRow.user_id))


async def test_a_process_learns_of_an_erasure_with_its_heartbeat_and_its_answer_is_awaited(address: str) -> None:
    async with processes(address) as [(asking, first), (asked, second)]:
        await first.acquire_lease()
        await second.acquire_lease()
        others = SqlOtherProcesses(asking)
        assert await others.ask(SOMEBODY)
        answers = asyncio.ensure_future(others.answers(SOMEBODY))
        await first._renew_leases()
        await second._renew_leases()
        assert (first.users_to_remove, second.users_to_remove) == ((), [SOMEBODY])
        assert not answers.done()
        await SqlOtherProcesses(asked).answer(SOMEBODY, [3, 5])
        assert await answers == {3, 5}
        await second._renew_leases()
        assert second.users_to_remove == ()
        assert await rows(asking) == []


async def test_a_process_without_a_shard_is_not_asked(address: str) -> None:
    async with processes(address) as [(asking, first), (_, second)]:
        await first.acquire_lease()
        assert not await SqlOtherProcesses(asking).ask(SOMEBODY)
        await second._renew_leases()
        assert second.users_to_remove == ()


async def test_the_answer_of_a_dead_process_is_not_awaited(address: str) -> None:
    async with processes(address) as [(asking, first), (_, second)]:
        await first.acquire_lease()
        await second.acquire_lease()
        others = SqlOtherProcesses(asking)
        assert await others.ask(SOMEBODY)
        answers = asyncio.ensure_future(others.answers(SOMEBODY))
        await stand_still(second)
        await first._renew_leases()  # it removes the processes that have expired
        assert await answers == set()
        assert not await others.ask(SOMEBODY)


async def test_no_person_is_erased_while_a_process_does_not_answer(address: str) -> None:
    async with processes(address) as [(asking, first), (_, second)]:
        await first.acquire_lease()
        await second.acquire_lease()
        others = SqlOtherProcesses(asking, answer_s=0.3)
        await others.ask(SOMEBODY)
        with pytest.raises(StoreError, match="does not answer"):
            await others.answers(SOMEBODY)
        assert await rows(asking) == [], "nobody is asked for a person who was not erased"
        assert await scalars(asking, "SELECT count(*) FROM processes") == [2]


async def test_processes_share_a_tag_that_the_first_one_draws(address: str) -> None:
    async with processes(address, 1) as [(first, _)]:
        former = await SqlNonceTagStore(first).draw(0)
    async with processes(address, 1) as [(first, _)]:
        drawn = await SqlNonceTagStore(first).draw(NONCE_MS)
        async with processes(address, 1) as [(second, _)]:
            assert await SqlNonceTagStore(second).draw(NONCE_MS + 1) == drawn
            assert await SqlNonceTagStore(first).draw(NONCE_MS + 2) == drawn, "a further shard"
    assert drawn.former == former.present != drawn.present
