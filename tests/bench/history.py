"""A long past: what a question about it costs, and how long presses wait beside it.

A server of ten matches a day has 10,000 in three years. That no statement reads a growing table whole is held by
`tests/store/test_plans.py`.
"""

import asyncio
import os
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from sqlalchemy import update

from bot.base.times import DAY_MS
from bot.base.worker_process import join_batches
from bot.ladder.columns import Board
from bot.ladder.seasons import Schedule, Season, period
from bot.records.season_files import as_csv
from bot.store.backup import copy_database
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.recount import SqlRecount
from bot.store.privacy import SqlPersonalData
from bot.store.records.history import SqlHistory, SqlSeasonRecords
from bot.store.schema.tables import TableRow
from bot.store.tables.table_store import SqlTableStore
from tests.bench.archive import LAST, build
from tests.bench.figures import Figure, Part, Verdict, at_most, told
from tests.rig.evidence import postgres_database

MATCHES: Final = 100_000
"""All of one server: presses wait longer beside a question about those than about as many of 200 servers."""
ROUNDS: Final = 5
MATCHES_A_MONTH: Final = 300
SECONDS: Final = 2.0
"""So long presses are made beside a question, at least."""
MORE: Final = 50
"""So many times more a question is asked while presses are made, until the time is over."""
PRESS_S: Final = 0.005
"""The pause between two presses."""
_GUILD: Final = 1
_KEEN: Final = 10**9 + 1
"""Who plays most in the server that plays most."""

_QUIET: Final = "no question"

Ask = Callable[[int], Awaitable[object]]
"""Asks for the nth time: what changes something changes something else each time."""


@dataclass
class LeavingPenalty:
    """CPU milliseconds of each asking, and milliseconds of each press beside it."""

    cpu: list[float] = field(default_factory=list)
    presses: list[float] = field(default_factory=list)

    @property
    def slowest(self) -> float:
        """What 99 of 100 presses take at most."""
        return sorted(self.presses)[int(len(self.presses) * 0.99)]


def bench_history(
    matches: int = MATCHES, rounds: int = ROUNDS, *, seconds: float = SECONDS, on_postgres: bool = False
) -> Part:
    part = Part(
        f"A past of {matches:,} matches on {'PostgreSQL' if on_postgres else 'SQLite'}",
        "Questions about the past of one server, ten matches a day: the CPU of each, and what 99 of 100 presses take at"
        " most meanwhile.",
    )
    costs = asyncio.run(_costs(matches, rounds, seconds, on_postgres=on_postgres))
    quiet = costs.pop(_QUIET).slowest
    for name, cost in costs.items():
        part.figures.append(Figure(name, "ms CPU", tuple(cost.cpu)))
        part.figures.append(Figure(f"{name}: a press", "ms", (cost.slowest,), "no question", (quiet,)))
    worst = max(costs, key=lambda name: costs[name].slowest)
    title = f"a press beside the worst question: {worst}"
    beside = Figure(title, "ms", (costs[worst].slowest,), "no question", (quiet,), at_most(50))
    part.figures.append(beside)
    if not on_postgres:
        part.answers["Does a question about the past hold up play?"] = answer(matches, worst, beside)
    return part


def bench_history_on_postgres(matches: int = MATCHES, **short: Any) -> Part:
    return bench_history(matches, on_postgres=True, **short)


def answer(matches: int, worst: str, beside: Figure) -> str:
    """What presses beside the worst question mean for an operator."""
    felt = "players notice it" if beside.verdict is Verdict.MISSED else "no player notices it"
    return (
        f"Beside the worst one about {matches:,} matches ({worst}) 99 of 100 presses are saved within"
        f" {told(beside.value)} ms, beside none within {told(beside.references[0])} ms: {felt}."
    )


