"""The one row of PostgreSQL that says which bot may write; see `bot.store.schema.lease`.

Its holder renews it. Another bot takes it once it has expired by the database's clock, and then the former holder's
appends are refused: each holds the row as it was. `epoch` is a key, so that an append, which takes the row FOR KEY
SHARE, keeps a change of owner waiting and lets renewals through.
"""

import asyncio
from contextlib import suppress
from typing import Final

import structlog
from sqlalchemy import CursorResult, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession

from bot.store.engine.failures import FAILURES, UnavailableError

LEASE_S: Final = 10.0
RENEW_S: Final = 3.0

_NOW: Final = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
_MINE: Final = "id = 1 AND owner = :owner AND epoch = :epoch"
_TAKE: Final = text(
    f"INSERT INTO leases (id, owner, epoch, expires_at) VALUES (1, :owner, 1, {_NOW} + :life)"  # noqa: S608 - our own
    " ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, epoch = leases.epoch + 1, expires_at = excluded.expires_at"
    f" WHERE leases.expires_at < {_NOW} RETURNING epoch"
)
_RENEW: Final = text(f"UPDATE leases SET expires_at = {_NOW} + :life WHERE {_MINE}")  # noqa: S608 - our own
_RELEASE: Final = text(f"UPDATE leases SET expires_at = 0 WHERE {_MINE}")  # noqa: S608 - our own
_LOOK: Final = f"SELECT 1 FROM leases WHERE {_MINE}"  # noqa: S608 - our own
_CHECK: Final = text(_LOOK)
_FENCE: Final = text(_LOOK + " FOR KEY SHARE")
_IS_HELD: Final = text(f"SELECT 1 FROM leases WHERE expires_at >= {_NOW}")  # noqa: S608 - our own
_EXISTS: Final = text("SELECT to_regclass('leases') IS NOT NULL")

_log = structlog.get_logger(__name__)


class Lease:
    """`lost` is set once another bot has taken the database over."""

    def __init__(self, engine: AsyncEngine, owner: str, where: str) -> None:
        """`where` is the database's name in sentences."""
        self._engine = engine
        self._owner = owner
        self._where = where
        self._epoch: int | None = None
        self._renewing: asyncio.Task[None] | None = None
        self.lost: Final = asyncio.Event()

    async def take(self) -> bool:
        """Take the row, and keep it from now on. Returns whether this bot has it now."""
        if self._epoch is None:
            async with self._engine.begin() as connection:
                self._epoch = await connection.scalar(_TAKE, {"owner": self._owner, "life": int(LEASE_S * 1000)})
            if self._epoch is not None:
                self._renewing = asyncio.create_task(self._keep_renewing())
        return self._epoch is not None

    async def check(self, session: AsyncSession | AsyncConnection, *, fenced: bool) -> None:
        """Look whether this bot still has the row, if it has taken it; `fenced`: it keeps it until the commit.

        Raises:
            UnavailableError: another bot has taken the database over.
        """
        if self._epoch is None:
            return
        found = None if self.lost.is_set() else await session.scalar(_FENCE if fenced else _CHECK, self._mine)
        if found is None:
            self.lost.set()
            raise UnavailableError(self.taken_over)

    async def release(self) -> None:
        """Let another bot take the row at once. What fails is left to its expiry."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.wait({self._renewing})
            self._renewing = None
        if self._epoch is not None and not self.lost.is_set():
            with suppress(*FAILURES):
                async with asyncio.timeout(1), self._engine.begin() as connection:
                    await connection.execute(_RELEASE, self._mine)

    @property
    def taken_over(self) -> str:
        """What a bot says that has lost the row."""
        return f"Another bot has taken the database {self._where} over: this one has stopped, and saves nothing."

    @property
    def _mine(self) -> dict[str, object]:
        return {"owner": self._owner, "epoch": self._epoch}

    async def _keep_renewing(self) -> None:
        while not self.lost.is_set():
            await asyncio.sleep(RENEW_S)
            try:
                async with asyncio.timeout(RENEW_S), self._engine.begin() as connection:
                    renewed = await connection.execute(_RENEW, {**self._mine, "life": int(LEASE_S * 1000)})
            except FAILURES as error:
                _log.debug("lease.not_renewed", problem=type(error).__name__)
                continue
            assert isinstance(renewed, CursorResult)
            if renewed.rowcount != 1:
                _log.error("database.taken_over", database=self._where)
                self.lost.set()


async def has_lease_table(engine: AsyncEngine) -> bool:
    """Whether a PostgreSQL database has been migrated so far that it has leases."""
    async with engine.connect() as connection:
        return bool(await connection.scalar(_EXISTS))


async def is_leased(engine: AsyncEngine) -> bool:
    """Whether a bot uses a PostgreSQL database now."""
    if not await has_lease_table(engine):
        return False
    async with engine.connect() as connection:
        return await connection.scalar(_IS_HELD) is not None
