"""Copies a database while the bot runs, restores a copy, and moves everything to a database of the other kind.

SQLite is copied with `VACUUM INTO`, PostgreSQL with `pg_dump` and `pg_restore`. A move between the two copies every
row, and compares each copy with its original. A restore also replaces the files next to an SQLite file: the former WAL
would be played into the copy, and destroy it.
"""

import asyncio
import errno
import os
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import structlog
from sqlalchemy import URL, Row, String, Table, func, insert, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from bot.base.errors import StoreError
from bot.base.worker_process import without_secrets
from bot.store.engine.address import for_programs
from bot.store.engine.database import Database
from bot.store.engine.database_file import OWNER_ONLY, sibling
from bot.store.engine.failures import NoCopyError, explain
from bot.store.migrate import COPIES, lock_and_migrate, needs_migration, require_known
from bot.store.schema import Base
from bot.store.schema.tables import OF_PROCESSES, NightRow, TableRow

OF_OWNER: Final = 0o700
_LONGEST_S: Final = 3600
_WAITS_FOR_LOCKS: Final = "-c lock_timeout=10s"
_DATED: Final = re.compile(r"kems-\d{8}-\d{6}\.(?:db|dump)")
_SQLITE_HEADER: Final = b"SQLite format 3\0"
"""https://sqlite.org/fileformat.html#the_database_header"""
_DUMP_HEADER: Final = b"PGDMP"
"""The first bytes of a file of `pg_dump --format=custom`."""
_REVISION: Final = re.compile(r"^COPY \S*alembic_version \(version_num\) FROM stdin;\n(\w+)\n", re.MULTILINE)

_log = structlog.get_logger(__name__)

BATCH: Final = 500
_TABLES: Final = tuple(table for table in Base.metadata.sorted_tables if table.name not in OF_PROCESSES)
_CONTINUE_IDS: Final = text("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)")


