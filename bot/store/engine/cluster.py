"""Which process of the bot serves which shard of a PostgreSQL database, by leases; see `bot.store.schema.tables`.

A process renews its row in `processes`, its heartbeat. Once the row has expired by the database's clock, any other
process deletes it, and the leases of the dead process are free. A takeover changes the lease's row first; the log is
read after that. Each transaction that writes to a table locks the lease of its shard FOR SHARE and compares owner and
epoch (`fence`): either it is committed before the takeover, or it is refused.

A process also stops by itself: its lease counts from before the heartbeat was sent, by its own clock.

All locks end with their transactions, so a pooler may give each transaction another connection. A process that stands
still in a transaction loses it after `IDLE_MS`.
"""

import asyncio
import math
import secrets
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog
from sqlalchemy import BigInteger, ColumnElement, bindparam, text, true
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.elements import SQLCoreOperations

from bot.base.errors import StoreError
from bot.store.engine.failures import RejectedError, UnavailableError, explain, failures
from bot.tables.cluster import IDENTIFY_S, REQUESTS_A_SECOND, Cluster, Shard

LEASE_S: Final = 5.0
"""How long a process counts as alive after a heartbeat."""
RENEW_S: Final = 1.2
"""Seconds between heartbeats: more than a second, so that a smaller share of requests has taken effect."""
IDLE_MS: Final = 3_000
_ANSWER_S: Final = 2.0
_TRY_AGAIN_S: Final = 0.25
_LEADER: Final = -1
_ENTER_LOCK: Final = int.from_bytes(b"kems in")
_SHARE_LOCK: Final = int.from_bytes(b"kems rq")

_NOW: Final = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
_LIVES: Final = "EXISTS (SELECT 1 FROM processes WHERE id = :me)"
_REAP: Final = text(
    "DELETE FROM processes WHERE id IN"  # noqa: S608 - our own; a stopped process may have its row locked
    f" (SELECT id FROM processes WHERE expires_at < {_NOW} FOR UPDATE SKIP LOCKED)"
)
_SET_SHORT: Final = f"set_config('idle_in_transaction_session_timeout', '{IDLE_MS}', true)"
_SHORT: Final = text(f"SELECT {_SET_SHORT}")
_DURABLE: Final = "set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), true)"
"""Writes for a table wait for the disk, as on SQLite, whatever the server's default is."""
_TRY_LOCK: Final = text("SELECT pg_try_advisory_xact_lock(:key)")
_OTHERS: Final = text(
    "SELECT count(*), coalesce(bool_or(is_exclusive), false) FROM processes"  # noqa: S608 - our own
    f" WHERE expires_at >= {_NOW}"
)
_COUNT: Final = text("SELECT count(*) FROM leases WHERE id >= 0")
_REMOVE_SHARDS: Final = text("DELETE FROM leases WHERE id >= :shards")
_ADD_SHARDS: Final = text(
    "INSERT INTO leases (id, epoch) SELECT id, 0 FROM"
    " generate_series(CAST(:first AS INTEGER), CAST(:last AS INTEGER)) AS id ON CONFLICT DO NOTHING"
)
_ENTER: Final = text(
    "INSERT INTO processes (id, expires_at, is_exclusive, address)"  # noqa: S608 - our own
    f" VALUES (:me, {_NOW} + :life, :is_exclusive, :address)"
)
_RENEW: Final = text(
    f"UPDATE processes SET expires_at = {_NOW} + :life, requests = least(requests, :most)"  # noqa: S608 - our own
    " WHERE id = :me"
    f" RETURNING requests, (SELECT count(*) FROM processes WHERE expires_at >= {_NOW} AND id <> :me) + 1,"
    f" (SELECT count(*) FROM processes WHERE expires_at >= {_NOW} AND id <> :me AND address = :address) + 1,"
    " (SELECT array_agg(user_id) FROM erasures WHERE process = :me AND unreadable_ids IS NULL),"
    " (SELECT array_agg(id) FROM leases WHERE owner = :me AND id >= 0)"
)
_GROW: Final = text(
    "UPDATE processes SET requests = least(:wanted, :total - (SELECT coalesce(sum(requests), 0) FROM processes"
    " WHERE id <> :me)) WHERE id = :me RETURNING requests"
)
_ACQUIRE: Final = text(
    "UPDATE leases SET owner = :me, epoch = epoch + 1 WHERE id ="  # noqa: S608 - our own
    " (SELECT id FROM leases WHERE id BETWEEN :low AND :high"
    " AND id <> ALL(:held) AND NOT EXISTS (SELECT 1 FROM processes WHERE processes.id = leases.owner AND id <> :me)"
    " ORDER BY epoch, id LIMIT 1"
    f" FOR UPDATE SKIP LOCKED) AND {_LIVES} RETURNING id, epoch"
)
"""A lease that this process owns without knowing, since the answer to its acquisition was lost, is free for it.

A shard that could not be taken up comes after the others, for each acquisition has raised its epoch."""
_RELEASE: Final = text("UPDATE leases SET owner = NULL WHERE owner = :me AND id = :id")
_LEAVE: Final = text("DELETE FROM processes WHERE id = :me")
_IDENTIFY: Final = text(
    f"INSERT INTO identifies (bucket, free_at, attempt) VALUES (:bucket, {_NOW} + :spacing, :attempt)"  # noqa: S608 - our own
    f" ON CONFLICT (bucket) DO UPDATE SET free_at = {_NOW} + :spacing, attempt = :attempt"
    f" WHERE identifies.free_at <= {_NOW} OR identifies.attempt = :attempt RETURNING bucket"
)
_NEXT_TURN: Final = text(f"SELECT free_at - {_NOW} FROM identifies WHERE bucket = :bucket")  # noqa: S608 - our own
_OF_TABLES: Final = text(
    f"SELECT tables.id, leases.id AS shard, epoch, {_SET_SHORT}, {_DURABLE} FROM tables"  # noqa: S608 - our own
    " JOIN leases ON leases.id = (tables.guild_id >> 22) % :shards"
    " WHERE tables.id IN :ids AND owner = :me ORDER BY leases.id FOR SHARE OF leases"
).bindparams(bindparam("ids", expanding=True, type_=BigInteger))
_OF_SERVER: Final = text(
    f"SELECT epoch, {_SET_SHORT}, {_DURABLE} FROM leases WHERE id = :shard AND owner = :me FOR SHARE"  # noqa: S608 - our own
)

