"""Asks the processes that serve other tables to let a person leave them; see `ErasureRow`.

A process learns with its next heartbeat (`bot.store.engine.cluster`) that it is asked.
"""

import asyncio
from collections.abc import Collection
from typing import Final

from sqlalchemy import delete, insert, literal, select, update

from bot.errors import StoreError
from bot.store.engine.cluster import SqlCluster
from bot.store.engine.database import Database
from bot.store.schema.codec import decode_numbers, encode
from bot.store.schema.tables import ErasureRow, LeaseRow, ProcessRow
from bot.tables.erasure import OtherProcesses

ANSWER_S: Final = 12.0
"""Longer than a process lives that stands still: its row goes, and what it was asked with it."""
_LOOK_S: Final = 0.2


class SqlOtherProcesses(OtherProcesses):
    def __init__(self, database: Database, answer_s: float = ANSWER_S) -> None:
        self._database = database
        self._answer_s = answer_s

    async def ask(self, user_id: int) -> bool:
        cluster = self._database.cluster
        if not isinstance(cluster, SqlCluster):
            return False
        serve = select(LeaseRow.holder).where(LeaseRow.id >= 0)
        others = select(ProcessRow.id, literal(user_id)).where(ProcessRow.id != cluster.id, ProcessRow.id.in_(serve))
        columns = [ErasureRow.process, ErasureRow.user_id]
        async with self._database.transaction() as session:
            await session.execute(delete(ErasureRow).where(ErasureRow.user_id == user_id))
            asked = insert(ErasureRow).from_select(columns, others).returning(ErasureRow.process)
            return bool((await session.scalars(asked)).all())

    async def answers(self, user_id: int) -> Collection[int]:
        if not isinstance(self._database.cluster, SqlCluster):
            return ()
        ours = ErasureRow.user_id == user_id
        until = asyncio.get_running_loop().time() + self._answer_s
        while asyncio.get_running_loop().time() < until:
            async with self._database.transaction() as session:
                answers = (await session.scalars(select(ErasureRow.unreadable).where(ours))).all()
                if None not in answers:
                    await session.execute(delete(ErasureRow).where(ours))
                    return {table_id for answer in answers if answer for table_id in decode_numbers(answer)}
            await asyncio.sleep(_LOOK_S)
        async with self._database.transaction() as session:
            await session.execute(delete(ErasureRow).where(ours))
        raise StoreError("Another process of the bot does not answer: nothing was erased.")

    async def answer(self, user_id: int, unreadable: Collection[int]) -> None:
        cluster = self._database.cluster
        assert isinstance(cluster, SqlCluster), "a process that serves everything is never asked"
        ours = update(ErasureRow).where(ErasureRow.process == cluster.id, ErasureRow.user_id == user_id)
        async with self._database.transaction() as session:
            await session.execute(ours.values(unreadable=encode(tuple(unreadable))))
