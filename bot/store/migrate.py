"""Migrates a database to the schema of this version, with Alembic and the revisions in `migrations/`.

An empty database gets the tables of the row classes, and counts as being at the newest revision.
https://alembic.sqlalchemy.org/en/latest/cookbook.html#building-an-up-to-date-database-from-scratch

Alembic is loaded only for a database of an older version: it takes a fifth of a start, and a tenth of a bot's memory.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog
from sqlalchemy import Connection, inspect, text

import bot
from bot.base.errors import StoreError
from bot.store.engine.cluster import SqlCluster
from bot.store.engine.database import Database
from bot.store.engine.failures import NewerSchemaError, UnavailableError, UnreachedError

if TYPE_CHECKING:
    from alembic.config import Config

_PACKAGE: Final = Path(bot.__file__).parent
_CANDIDATES: Final = (_PACKAGE / "migrations", _PACKAGE.parent / "migrations")  # in a wheel, in a checkout
_SCRIPTS: Final = next(filter(Path.is_dir, _CANDIDATES), _CANDIDATES[-1])
_TRY_AGAIN_S: Final = 0.25
_REVISION: Final = re.compile(r'^revision = "(\w+)"$', re.MULTILINE)

COPIES: Final = "kems-before-update-"
"""The prefix of copies made before a migration."""
MIGRATION_LOCK: Final = int.from_bytes(b"kems")
"""The key of PostgreSQL's advisory lock for changes of tables."""

Keep = Callable[[Database], Awaitable[None]]
"""Makes a copy of a database."""

_log = structlog.get_logger(__name__)


async def keep_nothing(_database: Database) -> None:
    """Make no copy; for databases that nobody would miss."""


async def migrate(database: Database, keep: Keep = keep_nothing) -> None:
    """Apply the missing revisions in one transaction, and log it. Before, `keep` copies a database that is not empty.

    Raises:
        StoreError: The database cannot be copied or changed, or has a schema that this version does not know.
    """
    async with database.exclusive(MIGRATION_LOCK) as session:
        connection = await session.connection()
        before, after = await connection.run_sync(_revisions, database.where)
        if before not in (None, after):
            await keep(database)
        if before != after:
            await connection.run_sync(_upgrade)
    if before == after:
        _log.info("database.up_to_date", database=database.where, schema=after)
    else:
        _log.info("database.migrated", database=database.where, before=before or "empty", after=after)


async def lock_and_migrate(database: Database, keep: Keep = keep_nothing, wait_s: float = 0.0) -> None:
    """Keep every other bot out of the database (`Database.lock`), then `migrate` it.

    Raises:
        StoreError: Another bot uses the database, or it cannot be changed.
    """
    if not database.is_sqlite and await database.is_empty():
        await migrate(database)  # makes the rows that processes take
    await database.lock(wait_s)
    await migrate(database, keep)


async def open_for_bot(database: Database, wait_s: float, keep: Keep = keep_nothing) -> None:
    """Apply the missing revisions once no other process uses the database; wait up to `wait_s` seconds for that.

    A SQLite file stays locked. On PostgreSQL, a process enters the cluster later (`bot.tables.cluster`).

    Raises:
        UnavailableError: Another bot uses the file, or a bot of an older version uses the database.
        StoreError: It cannot be changed.
    """
    if database.is_sqlite:
        await lock_and_migrate(database, keep, wait_s)
        return
    until, is_told = asyncio.get_running_loop().time() + wait_s, False
    while await needs_migration(database):
        try:
            await lock_and_migrate(database, keep)
        except UnavailableError as error:
            if isinstance(error, UnreachedError) or asyncio.get_running_loop().time() >= until:
                raise
            if not is_told:
                reason = "processes of another version use it"
                _log.info("database.waiting", database=database.where, reason=reason, seconds=wait_s)
                is_told = True
            await asyncio.sleep(_TRY_AGAIN_S)
        finally:
            if isinstance(database.cluster, SqlCluster):
                await database.cluster.close()


async def needs_migration(database: Database, where: str | None = None) -> bool:
    """Return whether the database lacks revisions of this version. `where` names it in sentences.

    Raises:
        StoreError: It cannot be read, or has a schema that this version does not know.
    """
    async with database.transaction() as session:
        connection = await session.connection()
        before, after = await connection.run_sync(_revisions, where or database.where)
        return before != after


def config_for(connection: Connection) -> "Config":
    """Return Alembic's configuration for an open connection; there is no `alembic.ini`."""
    from alembic.config import Config  # noqa: PLC0415 - see above

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def require_references(connection: Connection) -> None:
    """Check, after SQLite's tables were rebuilt, that no row refers to a missing row.

    Raises:
        StoreError: One does.
    """
    if connection.dialect.name != "sqlite":
        return
    assert not connection.scalar(text("PRAGMA foreign_keys")), "else a table takes along all that refers to it"
    if broken := {str(row[0]) for row in connection.execute(text("PRAGMA foreign_key_check"))}:
        raise StoreError(
            f"Rows of {', '.join(sorted(broken))} refer to rows that the database does not have: nothing was changed."
            " Restore the last backup, and try again."
        )


def _upgrade(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - see above

    command.upgrade(config_for(connection), "head")


def _revisions(connection: Connection, where: str) -> tuple[str | None, str]:
    """Return the revision of the database, None without one, and the newest revision of this version."""
    before: str | None = None
    if inspect(connection).has_table("alembic_version"):
        before = connection.scalar(text("SELECT version_num FROM alembic_version"))
    require_known(before, f"The database {where}")
    return before, _known()[-1]


def _known() -> list[str]:
    """Return the revisions of this version, oldest first, as their files are named."""
    scripts = (file.read_text(encoding="utf-8") for file in sorted(_SCRIPTS.glob("versions/*.py")))
    return [found[1] for script in scripts if (found := _REVISION.search(script))]


def require_known(revision: str | None, what: str) -> None:
    """Check that a schema is this version's, an earlier one, or missing. `what` begins the sentence of the error.

    Raises:
        NewerSchemaError: This version does not know the schema.
    """
    known = _known()
    if revision is not None and revision not in known:
        raise NewerSchemaError(
            f"{what} has schema {revision}, which this version of the bot does not know: a newer version"
            " made it, or one from before the first release. Install that version again, or `kems restore` the copy"
            f" that it made before its update ({COPIES}*), or move the database away and start with an empty one"
            f" (schema {known[-1]})."
        )
