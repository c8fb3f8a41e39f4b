"""A long past: what a question about it costs, and how long presses wait beside it, at three sizes of the record.

A server of ten matches a day has 10,000 in three years. The pace is the same at each size, so what asks for the latest
days asks for as much.
"""

import asyncio
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
from bot.base.worker_process import joined
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
from tests.bench.figures import Figure, Part, Target, at_most
from tests.rig.evidence import postgres_database

SIZES: Final = (1_000, 10_000, 100_000)
SERVERS: Final = (1, 200)
ROUNDS: Final = 5
MATCHES_A_MONTH: Final = 300
SECONDS: Final = 2.0
"""So long presses are made beside a question, at least."""
MORE: Final = 20
"""So many times more a question is asked while presses are made, until the time is over."""
PRESS_S: Final = 0.005
"""The pause between two presses."""
_GROWTH: Final = Target(most=1.5)
_WAIT: Final = at_most(50)
_GUILD: Final = 1
_KEEN: Final = 10**9 + 1
"""Who plays most in the server that plays most."""

_QUIET: Final = "no question"
_LISTS: Final = frozenset({_QUIET, "export of a season", "export of a person", "erasure of a person"})
"""These list or rewrite as many lines as there are."""

Ask = Callable[[int], Awaitable[object]]
"""Asks for the nth time: what changes something changes something else each time."""


@dataclass
class Cost:
    """CPU milliseconds of each asking, and milliseconds of each press beside it."""

    cpu: list[float] = field(default_factory=list)
    presses: list[float] = field(default_factory=list)

    @property
    def slowest(self) -> float:
        """What 99 of 100 presses take at most."""
        return sorted(self.presses)[int(len(self.presses) * 0.99)]


def bench_history(
    sizes: Sequence[int] = SIZES,
    servers: Sequence[int] = SERVERS,
    rounds: int = ROUNDS,
    *,
    seconds: float = SECONDS,
    on_postgres: bool = False,
) -> Part:
    told, smallest, largest = ", ".join(f"{size:,}" for size in sizes), sizes[0], sizes[-1]
    part = Part(
        f"A long past on {'PostgreSQL' if on_postgres else 'SQLite'}",
        f"Questions about {told} matches, ten a day: the CPU of each beside that at the smallest size, and what 99"
        " of 100 presses take at most meanwhile.",
    )
    for number in servers:
        who = "one server" if number == 1 else f"{number} servers"
        costs = {size: asyncio.run(_costs(size, number, rounds, seconds, on_postgres=on_postgres)) for size in sizes}
        quiet = costs[largest].pop(_QUIET).slowest
        for name, cost in costs[largest].items():
            before, growth = tuple(costs[smallest][name].cpu), Target() if name in _LISTS else _GROWTH
            title = f"{name}, {who}"
            part.figures.append(Figure(title, "ms CPU", tuple(cost.cpu), f"at {smallest:,}", before, growth))
            waits = (cost.slowest,), "no question", (quiet,)
            part.figures.append(Figure(f"{title}: a press", "ms", *waits, target=_WAIT))
    return part


def bench_history_on_postgres(sizes: Sequence[int] = SIZES, servers: Sequence[int] = (1,), **short: Any) -> Part:
    """`bench_history` of the crowded server alone."""
    return bench_history(sizes, servers, on_postgres=True, **short)


async def _costs(matches: int, servers: int, rounds: int, seconds: float, *, on_postgres: bool) -> dict[str, Cost]:
    with tempfile.TemporaryDirectory(prefix="kems-bench-") as folder:
        path = Path(folder, "archive.db")
        months = max(1, matches // MATCHES_A_MONTH)
        await asyncio.to_thread(build, path, matches, servers=servers, months=months)
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
            costs = {_QUIET: Cost()}
            async with _pressing(database, latest[0], costs[_QUIET].presses):
                await asyncio.sleep(seconds)
            for name, ask in _questions(database, months, latest).items():
                costs[name] = await _cost(ask, database, latest[0], rounds, seconds)
            return costs


async def _cost(ask: Ask, database: Database, table_id: int, rounds: int, seconds: float) -> Cost:
    cost = Cost()
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
            await joined(table)

    async def start(_: int) -> None:
        assert [saved async for saved in tables.load_live()] == [], "all are over, and say so"

    async def erase(number: int) -> None:
        await people.forget_past(_KEEN + number)
        await people.forget(_KEEN + number)

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
