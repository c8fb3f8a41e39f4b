"""Brings a database to the schema of this code with Alembic and the revisions in `migrations/`."""

from pathlib import Path
from typing import Final

import structlog
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

import bot
from bot.errors import StoreError
from bot.store.engine.database import Database

_PACKAGE: Final = Path(bot.__file__).parent
_CANDIDATES: Final = (_PACKAGE / "migrations", _PACKAGE.parent / "migrations")  # in a wheel, in a checkout
_SCRIPTS: Final = next(filter(Path.is_dir, _CANDIDATES), _CANDIDATES[-1])

MIGRATION_LOCK: Final = int.from_bytes(b"kems")
"""The key of PostgreSQL's advisory lock for those that change the tables."""

_log = structlog.get_logger(__name__)


async def migrate(database: Database) -> None:
    """Apply the missing revisions in one transaction, and log it.

    Raises:
        StoreError: the database cannot be changed, or it has a schema that this version does not know.
    """
    async with database.alone(MIGRATION_LOCK) as session:
        connection = await session.connection()
        before, after = await connection.run_sync(_upgrade, database.where)
    if before == after:
        _log.info("database.up_to_date", database=database.where, schema=after)
    else:
        _log.info("database.migrated", database=database.where, before=before or "empty", after=after)


async def take_and_migrate(database: Database, wait_s: float = 0.0) -> None:
    """Keep every other bot from the database (`Database.take`), and apply the missing revisions.

    Raises:
        StoreError: another bot uses the database, or it cannot be changed.
    """
    if not database.is_sqlite and not await database.has_lease_tables():
        await migrate(database)  # makes the rows that processes take
    await database.take(wait_s)
    await migrate(database)


async def open_for_bot(database: Database, wait_s: float) -> None:
    """Apply the missing revisions; with SQLite, keep every other process from the file first.

    On PostgreSQL, a process enters once it knows the number of its shards (`bot.tables.shards`).

    Raises:
        StoreError: another bot uses the file, or the database cannot be changed.
    """
    if database.is_sqlite:
        await take_and_migrate(database, wait_s)
    else:
        await migrate(database)


async def needs_migration(database: Database) -> bool:
    """Whether the database lacks revisions of this version; it is not changed.

    Raises:
        StoreError: it cannot be read, or it has a schema that this version does not know.
    """
    async with database.transaction() as session:
        connection = await session.connection()
        before, after = await connection.run_sync(_revisions, database.where)
        return before != after


def config_for(connection: Connection) -> Config:
    """Alembic's settings for an open connection; there is no `alembic.ini`."""
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection, where: str) -> tuple[str | None, str | None]:
    revisions = _revisions(connection, where)
    command.upgrade(config_for(connection), "head")
    return revisions


def _revisions(connection: Connection, where: str) -> tuple[str | None, str | None]:
    """The revision of the database, None without one, and the newest revision of this version."""
    known = ScriptDirectory.from_config(config_for(connection))
    before = MigrationContext.configure(connection).get_current_revision()
    require_known(before, f"The database {where}")
    return before, known.get_current_head()


def require_known(revision: str | None, what: str) -> None:
    """Accept a schema of this version, an earlier one, or none.

    Raises:
        StoreError: this version does not know the schema; `what` begins the sentence.
    """
    known = ScriptDirectory(str(_SCRIPTS))
    try:
        known.get_revision(revision) if revision is not None else None
    except CommandError:
        raise StoreError(
            f"{what} has schema {revision}, which this version of the bot does not know: a newer version"
            " made it, or one from before the first release. Install that version again, or move the database away and"
            f" start with an empty one (schema {known.get_current_head()})."
        ) from None
