"""Puts a backup in the place of a database that no bot uses.

What SQLite has beside the file belongs to the file that was there before: its WAL would be played into the copy, and
destroy it.
"""

import asyncio
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.errors import StoreError
from bot.store.engine.database import Database
from bot.store.engine.database_file import OWNER_ONLY, beside
from bot.store.engine.failures import explain
from bot.store.engine.migrate import require_known
from bot.store.engine.postgres_programs import run_program

_REVISION = re.compile(r"^COPY \S*alembic_version \(version_num\) FROM stdin;\n(\w+)\n", re.MULTILINE)


async def restore(database: Database, copy: Path) -> None:
    """Put a backup in the place of everything that the database holds.

    Raises:
        StoreError: the copy cannot be used, a bot uses the database, or it cannot be written. Nothing has changed then.
    """
    _require_file(copy)
    if database.is_sqlite:
        await database.take()
        try:
            await asyncio.to_thread(_put_sqlite, database, copy)
        except OSError as error:
            raise StoreError(f"{database.where} cannot be written: {error.strerror}.") from None
    else:
        await _put_postgres(database, copy)


def _require_file(copy: Path) -> None:
    if not copy.is_file():
        raise StoreError(f"There is no file {copy}: name a backup that `kems backup` made.")


def _put_sqlite(database: Database, copy: Path) -> None:
    file = database.file
    if file is None:
        raise StoreError(f"The database {database.where} is not a file: there is nothing to restore.")
    if file.exists() and file.samefile(copy):
        raise StoreError(f"{copy} is the database itself: name a backup of it.")
    part = beside(file, ".part")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        shutil.copyfile(copy, part)
        _check_sqlite(part, copy)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        for ending in ("-wal", "-shm"):  # before the copy is there: never the copy beside them
            beside(file, ending).unlink(missing_ok=True)
        part.replace(file)
        _sync_folder(file.parent)
    finally:
        for ending in ("", "-wal", "-shm"):
            beside(part, ending).unlink(missing_ok=True)


def _check_sqlite(part: Path, copy: Path) -> None:
    if beside(copy, "-wal").exists():
        raise StoreError(f"{copy} has a -wal beside it, so it is no backup of `kems backup`, and not whole by itself.")
    try:
        with closing(sqlite3.connect(part)) as reader:
            (verdict,) = reader.execute("PRAGMA integrity_check(1)").fetchone()
            found = reader.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        if "no such table" in str(error):
            raise StoreError(f"{copy} is not a backup of this bot: it has none of its tables.") from None
        raise explain(error, str(copy)) from error
    if verdict != "ok":
        raise StoreError(f"{copy} is damaged ({verdict}): take an older backup.")
    require_known(None if found is None else str(found[0]), str(copy))


def _sync_folder(folder: Path) -> None:
    """Make the renaming durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


async def _put_postgres(database: Database, copy: Path) -> None:
    only_revision = ("--data-only", "--table=alembic_version", "--file=-", str(copy))
    printed = await run_program("pg_restore", *only_revision, failed=f"{copy} cannot be read as a backup of PostgreSQL")
    found = _REVISION.search(printed)
    if found is None:
        raise StoreError(f"{copy} is not a backup of this bot: it has none of its tables.")
    require_known(found[1], str(copy))
    if await database.has_lease_tables():
        await database.take()  # a process that starts now waits
    await run_program(
        "pg_restore",
        *("--clean", "--if-exists", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"),
        str(copy),
        url=database.url,
        failed=f"The database {database.where} could not be restored",
    )
