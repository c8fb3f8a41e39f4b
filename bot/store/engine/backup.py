"""A consistent copy of the database while the bot runs: `VACUUM INTO` for SQLite, `pg_dump` for PostgreSQL."""

import asyncio
import os
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.errors import StoreError
from bot.store.engine.database import Database
from bot.store.engine.database_file import OWNER_ONLY
from bot.store.engine.failures import explain
from bot.store.engine.postgres_programs import run_program

_WITHOUT_DATA: Final = tuple(f"--exclude-table-data={table}" for table in ("processes", "leases", "identifies"))
_DATED: Final = re.compile(r"kems-\d{8}-\d{6}\.(?:db|dump)")


async def add_backup(database: Database, folder: Path, keep: int) -> tuple[Path, int, int]:
    """Copy everything into a new file named by the time, and delete the oldest of such files in the folder.

    Returns the file, its size in bytes, and how many were deleted so that `keep` remain.

    Raises:
        StoreError: there is no copy, and nothing is deleted; or an old one could not be deleted.
    """
    ending = "db" if database.is_sqlite else "dump"
    target = folder / f"kems-{datetime.now(UTC):%Y%m%d-%H%M%S}.{ending}"
    size = await back_up(database, target)
    return target, size, _delete_oldest(folder, keep)


def _delete_oldest(folder: Path, keep: int) -> int:
    """Only files that `add_backup` has named: their names are in the order of time."""
    old = sorted(each for each in folder.iterdir() if _DATED.fullmatch(each.name))[:-keep]
    try:
        for each in old:
            each.unlink()
    except OSError as error:
        raise StoreError(f"Old copies in {folder} cannot be deleted: {error.strerror}.") from None
    return len(old)


async def back_up(database: Database, target: Path) -> int:
    """Copy everything into a new file, which appears once it is complete; its size in bytes.

    Raises:
        StoreError: the file exists already, or the database or the folder cannot be used.
    """
    part = _part_of(target)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        if database.is_sqlite:
            await asyncio.to_thread(_copy_sqlite, database, part)
        else:
            await _dump_postgres(database, part)
        return _finished(part, target)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}. Name a folder that the bot may use.") from None
    finally:
        _remove(part)


def _part_of(target: Path) -> Path:
    if target.exists():
        raise StoreError(f"{target} exists already: name another file, or move this one away.")
    return target.with_name(f"{target.name}.part")


def _remove(part: Path) -> None:
    part.unlink(missing_ok=True)


def _finished(part: Path, target: Path) -> int:
    part.rename(target)
    return target.stat().st_size


def _copy_sqlite(database: Database, part: Path) -> None:
    """Only reads: a second writer could damage the file (see `database`), and a reader never checkpoints."""
    source = database.file
    if source is None or not source.exists():
        raise StoreError(f"There is no database {database.where} to back up: has the bot run here?")
    try:
        with closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, isolation_level=None)) as reader:
            reader.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(f"{part.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        raise explain(error, database.where) from error
    if verdict != "ok":
        raise StoreError(f"The database {database.where} is damaged ({verdict}): keep the last backup that was whole.")


async def _dump_postgres(database: Database, part: Path) -> None:
    """Without the leases: a restored database belongs to no process."""
    await run_program(
        "pg_dump",
        *("--format=custom", *_WITHOUT_DATA, f"--file={part}"),
        url=database.url,
        failed=f"The database {database.where} could not be copied",
    )