_log = structlog.get_logger(__name__)


class SqlCluster:
    """`Cluster` in SQL: this process's row in `processes`, new each time it joins, and its leases."""

    def __init__(self, engine: AsyncEngine, where: str, address: str) -> None:
        """Prepare to enter.

        Args:
            engine: For the leases alone: nothing else may delay a heartbeat.
            where: The database's name in sentences.
            address: The address from which this process sends requests to Discord.
        """
        self._engine = engine
        self._where = where
        self._address = address
        self.id = ""
        self.epochs: dict[int, int] = {}
        """The epoch of each lease that this process holds."""
        self.users_to_remove: Collection[int] = ()
        self._stored: Collection[int] = ()
        self.count = 0
        self.requests = 0
        self.neighbours = 1
        self.acts_until = math.inf
        self.is_lost = False
        self._living = 1
        self._renewing: asyncio.Task[None] | None = None

    @property
    def owned_shards(self) -> tuple[int, ...]:
        return tuple(sorted(self.epochs.keys() - {_LEADER}))

    @property
    def unknown(self) -> Collection[int]:
        return set(self._stored) - self.epochs.keys()

    @property
    def share(self) -> int:
        return math.ceil(self.count / self._living)

    @property
    def is_leader(self) -> bool:
        return _LEADER in self.epochs

    def check(self) -> None:
        """Check that no other process may have taken over this one's shards.

        Raises:
            UnavailableError: The lease may have expired.
        """
        if time.monotonic() >= self.acts_until:
            raise UnavailableError(f"This process has lost touch with the database {self._where}: it saves nothing.")

    async def enter(self, shards: int) -> None:
        is_told = False
        while not await self._has_entered(shards):
            if not is_told:
                _log.info("database.waiting", database=self._where, reason="a command has it for itself")
                is_told = True
            await asyncio.sleep(_TRY_AGAIN_S)
        if self.count != shards:
            _log.warning(
                "shards.kept",
                shards=self.count,
                discord_advises=shards,
                advice="other processes run with that number: stop all of them to change it",
            )

    async def take_alone(self) -> bool:
        """Keep all other processes out if none has entered; return whether this one has the database for itself."""
        return self._renewing is not None or await self._has_entered(0, is_exclusive=True)

    async def acquire_lease(self) -> int | None:
        return await self._acquire_lease(0, self.count)

    async def lead(self) -> None:
        if not self.is_leader:
            await self._acquire_lease(_LEADER, _LEADER)

    async def release_lease(self, shard: int) -> None:
        async with self._transaction() as connection:
            await connection.execute(_RELEASE, {"me": self.id, "id": shard})
        self.epochs.pop(shard, None)

    async def identify_wait(self, bucket: int, attempt: str) -> float:
        async with self._transaction() as connection:
            wanted = {"bucket": bucket, "spacing": int(IDENTIFY_S * 1000), "attempt": attempt}
            if await connection.scalar(_IDENTIFY, wanted) is not None:
                return 0.0
            return max(1, await connection.scalar(_NEXT_TURN, {"bucket": bucket}) or 0) / 1000

    async def fence(self, connection: AsyncConnection, tables: Collection[int], server: int | None = None) -> None:
        """Lock the shards of tables, or of a server, until the transaction ends: a takeover waits for it.

        Raises:
            RejectedError: Another process serves one of them, or there is no such table.
        """
        if not self.count:
            return
        if tables:
            found = await connection.execute(_OF_TABLES, {"ids": list(tables), "me": self.id, "shards": self.count})
            if {row.id for row in found if self.epochs.get(row.shard) == row.epoch} != set(tables):
                raise RejectedError(
                    "Another process of the bot has taken this table over: this one saves nothing there."
                )
        if server is not None:
            shard = Shard.of(server, self.count).number
            epoch = await connection.scalar(_OF_SERVER, {"shard": shard, "me": self.id})
            if epoch is None or epoch != self.epochs.get(shard):
                raise RejectedError(
                    "Another process of the bot has taken this server over: this one saves nothing there."
                )

    async def close(self) -> None:
        """Release all leases at once; those that cannot be released expire."""
        await self._stop_renewing()
        if self.id and not self.is_lost:
            with suppress(*failures(), StoreError):
                async with asyncio.timeout(1), self._transaction() as connection:
                    await connection.execute(_LEAVE, {"me": self.id})
        self.id = ""
        self.epochs.clear()
        await self._engine.dispose()

    async def _has_entered(self, shards: int, *, is_exclusive: bool = False) -> bool:
        await self._stop_renewing()
        sent, me = time.monotonic(), secrets.token_hex(8)
        async with self._transaction() as connection:
            if not await connection.scalar(_TRY_LOCK, {"key": _ENTER_LOCK}):
                return False
            await connection.execute(_REAP)
            others, is_closed = (await connection.execute(_OTHERS)).one()
            if is_closed or (others and is_exclusive):
                return False
            if not others and not is_exclusive:
                await connection.execute(_REMOVE_SHARDS, {"shards": shards})
                await connection.execute(_ADD_SHARDS, {"first": _LEADER, "last": shards - 1})
            await connection.execute(
                _ENTER, {"me": me, "life": int(LEASE_S * 1000), "is_exclusive": is_exclusive, "address": self._address}
            )
            count = await connection.scalar(_COUNT)
        self.id, self.count, self._living, self.requests = me, 0 if is_exclusive else count or 0, others + 1, 0
        self.neighbours = self._living  # until the first renewal tells who has the same address
        self.epochs.clear()
        self._stored = ()
        self.is_lost, self.acts_until = False, sent + LEASE_S
        self._renewing = asyncio.create_task(self._keep_renewing())
        if not is_exclusive:
            with suppress(StoreError):  # a renewal asks again
                await self._grow()
        return True

    async def _acquire_lease(self, low: int, high: int) -> int | None:
        async with self._transaction() as connection:
            await connection.execute(_REAP)
            wanted = {"me": self.id, "low": low, "high": high, "held": [*self.epochs]}
            row = (await connection.execute(_ACQUIRE, wanted)).one_or_none()
        if row is None:
            return None
        self.epochs[row.id] = row.epoch
        return int(row.id)

    async def _keep_renewing(self) -> None:
        pause = RENEW_S
        while not self.is_lost:
            await asyncio.sleep(pause)
            pause = _TRY_AGAIN_S
            with suppress(*failures(), StoreError):
                async with asyncio.timeout(_ANSWER_S):
                    await self._renew_leases()
                pause = RENEW_S

    async def _renew_leases(self) -> None:
        sent = time.monotonic()
        renewal = {"me": self.id, "life": int(LEASE_S * 1000), "most": self.requests, "address": self._address}
        async with self._transaction() as connection:
            row = (await connection.execute(_RENEW, renewal)).one_or_none()
            if row is None:
                _log.error("process.replaced", database=self._where, reason="it did not renew its leases in time")
                self.is_lost, self.acts_until = True, 0.0
                return
            await connection.execute(_REAP)
        self.acts_until = sent + LEASE_S
        confirmed, self._living, self.neighbours, requested, stored = row
        self.users_to_remove, self._stored = requested or (), stored or ()
        part = REQUESTS_A_SECOND // self._living
        self.requests = min(confirmed, part)  # sends fewer from now on; the row says so with the next renewal
        if part > confirmed:
            await self._grow()

    async def _grow(self) -> None:
        """Take the share of requests that other processes have confirmed to leave."""
        part = {"me": self.id, "wanted": REQUESTS_A_SECOND // self._living, "total": REQUESTS_A_SECOND}
        async with self._transaction() as connection:
            if await connection.scalar(_TRY_LOCK, {"key": _SHARE_LOCK}):
                self.requests = await connection.scalar(_GROW, part) or 0

    async def _stop_renewing(self) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.wait({self._renewing})
            self._renewing = None

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.begin() as connection:
                await connection.execute(_SHORT)
                yield connection
        except failures() as error:
            raise explain(error, self._where) from error


def is_served(cluster: Cluster, guild_id: SQLCoreOperations[int]) -> ColumnElement[bool]:
    """Return the SQL condition that this process serves a row's server."""
    return ((guild_id // (1 << 22)) % cluster.count).in_(cluster.owned_shards) if cluster.count else true()
