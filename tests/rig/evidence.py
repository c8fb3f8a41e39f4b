"""What the bot's database holds, read from outside: after a crash from a copy, while it runs without writing."""

import secrets
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy import make_url

from bot.game.events import Event
from bot.game.evolve import evolve_all
from bot.game.state import State
from bot.store.schema.codec import decode_event, unpack
from tests.store.conftest import SERVER, on_server

_LOGS = "SELECT table_id, packed_events FROM logs ORDER BY table_id"
_EVENTS = "SELECT table_id, seq, kind, version, body, press_id FROM events ORDER BY table_id, seq"
_SEATS = "SELECT table_id, seat, user_id FROM seats"
_HANDS = "SELECT table_id, user_id, message_id FROM panels WHERE page = 'hand'"
_TABLES = "SELECT id, status, message_id FROM tables"


@dataclass(frozen=True, slots=True)
class Logged:
    """One event of a log."""

    seq: int
    event: Event
    press_id: int | None


@dataclass(frozen=True, slots=True)
class TableRecord:
    """One table as stored: people by seat (None: a robot), its log, the messages of hands that can be reached."""

    id: int
    status: str
    message_id: int | None
    seats: dict[int, int | None]
    log: tuple[Logged, ...]
    panels: dict[int, int]

    @property
    def is_playing(self) -> bool:
        return self.status == "playing"

    def state(self) -> State:
        return evolve_all(None, (entry.event for entry in self.log))


def goes_on(table: TableRecord | None) -> bool:
    return table is not None and table.is_playing and bool(table.log)


def read_copy(database: Path) -> dict[int, TableRecord]:
    """The tables of a dead bot, from a copy of its files.

    Raises:
        AssertionError: the file is damaged, or a log has a gap.
    """
    folder = database.parent / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in (database.name, f"{database.name}-wal"):
        if (database.parent / name).exists():
            shutil.copy(database.parent / name, folder / name)
    with _opened(f"file:{folder / database.name}") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return _read_all(connection)


def read_running(database: Path) -> dict[int, TableRecord]:
    """The tables of a running bot; nothing is written or checkpointed by reading."""
    with _opened(f"file:{database}?mode=ro") as connection:
        return _read_all(connection)


async def read_postgres(dsn: str) -> dict[int, TableRecord]:
    """The tables of a PostgreSQL database, whether a bot runs on it or not."""
    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            found = {query: await connection.fetch(query) for query in (_EVENTS, _LOGS, _SEATS, _HANDS, _TABLES)}
    finally:
        await connection.close()
    return _read(found.__getitem__)


@asynccontextmanager
async def postgres_database(*, is_safe: bool = False) -> AsyncIterator[str]:
    """The address of an empty database, which waits for the disk at a commit only where it ``is_safe``."""
    name = f"kems_rig_{secrets.token_hex(6)}"
    await on_server(f"CREATE DATABASE {name}")
    if not is_safe:  # no test kills the server
        await on_server(f"ALTER DATABASE {name} SET synchronous_commit = off")
    try:
        yield make_url(SERVER).set(drivername="postgresql", database=name).render_as_string(hide_password=False)
    finally:
        await on_server(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def _opened(address: str) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(address, uri=True, timeout=5)
    try:
        yield connection
    finally:
        connection.close()


def _read_all(connection: sqlite3.Connection) -> dict[int, TableRecord]:
    connection.execute("BEGIN")  # all from one moment
    return _read(connection.execute)


def _read(rows: Callable[[str], Iterable[Any]]) -> dict[int, TableRecord]:
    logs: dict[int, list[Logged]] = {}
    for table_id, seq, kind, version, body, press_id in rows(_EVENTS):
        log = logs.setdefault(table_id, [])
        assert seq == len(log) + 1, f"the log of table {table_id} has a gap before event {seq}"
        log.append(Logged(seq, decode_event(kind, version, body), press_id))
    for table_id, packed in rows(_LOGS):
        assert table_id not in logs, f"the log of table {table_id} is packed and is not"
        stored = unpack(packed)
        logs[table_id] = [Logged(e.seq, decode_event(e.kind, e.version, e.body), e.press_id) for e in stored]
    seats: dict[int, dict[int, int | None]] = {}
    for table_id, seat, user_id in rows(_SEATS):
        seats.setdefault(table_id, {})[seat] = user_id
    panels: dict[int, dict[int, int]] = {}
    for table_id, user_id, message_id in rows(_HANDS):
        panels.setdefault(table_id, {})[user_id] = message_id
    return {
        key: TableRecord(key, status, message_id, seats.get(key, {}), tuple(logs.get(key, ())), panels.get(key, {}))
        for key, status, message_id in rows(_TABLES)
    }
