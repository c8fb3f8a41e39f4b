"""Refuses what a process writes to a table whose shard another process has taken over.

On PostgreSQL each transaction that writes to a table asks here first. It keeps the lease of the table's shard locked
until it ends, so that a takeover waits for it, and reads the log after it.
"""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, Select, bindparam, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.elements import SQLCoreOperations

from bot.store.engine.database import Database
from bot.store.engine.failures import RejectedError
from bot.store.engine.leases import IDLE_MS, Leases
from bot.store.engine.sql import shard_of
from bot.store.schema import LeaseRow, TableRow

_SHORT: Final = func.set_config("idle_in_transaction_session_timeout", str(IDLE_MS), True)
"""A process that is stopped in the middle of a transaction would keep its lease locked."""


def _held(table_id: SQLCoreOperations[int]) -> Select[int, int, int, str]:
    query = select(table_id, LeaseRow.id, LeaseRow.epoch, _SHORT)
    return query.where(LeaseRow.holder == bindparam("holder")).with_for_update(read=True, of=LeaseRow)


_OF_TABLES: Final = (
    _held(TableRow.id)
    .join(LeaseRow, LeaseRow.id == shard_of(TableRow.guild_id, bindparam("shards")))
    .where(TableRow.id.in_(bindparam("ids", expanding=True)))
    .order_by(LeaseRow.id)
)
_OF_SHARD: Final = _held(literal(0)).where(LeaseRow.id == bindparam("shard"))


def require_tables(connection: Connection, database: Database, table_ids: Collection[int]) -> None:
    """Keep the shards of these tables until the transaction ends.

    Raises:
        RejectedError: another process serves one of them, or there is no such table.
    """
    leases = database.leases
    if isinstance(leases, Leases) and leases.count:
        values = {"ids": list(table_ids), "holder": leases.id, "shards": leases.count}
        rows = connection.execute(_OF_TABLES, values).all()
        if {table for table, shard, epoch, _ in rows if leases.epochs.get(shard) == epoch} != set(table_ids):
            raise RejectedError("Another process of the bot has taken this table over: this one saves nothing there.")


async def require_server(session: AsyncSession, database: Database, guild_id: int) -> None:
    """Keep the shard of a server until the transaction ends.

    Raises:
        RejectedError: another process serves it.
    """
    leases = database.leases
    if isinstance(leases, Leases) and leases.count:
        shard = (guild_id >> 22) % leases.count
        rows = (await session.execute(_OF_SHARD, {"shard": shard, "holder": leases.id})).all()
        if [epoch for _, _, epoch, _ in rows] != [leases.epochs.get(shard)]:
            raise RejectedError("Another process of the bot has taken this server over: this one saves nothing there.")