async def _costs(matches: int, rounds: int, seconds: float, *, on_postgres: bool) -> dict[str, LeavingPenalty]:
    with tempfile.TemporaryDirectory(prefix="kems-bench-") as folder:
        path = Path(folder, "archive.db")
        months = max(1, matches // MATCHES_A_MONTH)
        await asyncio.to_thread(build, path, matches, servers=1, months=months)
        await asyncio.to_thread(os.sync)  # or else the kernel writes the archive out beside the first presses
        with closing(sqlite3.connect(path)) as plain:
            query = "SELECT table_id FROM results WHERE guild_id = ? ORDER BY number DESC LIMIT 60"
            latest = [row[0] for row in plain.execute(query, (_GUILD,))]
        async with AsyncExitStack() as stack:
            source = database = Database(f"sqlite:///{path}")
            stack.push_async_callback(source.close)
            if on_postgres:
                database = Database(await stack.enter_async_context(postgres_database(is_safe=True)))
                stack.push_async_callback(database.close)
                await copy_database(source, database)
                await asyncio.to_thread(os.sync)
            costs = {_QUIET: LeavingPenalty()}
            async with _pressing(database, latest[0], costs[_QUIET].presses):
                await asyncio.sleep(seconds)
            for name, ask in _questions(database, months, latest).items():
                costs[name] = await _cost(ask, database, latest[0], rounds, seconds)
            return costs


async def _cost(ask: Ask, database: Database, table_id: int, rounds: int, seconds: float) -> LeavingPenalty:
    cost = LeavingPenalty()
    for number in range(rounds):
        began = time.process_time()
        await ask(number)
        cost.cpu.append((time.process_time() - began) * 1000)
    until = time.perf_counter() + seconds
    async with _pressing(database, table_id, cost.presses):
        for number in count(rounds):
            await ask(number)
            if time.perf_counter() > until or number == 2 * rounds - 1 + MORE:
                return cost
    return cost


@asynccontextmanager
async def _pressing(database: Database, table_id: int, took: list[float]) -> AsyncIterator[None]:
    """Commits one row again and again, as a press does, and notes how many milliseconds each took with its way."""
    is_over = False

    async def press() -> None:
        for number in count():
            due = time.perf_counter() + PRESS_S
            await asyncio.sleep(PRESS_S)
            async with database.transaction() as session:
                await session.execute(update(TableRow).where(TableRow.id == table_id).values(closes_at=number))
            took.append((time.perf_counter() - due) * 1000)
            if is_over:
                return

    pressing = asyncio.create_task(press())
    try:
        yield
    finally:
        is_over = True
        await pressing


def _questions(database: Database, months: int, latest: Sequence[int]) -> dict[str, Ask]:
    boards, history, recount = SqlBoards(database), SqlHistory(database), SqlRecount(database)
    seasons, people, tables = SqlSeasonRecords(database), SqlPersonalData(database), SqlTableStore(database)
    starts_at, ends_at = period(Schedule(), LAST) or (0, LAST)
    season, since = Season(months, starts_at, ends_at), LAST - 30 * DAY_MS

    async def export_season(_: int) -> None:
        for table in as_csv(await seasons.read(_GUILD, season, LAST), ";").values():
            await join_batches(table)

    async def start(_: int) -> None:
        assert [saved async for saved in tables.load_live()] == [], "all are over, and say so"

    async def erase(number: int) -> None:
        await people.erase_past_matches(_KEEN + number)
        await people.erase(_KEEN + number)

    return {
        "report": lambda _: history.activity(_GUILD, since),
        "ladder watch": lambda _: history.point_sources(_GUILD, range(_KEEN, _KEEN + 10), season),
        "stats of a person": lambda _: history.stats(_GUILD, _KEEN, LAST),
        "history of a server": lambda _: history.history(_GUILD),
        "history of a person": lambda _: history.history(_GUILD, _KEEN),
        "board of ratings": lambda _: boards.board(_GUILD, season, Board.RATING, LAST),
        "friendly board": lambda _: boards.board(_GUILD, season, Board.FRIENDLY, LAST),
        "void of a late match": lambda n: recount.void(_GUILD, latest[n], by_id=1, reason="", at=LAST),
        "export of a season": export_season,
        "export of a person": lambda _: people.export(_KEEN),
        "erasure of a person": erase,
        "tables that a start reads": start,
    }