async def run_program(name: str, *arguments: str, url: URL | None = None, failed: str) -> str:
    """Run a program, on a database if `url` is given, and return what it printed.

    `failed` begins the sentence about a failure.

    Raises:
        StoreError: The program is not installed, failed, or took longer than an hour.
    """
    program = shutil.which(name)
    if program is None:
        raise StoreError(f"{name} is not installed: install PostgreSQL's client programs, or work on its server.")
    address, secret = ("", {}) if url is None else for_programs(url)
    process = await asyncio.create_subprocess_exec(
        program,
        *([] if url is None else [f"--dbname={address}"]),
        *arguments,
        env={"PGOPTIONS": _WAITS_FOR_LOCKS, **without_secrets(os.environ), **secret},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(_LONGEST_S):
            printed, complaints = await process.communicate()
    except TimeoutError:
        raise StoreError(f"{failed} within an hour.") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        lines = [line for line in complaints.decode(errors="replace").splitlines() if line.strip()] or [
            "it does not say why"
        ]
        first = next((line for line in lines if "error:" in line), lines[-1])
        raise StoreError(f"{failed}: {first.strip().rstrip('.')}.")
    return printed.decode(errors="replace")


async def keep_before_update(database: Database) -> None:
    """Copy everything before the tables change: next to an SQLite file, or else into the working directory.

    Raises:
        NoCopyError: No copy could be made.
    """
    target = _dated(_home(database), COPIES, database)
    try:
        await back_up(database, target)
    except StoreError as error:
        raise NoCopyError(
            f"The database {database.where} stays as it is, because no copy of it can be made before its tables change."
            f" {error} `kems migrate --no-backup` changes them without a copy."
        ) from None
    _log.info("database.copied", file=str(target), way_back="the version before, then kems restore FILE")


def _dated(folder: Path, name: str, database: Database) -> Path:
    ending = "db" if database.is_sqlite else "dump"
    return folder / f"{name}{datetime.now(UTC):%Y%m%d-%H%M%S}.{ending}"


async def add_backup(database: Database, folder: Path, keep: int) -> tuple[Path, int, int]:
    """Copy everything into a new file named after the time, and delete the oldest such files in the folder.

    The folder is created if it does not exist.

    Returns:
        The file, its size in bytes, and how many files were deleted so that `keep` remain.

    Raises:
        StoreError: No copy could be made, and nothing is deleted; or an old one could not be deleted.
    """
    target = _dated(folder, "kems-", database)
    try:
        await asyncio.to_thread(folder.mkdir, OF_OWNER, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be a folder of copies: {error.strerror}. Name another one.") from None
    size = await back_up(database, target)
    return target, size, _delete_oldest(folder, keep)


def _delete_oldest(folder: Path, keep: int) -> int:
    """Delete the oldest files that `add_backup` has named, and return how many; their names sort by time.

    Raises:
        StoreError: A file cannot be deleted.
    """
    old = sorted(each for each in folder.iterdir() if _DATED.fullmatch(each.name))[:-keep]
    try:
        for each in old:
            each.unlink()
    except OSError as error:
        raise StoreError(f"Old copies in {folder} cannot be deleted: {error.strerror}.") from None
    return len(old)


async def back_up(database: Database, target: Path) -> int:
    """Copy everything into a new file, which appears once it is complete, and return its size in bytes.

    Raises:
        StoreError: The file exists already, or the database or the folder cannot be used.
    """
    part = _part_of(target)
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        if database.is_sqlite:
            await asyncio.to_thread(_copy_sqlite, database, part)
        else:
            await run_program(
                "pg_dump",
                *("--format=custom", f"--file={part}"),
                *(f"--exclude-table-data={table}" for table in OF_PROCESSES),  # a copy belongs to no process
                url=database.url,
                failed=f"The database {database.where} could not be copied",
            )
        return part.rename(target).stat().st_size
    except OSError as error:
        is_long = error.errno == errno.ENAMETOOLONG
        advice = "Choose a shorter name." if is_long else "Name a folder that the bot may use."
        raise StoreError(f"{target} cannot be written: {error.strerror}. {advice}") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _part_of(target: Path) -> Path:
    """Return the file to write before `target` appears.

    Raises:
        StoreError: The target exists already.
    """
    if os.path.exists(target):  # noqa: PTH110 - of a name that is too long a Path cannot say it
        raise StoreError(f"{target} exists already: name another file, or move this one away.")
    return target.with_name(f"{target.name}.part")


def _copy_sqlite(database: Database, part: Path) -> None:
    """Copy by reading only: a second writer could damage the file (see `database`), and a reader never checkpoints.

    Raises:
        StoreError: The disk is full, or the database is damaged.
    """  # noqa: DOC501 - `explain` makes one
    database.check_exists("back up")
    source = database.file
    assert source is not None, "SQLite has a file"
    try:
        with closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, isolation_level=None)) as reader:
            reader.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(f"{part.absolute().as_uri()}?mode=ro", uri=True)) as copy:
            (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL:  # only the copy is written
            raise StoreError(f"{part.with_suffix('')} cannot be written: the disk of {part.parent} is full.") from error
        raise explain(error, database.where) from error
    if verdict != "ok":
        raise StoreError(f"The database {database.where} is damaged ({verdict}): keep the last backup that was whole.")


async def restore(database: Database, copy: Path, *, keeps_copy: bool = True) -> Path | None:
    """Replace the database's contents with a backup. Return the copy of the former contents, if one was made.

    Raises:
        StoreError: The copy cannot be used, a bot uses the database, or it cannot be written. Nothing has changed then.
    """
    require_file(copy)
    _require_same_kind(database, copy)
    if database.is_sqlite:
        return await _put_sqlite(database, copy, keeps_copy=keeps_copy)
    return await _put_postgres(database, copy, keeps_copy=keeps_copy)


async def _keep_replaced(database: Database) -> Path | None:
    """Copy what a restore replaces, even if it is damaged, and return the copy.

    Raises:
        StoreError: It cannot be copied.
    """
    target = _dated(_home(database), "kems-before-restore-", database)
    file = database.file
    if file is not None and not file.exists():
        return None
    try:
        await back_up(database, target)
    except StoreError as error:
        try:
            if file is None:
                raise
            for ending in ("", "-wal"):
                if (part := sibling(file, ending)).exists():
                    shutil.copy2(part, sibling(target, ending))
        except (StoreError, OSError):
            raise StoreError(
                f"The database {database.where} stays as it is, because no copy of it can be made. {error}"
                " `kems restore --no-backup` replaces it without a copy."
            ) from None
    return target


def _home(database: Database) -> Path:
    """Return where the bot puts its own copies: next to an SQLite file, else in the working directory."""
    return Path.cwd() if database.file is None else database.file.parent


def require_file(copy: Path) -> None:
    """Check that a file exists.

    Raises:
        StoreError: It does not.
    """
    if not os.path.isfile(copy):  # noqa: PTH113 - of a name that is too long a Path cannot say it
        raise StoreError(f"There is no file {copy}: name a backup that `kems backup` made.")


def _require_same_kind(database: Database, copy: Path) -> None:
    """Check that the copy is of the database's kind.

    Raises:
        StoreError: One is SQLite and the other PostgreSQL.
    """
    with copy.open("rb") as file:
        start = file.read(len(_SQLITE_HEADER))
    if not database.is_sqlite and start == _SQLITE_HEADER:
        raise StoreError(
            f"{copy} is a copy of an SQLite database, and {database.where} is PostgreSQL: move it there with"
            f" `kems copy-db sqlite:///{copy} ADDRESS`."
        )
    if database.is_sqlite and start.startswith(_DUMP_HEADER):
        raise StoreError(
            f"{copy} is a copy of a PostgreSQL database, and {database.where} is SQLite: restore it into PostgreSQL,"
            " then `kems copy-db` moves it here."
        )


async def _put_sqlite(database: Database, copy: Path, *, keeps_copy: bool) -> Path | None:
    file = database.file
    if file is None:
        raise StoreError(f"The database {database.where} is not a file: there is nothing to restore.")
    if file.exists() and file.samefile(copy):
        raise StoreError(f"{copy} is the database itself: name a backup of it.")
    await database.lock()
    part = sibling(file, ".part")
    try:
        await asyncio.to_thread(_copy_and_check, copy, part)
        kept = await _keep_replaced(database) if keeps_copy else None
        await asyncio.to_thread(_replace, file, part)
    except OSError as error:
        raise StoreError(f"{database.where} cannot be written: {error.strerror}.") from None
    finally:
        for ending in ("", "-wal", "-shm"):
            sibling(part, ending).unlink(missing_ok=True)
    return kept


def _copy_and_check(copy: Path, part: Path) -> None:
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    shutil.copyfile(copy, part)
    _check_sqlite(part, copy)
    _sync(part)


def _replace(file: Path, part: Path) -> None:
    for ending in ("-wal", "-shm"):  # before the copy is there: never the copy beside them
        sibling(file, ending).unlink(missing_ok=True)
    part.replace(file)
    _sync(file.parent)  # the renaming


def _check_sqlite(part: Path, copy: Path) -> None:
    if sibling(copy, "-wal").exists():
        raise StoreError(f"{copy} has a -wal beside it, so it is no backup of `kems backup`, and not whole by itself.")
    found = None
    try:
        with closing(sqlite3.connect(part)) as reader:
            (verdict,) = reader.execute("PRAGMA integrity_check(1)").fetchone()
            found = reader.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        if "no such table" in str(error):
            raise StoreError(f"{copy} is not a backup of this bot: it has none of its tables.") from None
        if isinstance(error, sqlite3.OperationalError):
            raise explain(error, str(copy)) from error
        verdict = str(error)
    if verdict != "ok":
        raise StoreError(f"{copy} is damaged ({verdict}): take an older backup.")
    require_known(None if found is None else str(found[0]), str(copy))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


async def _put_postgres(database: Database, copy: Path, *, keeps_copy: bool) -> Path | None:
    failed = f"{copy} cannot be read as a whole backup of PostgreSQL, so take an older one"
    await run_program("pg_restore", f"--file={os.devnull}", str(copy), failed=failed)
    only_revision = ("--data-only", "--table=alembic_version", "--file=-", str(copy))
    printed = await run_program("pg_restore", *only_revision, failed=failed)
    found = _REVISION.search(printed)
    if found is None:
        raise StoreError(f"{copy} is not a backup of this bot: it has none of its tables.")
    require_known(found[1], str(copy))
    kept = None
    if not await database.is_empty():
        await database.lock()  # a process that starts now waits
        kept = await _keep_replaced(database) if keeps_copy else None
    await run_program(
        "pg_restore",
        *("--clean", "--if-exists", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"),
        str(copy),
        url=database.url,
        failed=f"The database {database.where} could not be restored",
    )
    return kept


async def copy_database(source: Database, target: Database) -> int:
    """Copy everything into an empty database, in one transaction, and return the number of rows.

    Raises:
        StoreError: A bot uses one of them, the target is not empty, the source has other tables than this version, or
            one of them cannot be used. Nothing has changed then, except that PostgreSQL has empty tables.
    """
    if source.url == target.url:
        raise StoreError(f"{source.where} cannot be copied onto itself: name another database to copy to.")
    source.check_exists("copy")
    if await needs_migration(source):
        raise StoreError(f"The database {source.where} lacks tables of this version: run `kems migrate` with it first.")
    is_new = target.file is not None and not target.file.exists()
    try:
        return await _copy_rows(source, target)
    except BaseException:
        if target.file is not None and is_new:
            for ending in ("", "-wal", "-shm"):
                sibling(target.file, ending).unlink(missing_ok=True)
        raise


async def _copy_rows(source: Database, target: Database) -> int:
    await source.lock()
    await lock_and_migrate(target)
    count = 0
    async with source.reading() as reader, target.transaction() as writer:
        for table in _TABLES:
            if await writer.scalar(select(func.count()).select_from(table)):
                raise StoreError(f"The database {target.where} holds something already: name an empty one to copy to.")
        for table in _TABLES:
            async for rows in _batches(reader, table):
                await writer.execute(insert(table), [dict(row._mapping) for row in rows])
                count += len(rows)
        for table in _TABLES:
            await _compare(table, reader, writer, target.where)
        for row in (TableRow, NightRow):
            last = await writer.scalar(select(func.max(row.id)))
            if last is not None and not target.is_sqlite:
                await writer.execute(_CONTINUE_IDS, {"table": row.__tablename__, "last": last})
    return count


async def _compare(table: Table, source: AsyncSession, target: AsyncSession, where: str) -> None:
    copies = _batches(target, table)
    async for rows in _batches(source, table):
        if [tuple(row) for row in rows] != [tuple(row) for row in await anext(copies, None) or ()]:
            raise StoreError(f"The rows of {table.name} are not the same in {where}: nothing was copied.")
    if await anext(copies, None):
        raise StoreError(f"There are more rows of {table.name} in {where} than there were: nothing was copied.")


async def _batches(session: AsyncSession, table: Table) -> AsyncIterator[Sequence[Row[Any]]]:
    """Yield all rows in the order of their keys, which is the same in both databases."""
    key = tuple(table.primary_key.columns)
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    by_bytes = [column.collate("C") if isinstance(column.type, String) and not is_sqlite else column for column in key]
    query = select(table).order_by(*by_bytes).limit(BATCH)
    rows = (await session.execute(query)).all()
    while rows:
        yield rows
        last = tuple(rows[-1]._mapping[column] for column in key)
        rows = (await session.execute(query.where(tuple_(*by_bytes) > last))).all()
