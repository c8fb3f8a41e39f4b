"""A process that does some work on a database, and kills itself when it is about to write for the nth time."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import Any, Final

from sqlalchemy import Engine, event, select

from bot.store import erasure
from bot.store.engine.database import Database
from bot.store.ladder import recount
from bot.store.ladder.recount import SqlRecount
from bot.store.privacy import SqlPersonalData
from bot.store.schema.tables import PendingErasureRow
from bot.store.tables.log_packing import SqlLogPacking
from tests.rig.processes import Running
from tests.store.conftest import opened
from tests.store.counted_matches import GUILD, NOW

ANA: Final = 10**17 + 1
"""Who is erased."""
VOID: Final = 102
"""The match that becomes void."""
NUMBER: Final = 7
AT_SCRUB: Final = 0
"""In place of a number: when all is written, and former bytes are to be removed from the files."""


async def pack(database: Database) -> None:
    await SqlLogPacking(database).pack_all()


async def void(database: Database) -> None:
    recounts = SqlRecount(database)
    await recounts.void(GUILD, VOID, by_id=9, reason="", at=NOW)
    await recounts.recompute(GUILD)


async def erase(database: Database) -> None:
    people = SqlPersonalData(database)
    if not await database.query(lambda session: session.scalar(select(PendingErasureRow.user_id))):
        await people.save_erasure_request(ANA)
    for user_id in await people.erasure_requests():
        await people.erase_past_matches(user_id)
        await people.erase(user_id)
    await people.scrub_deleted_rows()


WORKS: Final[dict[str, Callable[[Database], Awaitable[None]]]] = {each.__name__: each for each in (pack, void, erase)}


def small_steps(change: Callable[[Any, str, Any], None] = setattr) -> None:
    """Let each work take many transactions, and draw the same number for who is erased."""
    change(erasure, "BATCH", 2)
    change(erasure, "randbits", lambda _: NUMBER)
    change(recount, "MATCHES", 2)
    change(recount, "PEOPLE", 2)


async def is_killed(address: str, work: str, number: int) -> bool:
    """Do some work in a process that dies at the write of this number; False where it has ended before."""
    code = await (await Running.start(_run, address, work, number)).code()
    assert code in (0, -signal.SIGKILL)
    return code != 0


def _run(_line: Connection, address: str, work: str, number: int) -> None:
    seen = 0

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        nonlocal seen
        seen += statement.startswith(("INSERT", "UPDATE", "DELETE"))
        if seen == number != AT_SCRUB:
            os.kill(os.getpid(), signal.SIGKILL)

    async def main() -> None:
        async with opened(address) as database:
            if number == AT_SCRUB:
                database.scrub = lambda: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign]
            await WORKS[work](database)

    small_steps()
    event.listen(Engine, "before_cursor_execute", note)
    asyncio.run(main())
