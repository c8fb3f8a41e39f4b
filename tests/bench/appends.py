"""Durable appends a second through the journal of many tables; beside it one commit for each event."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.game.cards import Card
from bot.game.events import CardPutDown
from bot.store.engine.database import Database
from bot.store.schema.event_log import event_rows
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from tests.bench.figures import Figure, Part, Target
from tests.databases import migrated
from tests.store.matches import lobby

TABLES: Final = 500
_INSERT: Final = (
    "INSERT INTO events (table_id, seq, at, kind, version, body, press_id)"
    " VALUES (:table_id, :seq, :at, :kind, :version, :body, :press_id)"
)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them is."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def bench_appends(rounds: int = 5, seconds: float = 3.0, tables: int = TABLES) -> Part:
    """Both write for so many seconds in each round, on the same file system."""
    ours: list[list[float]] = []
    theirs: list[list[float]] = []
    with tempfile.TemporaryDirectory(prefix="kems-bench-") as folder:
        asyncio.run(_measure(Path(folder), rounds, seconds, tables, ours, theirs))
    part = Part(
        "Durable appends",
        f"{tables} tables append a card put down each as soon as their last one is durable, through the journal, on an"
        " SQLite file (WAL, synchronous=FULL). The reference commits the same rows one by one, with sqlite3 alone.",
    )
    part.figures += [
        Figure(
            "appends a second",
            "a second",
            tuple(len(one) / seconds for one in ours),
            "a second, one commit each",
            tuple(len(one) / seconds for one in theirs),
            Target(least=15),
        ),
        *(
            Figure(
                f"an append, p{share}",
                "ms",
                tuple(1000 * percentile(one, share / 100) for one in ours),
                "ms, one commit",
                tuple(1000 * percentile(one, share / 100) for one in theirs),
            )
            for share in (50, 99)
        ),
    ]
    return part


async def _measure(
    folder: Path, rounds: int, seconds: float, tables: int, ours: list[list[float]], theirs: list[list[float]]
) -> None:
    """Adds the seconds of each append, round by round."""
    database, reference = Database(migrated(folder)), folder / "reference.db"
    store, journal = SqlTableStore(database), SqlJournal(database)
    try:
        table_ids = [await store.create(replace(lobby(), status=Status.PLAYING)) for _ in range(tables)]
        _copy(folder / "kems.db", reference)  # events refer to tables
        seqs = dict.fromkeys(table_ids, 1)
        with closing(sqlite3.connect(reference, isolation_level=None)) as plain:
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
                plain.execute(f"PRAGMA {pragma}")
            for number in range(rounds):
                ours.append(await _grouped(journal, seqs, seconds))
                theirs.append(_one_by_one(plain, table_ids[number % tables], number, seconds))
    finally:
        await journal.close()
        await database.close()


def _copy(file: Path, to: Path) -> None:
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(to)) as target:
        source.backup(target)


async def _grouped(journal: SqlJournal, seqs: dict[int, int], seconds: float) -> list[float]:
    passed: list[float] = []
    until = time.perf_counter() + seconds

    async def keep_on(table_id: int) -> None:
        while (began := time.perf_counter()) < until:
            seq = seqs[table_id]
            seqs[table_id] += 1
            await journal.append(table_id, seq, (_event(seq),), _press_id(table_id, seq))
            passed.append(time.perf_counter() - began)

    await asyncio.gather(*(keep_on(table_id) for table_id in seqs))
    return passed


def _one_by_one(plain: sqlite3.Connection, table_id: int, number: int, seconds: float) -> list[float]:
    passed: list[float] = []
    seq = 1 + number * 10_000_000
    until = time.perf_counter() + seconds
    while (began := time.perf_counter()) < until:
        (row,) = event_rows(table_id, seq, (_event(seq),), _press_id(table_id, seq))
        plain.execute("BEGIN IMMEDIATE")
        plain.execute(_INSERT, row)
        plain.execute("COMMIT")
        passed.append(time.perf_counter() - began)
        seq += 1
    return passed


def _event(seq: int) -> CardPutDown:
    return CardPutDown(1_800_000_000_000 + seq, seq % 4, Card(seq % 13, seq % 4))


def _press_id(table_id: int, seq: int) -> int:
    """The id of a press that no other append has."""
    return table_id << 40 | seq
