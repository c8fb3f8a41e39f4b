"""A process that appends for ever and tells each number once it is durable; tests kill it."""

import asyncio
from dataclasses import replace
from multiprocessing.connection import Connection

from bot.game.events import HuntOpened
from bot.store.engine.database import Database
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from tests.rig.processes import Running
from tests.store.matches import lobby

LIMIT = 20_000
"""It stops by itself if it is not killed."""


async def killed_while_appending(address: str, acknowledged: int) -> tuple[int, int]:
    """Kill an appending process: its table, and the last number it acknowledged."""
    process = await Running.start(_run, address)
    table_id, last = await process.heard(), 0
    while last < acknowledged:
        last = await process.heard()
    process.send_kill()
    try:
        while True:
            last = await process.heard()
    except EOFError:
        await process.code()
    return table_id, last


def _run(line: Connection, address: str) -> None:
    asyncio.run(_append(line, address))


async def _append(line: Connection, address: str) -> None:
    database = Database(address)
    table_id = await SqlTableStore(database).create(replace(lobby(), status=Status.PLAYING))
    log = SqlJournal(database)
    line.send(table_id)
    for seq in range(1, LIMIT):
        await log.append(table_id, seq, (HuntOpened(seq),), None)
        line.send(seq)
