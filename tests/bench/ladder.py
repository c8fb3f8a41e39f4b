"""The ladder on a large archive: database time of its queries and of counting a match, each with its plan.

Database time is that of the very statements the bot sends, run again with their parameters on a plain connection and
read to the end. The reference is one look-up of a row by its key on the same file, in turn with each figure.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from sqlalchemy import event

from bot.ladder.boards import Board
from bot.ladder.outcomes import outcome
from bot.ladder.seasons import Schedule, Season, period
from bot.ladder.tally import SeatTally
from bot.records.history import FIRST, After, Before, Spot
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.count_match import FinishedMatch, Play, count_match
from bot.store.records.archive import SqlArchive
from bot.store.records.history import SqlHistory
from tests.bench.archive import CHANNELS, IDLE, LAST, MONTHS, build

ROUNDS: Final = 60
_REFERENCE: Final = "SELECT * FROM results WHERE table_id = ?"

_ORDERS: Final = {
    Board.RATING: ("standings", "shown", "user_id"),
    Board.WINS: ("standings", "wins", "user_id"),
    Board.KEMS: ("standings", "kems", "user_id"),
    Board.COUNTERS: ("standings", "counters", "user_id"),
    Board.BLUFFERS: ("standings", "baits", "user_id"),
    Board.DUOS: ("pairs", "together_wins", "low_id", "high_id"),
}
_LISTED: Final = "{table} WHERE guild_id = :guild AND season = :season AND is_ranked AND {value} > 0"
_MIDDLE: Final = "SELECT {keys} FROM {listed} ORDER BY {keys} LIMIT 1 OFFSET (SELECT count(*) / 2 FROM {listed})"

Statement = tuple[str, Sequence[Any], bool]


@dataclass
class Figure:
    """Milliseconds of one query, round by round: in the database, for the caller in all, and of the reference."""

    in_database: list[float] = field(default_factory=list)
    in_all: list[float] = field(default_factory=list)
    reference: list[float] = field(default_factory=list)
    statements: tuple[Statement, ...] = ()

    def line(self, name: str) -> str:
        ratio = median(ours / theirs for ours, theirs in zip(self.in_database, self.reference, strict=True))
        return (
            f"  {name:26} {median(self.in_database):7.2f} ms in the database, {median(self.in_all):6.2f} ms in all,"
            f" {len(self.statements):2} statements {ratio:8.0f} x the reference"
        )


@dataclass(frozen=True)
class Question:
    """`prepare` makes the archive as it was before the answer."""

    ask: Callable[[], Awaitable[object]]
    prepare: Callable[[], object] = lambda: None


def bench_ladder(matches: int, rounds: int = ROUNDS) -> None:
    """Build, measure, print."""
    with tempfile.TemporaryDirectory(prefix="kems-bench-") as folder:
        path = Path(folder, "archive.db")
        started = time.perf_counter()
        build(path, matches)
        passed, size = time.perf_counter() - started, path.stat().st_size / 1e9
        print(f"ladder: {matches:,} finished matches, {size:.2f} GB, made in {passed:.0f} s")
        report(path, rounds)


def report(path: Path, rounds: int = ROUNDS) -> None:
    """Measure an archive that is there, and print figures and plans."""
    figures = asyncio.run(_measure(path, rounds))
    reference = median(ms for figure in figures.values() for ms in figure.reference)
    print(f"  reference: a result by its key, {reference * 1000:.0f} µs")
    for name, figure in figures.items():
        print(figure.line(name))
    with closing(sqlite3.connect(path)) as connection:
        for name, figure in figures.items():
            print(f"plan of {name}")
            for line in _plan(connection, figure.statements):
                print(f"    {line}")


async def _measure(path: Path, rounds: int) -> dict[str, Figure]:
    database = Database(f"sqlite:///{path}")
    figures: dict[str, Figure] = {}
    dice = Random(5)
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as plain:
            last = plain.execute("SELECT max(table_id) FROM results").fetchone()[0]
            # A table whose match has not been counted.
            plain.execute("CREATE TEMP TABLE one AS SELECT * FROM tables WHERE id = ?", (last,))
            plain.execute("UPDATE one SET id = ?", (last + 1,))
            plain.execute("INSERT OR IGNORE INTO tables SELECT * FROM one")
            for _ in range(rounds):
                for name, question in _questions(database, plain, dice, last).items():
                    figure = figures.setdefault(name, Figure())
                    question.prepare()
                    with _recorded(database) as statements:
                        started = time.perf_counter()
                        await question.ask()
                        figure.in_all.append((time.perf_counter() - started) * 1000)
                    figure.statements = tuple(statements)
                    question.prepare()
                    figure.in_database.append(_run_again(plain, statements))
                    key = [(_REFERENCE, (dice.randint(1, last),), False)]
                    figure.reference.append(_run_again(plain, key))
    finally:
        await database.close()
    return figures


def _questions(database: Database, plain: sqlite3.Connection, dice: Random, last: int) -> dict[str, Question]:
    """What people ask, of a server and a person that are drawn by how much they play."""
    boards, history = SqlBoards(database), SqlHistory(database)
    table_id = dice.randint(1, last)
    guild, ana, at = plain.execute(
        "SELECT guild_id, user_id, ended_at FROM plays WHERE table_id = ?", (table_id,)
    ).fetchone()
    starts_at, ends_at = period(Schedule(), LAST) or (0, LAST)
    season = Season(MONTHS, starts_at, ends_at)
    users = [row[0] for row in plain.execute("SELECT user_id FROM plays WHERE table_id = ?", (table_id,))]
    pages = {
        f"{board.value}, {name} page": partial(boards.board, guild, season, board, LAST, spot)
        for board in Board
        for name, spot in _pages(plain, board, guild).items()
    }

    def idle() -> None:
        """Of the whole server: the dearest look there is."""
        plain.execute(f"{IDLE} AND guild_id = ? AND season = ?", (guild, MONTHS))

    asked: dict[str, Callable[[], Awaitable[object]]] = {
        **pages,
        "rating, one's own line": lambda: boards.line(guild, season, Board.RATING, LAST, ana),
        "stats, all seasons": lambda: history.stats(guild, ana, LAST),
        "stats, one season": lambda: history.stats(guild, ana, LAST, season),
        "history of a server": lambda: history.history(guild),
        "history of a person": lambda: history.history(guild, ana, After((at, table_id))),
        "the last match, busy here": lambda: SqlArchive(database).finished(guild, 1),
        "the last match, quiet here": lambda: SqlArchive(database).finished(guild, CHANNELS),
        "one match": lambda: history.match(table_id),
        "upkeep: counting a match": lambda: _counted(database, guild, last + 1, users),
    }
    questions = {name: Question(ask) for name, ask in asked.items()}
    # The last one: it leaves the server idle.
    return questions | {"rating, after idleness": Question(pages["rating, first page"], idle)}


def _pages(plain: sqlite3.Connection, board: Board, guild: int) -> dict[str, Spot]:
    """The dearest page is the last one: all that go before it are counted for its places."""
    table, *keys = _ORDERS[board]
    query = _MIDDLE.format(keys=", ".join(keys), listed=_LISTED.format(table=table, value=keys[0]))
    nobody = (0,) * len(keys)
    middle = plain.execute(query, {"guild": guild, "season": MONTHS}).fetchone() or nobody
    return {"first": FIRST, "middle": After(middle), "last": Before(nobody)}


async def _counted(database: Database, guild: int, table_id: int, users: Sequence[int]) -> None:
    """Count a match, and take it back."""
    plays = tuple(
        Play(user, "?", seat, seat % 2, seat % 2, outcome((0, 1), seat % 2), False, True, SeatTally(kems=1))
        for seat, user in enumerate(users)
    )
    with suppress(_TakenBack):
        async with database.transaction() as session:
            await count_match(session, FinishedMatch(table_id, guild, MONTHS, LAST, 9, plays))
            raise _TakenBack


class _TakenBack(Exception):
    """Ends a transaction without its changes."""


@contextmanager
def _recorded(database: Database) -> Iterator[list[Statement]]:
    """The statements that are sent meanwhile, but for the transaction's own."""
    statements: list[Statement] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, is_many: bool) -> None:
        if not statement.startswith("BEGIN"):
            statements.append((statement, parameters, is_many))

    event.listen(database.engine.sync_engine, "before_cursor_execute", note)
    yield statements
    event.remove(database.engine.sync_engine, "before_cursor_execute", note)


def _run_again(plain: sqlite3.Connection, statements: Sequence[Statement]) -> float:
    """Milliseconds; what was written is taken back."""
    plain.execute("BEGIN IMMEDIATE")
    started = time.perf_counter()
    for statement, parameters, is_many in statements:
        run = plain.executemany if is_many else plain.execute
        run(statement, parameters).fetchall()
    passed = time.perf_counter() - started
    plain.execute("ROLLBACK")
    return passed * 1000


def _plan(connection: sqlite3.Connection, statements: Sequence[Statement]) -> Iterator[str]:
    for statement, parameters, is_many in statements:
        first = parameters[0] if is_many else parameters
        found = connection.execute(f"EXPLAIN QUERY PLAN {statement}", first)
        yield " / ".join(row[3] for row in found) or statement.partition(" (")[0].lower()
