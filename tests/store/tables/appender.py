"""A process that appends for ever and prints each number once it is durable; `test_durability` kills it."""

import asyncio
import sys
from dataclasses import replace

from bot.game.events import HuntOpened
from bot.store.engine.database import Database
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from tests.store.matches import lobby

LIMIT = 20_000
"""It stops by itself if it is not killed."""


async def main(address: str) -> None:
    database = Database(address)
    table_id = await SqlTableStore(database).create(replace(lobby(), status=Status.PLAYING))
    log = SqlJournal(database)
    print("table", table_id, flush=True)
    for seq in range(1, LIMIT):
        await log.append(table_id, seq, (HuntOpened(seq),), None)
        print(seq, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
