"""Where rounds were shared is kept by match, round and channel."""

from __future__ import annotations

from dataclasses import replace

from bot.records.shared_rounds import SharedRound
from bot.store.engine.database import Database
from bot.store.records.shared_rounds import SqlSharedRounds
from bot.store.tables.table_store import SqlTableStore
from tests.store.matches import BIG, lobby


async def test_a_round_is_found_where_it_was_shared_last(database: Database) -> None:
    table_id = await SqlTableStore(database).create(lobby())
    rounds, shared = SqlSharedRounds(database), SharedRound(table_id, 2, BIG)
    assert await rounds.message_of(shared) is None
    await rounds.keep(shared, BIG + 1)
    await rounds.keep(replace(shared, round=3), BIG + 2)
    await rounds.keep(replace(shared, channel_id=BIG + 9), BIG + 3)
    await rounds.keep(shared, BIG + 4)
    assert await rounds.message_of(shared) == BIG + 4
    assert await rounds.message_of(replace(shared, round=3)) == BIG + 2
    assert await rounds.message_of(replace(shared, table_id=table_id + 1)) is None
