"""The ladder on a large archive: how long its queries and the counting of a match take, each with its plan."""

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from bot.ladder.columns import MATCH_BOARDS, Board, RankedBy, SeatTally
from bot.ladder.outcomes import outcome
from bot.ladder.seasons import Schedule, Season, period
from bot.records.history import FIRST, AfterKey, BeforeKey, PageKey
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.count_match import count_match
from bot.store.records.history import SqlHistory
from bot.store.schema.ladder import Play
from bot.store.schema.tables import ResultRow
from tests.bench.archive import IDLE, LAST, MONTHS, build
from tests.bench.figures import Figure, Part, Target, at_most

ROUNDS: Final = 20
_FELT: Final = at_most(20)
_LOOKS: Final = (
    *("rating, first page", "duos, last page", "friendly, first page", "rating, one's own line"),
    *("stats, all seasons", "stats, one season"),
)
"""What people look at, and what is dearest of it; the slowest of these has the target."""

_ORDERS: Final = {
    board: ("pairs", board.by, "low_id", "high_id")
    if board.ranked_by is RankedBy.PAIRS
    else ("standings", board.by, "user_id")
    for board in MATCH_BOARDS
    if board.ranked_by is not RankedBy.FRIENDLY
}
_LISTED: Final = "{table} WHERE guild_id = :guild AND season = :season AND is_ranked AND {value} > 0"
_MIDDLE: Final = "SELECT {keys} FROM {listed} ORDER BY {keys} LIMIT 1 OFFSET (SELECT count(*) / 2 FROM {listed})"

Statement = tuple[str, Sequence[Any], bool]


@dataclass
class Timing:
    """Milliseconds of one question, round by round, and the statements that answer it."""

    taken: list[float] = field(default_factory=list)
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Question:
    """`prepare` makes the archive as it was before the answer."""

    ask: Callable[[], Awaitable[object]]
    prepare: Callable[[], object] = lambda: None


def bench_ladder(rounds: int = ROUNDS, matches: int = 1_000_000) -> Part:
    with tempfile.TemporaryDirectory(prefix="kems-bench-") as folder:
        path = Path(folder, "archive.db")
        started = time.perf_counter()
        build(path, matches)
        passed, size = time.perf_counter() - started, path.stat().st_size / 1e9
        part = Part(
            f"The ladder at {matches:,} finished matches",
            "What the bot's own queries take on SQLite, of a server and a person drawn by how much they play.",
            notes=[f"{size:.2f} GB of SQLite, made in {passed:.0f} s"],
        )
        timings = measured(path, rounds)
        slowest = max(_LOOKS, key=lambda name: median(timings[name].taken))
        for name, timing in timings.items():
            title, target = (f"the slowest look: {name}", _FELT) if name == slowest else (name, Target())
            part.figures.append(Figure(title, "ms", tuple(timing.taken), target=target))
            part.notes.append(f"{name}: {len(timing.statements)} statements")
    return part


def measured(path: Path, rounds: int = ROUNDS) -> dict[str, Timing]:
    return asyncio.run(_measure(path, rounds))


def plans(path: Path, timing: Timing) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(_plan(connection, timing.statements))


async def _measure(path: Path, rounds: int) -> dict[str, Timing]:
    database = Database(f"sqlite:///{path}")
    timings: dict[str, Timing] = {}
    dice = Random(5)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as plain:
            last = plain.execute("SELECT max(table_id) FROM results").fetchone()[0]
            # A table whose match has not been counted.
            plain.execute("CREATE TEMP TABLE one AS SELECT * FROM tables WHERE id = ?", (last,))
            plain.execute("UPDATE one SET id = ?", (last + 1,))
            plain.execute("INSERT OR IGNORE INTO tables SELECT * FROM one")
            for _ in range(rounds):
                questions = _questions(database, plain, dice, last)
                await questions["rating, first page"].ask()  # brings ratings up to date; "after idleness" times that
                for name, question in questions.items():
                    timing = timings.setdefault(name, Timing())
                    question.prepare()
                    with _recorded() as statements:
                        started = time.perf_counter()
                        await question.ask()
                        timing.taken.append((time.perf_counter() - started) * 1000)
                    timing.statements = tuple(statements)
    finally:
        await database.close()
    return timings


def _questions(database: Database, plain: sqlite3.Connection, dice: Random, last: int) -> dict[str, Question]:
    boards, history = SqlBoards(database), SqlHistory(database)
    table_id = dice.randint(1, last)
    guild, ana, at = plain.execute(
        "SELECT guild_id, user_id, ended_at FROM plays WHERE table_id = ?", (table_id,)
    ).fetchone()
    starts_at, ends_at = period(Schedule(), LAST) or (0, LAST)
    season = Season(MONTHS, starts_at, ends_at)
    users = [row[0] for row in plain.execute("SELECT user_id FROM plays WHERE table_id = ?", (table_id,))]
    pages = {
        f"{board.value}, {name} page": Question(partial(boards.board, guild, season, board, LAST, page_key))
        for board in _ORDERS
        for name, page_key in _pages(plain, board, guild).items()
    }

    def idle() -> None:
        """Of the whole server: the dearest look there is."""
        plain.execute(f"{IDLE} AND guild_id = ? AND season = ?", (guild, MONTHS))

    line = partial(boards.line, guild, season, Board.RATING, LAST, ana)
    return {
        **pages,
        "friendly, first page": Question(partial(boards.board, guild, season, Board.FRIENDLY, LAST)),
        "rating, one's own line": Question(line),
        "stats, all seasons": Question(partial(history.stats, guild, ana, LAST)),
        "stats, one season": Question(partial(history.stats, guild, ana, LAST, season)),
        "history of a server": Question(lambda: history.history(guild)),
        "history of a person": Question(lambda: history.history(guild, ana, AfterKey((at, table_id)))),
        "one match": Question(lambda: history.match(table_id)),
        "upkeep: counting a match": Question(lambda: _counted(database, guild, last + 1, users)),
        # The last one: it leaves the server idle.
        "rating, after idleness": replace(pages["rating, first page"], prepare=idle),
    }


def _pages(plain: sqlite3.Connection, board: Board, guild: int) -> dict[str, PageKey]:
    """The dearest page is the last one: all that go before it are counted for its places."""
    table, *keys = _ORDERS[board]
    query = _MIDDLE.format(keys=", ".join(keys), listed=_LISTED.format(table=table, value=keys[0]))
    nobody = (0,) * len(keys)
    middle = plain.execute(query, {"guild": guild, "season": MONTHS}).fetchone() or nobody
    return {"first": FIRST, "middle": AfterKey(middle), "last": BeforeKey(nobody)}


async def _counted(database: Database, guild: int, table_id: int, users: Sequence[int]) -> None:
    """Count a match, and take it back."""
    plays = tuple(
        Play(user, "?", seat, seat % 2, seat % 2, outcome((0, 1), seat % 2), False, True, SeatTally(kems=1))
        for seat, user in enumerate(users)
    )
    result = ResultRow(table_id=table_id, guild_id=guild, season=MONTHS, ended_at=LAST, rounds=9)

    def count_and_take_back(session: Session) -> None:
        count_match(session, result, plays)
        raise _TakenBack

    with suppress(_TakenBack):
        await database.change(count_and_take_back)


class _TakenBack(Exception):
    """Ends a transaction without its changes."""


@contextmanager
def _recorded() -> Iterator[list[Statement]]:
    statements: list[Statement] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, is_many: bool) -> None:
        if not statement.startswith("BEGIN"):
            statements.append((statement, parameters, is_many))

    event.listen(Engine, "before_cursor_execute", note)
    yield statements
    event.remove(Engine, "before_cursor_execute", note)


def _plan(connection: sqlite3.Connection, statements: Sequence[Statement]) -> Iterator[str]:
    for statement, parameters, is_many in statements:
        first = parameters[0] if is_many else parameters
        found = connection.execute(f"EXPLAIN QUERY PLAN {statement}", first)
        yield " / ".join(row[3] for row in found) or statement.partition(" (")[0].lower()
