"""Brings a database to the schema of this code; Alembic, run from here, with the steps in `migrations/`."""

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
_STEPS: Final = next(filter(Path.is_dir, _CANDIDATES), _CANDIDATES[-1])

log = structlog.get_logger()


async def migrate(database: Database) -> None:
    """Apply what is missing, in one transaction, and say so in the log.

    Raises:
        StoreError: the database cannot be changed, or a newer version of the bot has changed it already.
    """
    async with database.transaction() as session:
        connection = await session.connection()
        before, after = await connection.run_sync(_upgrade, database.where)
    if before == after:
        log.info("database.up_to_date", database=database.where, schema=after)
    else:
        log.info("database.migrated", database=database.where, before=before or "empty", after=after)


async def needs_migration(database: Database) -> bool:
    """Whether the database lacks tables of this version; it is not changed.

    Raises:
        StoreError: it cannot be read, or a newer version of the bot has changed it already.
    """
    async with database.transaction() as session:
        connection = await session.connection()
        before, after = await connection.run_sync(_revisions, database.where)
        return before != after


def config_for(connection: Connection) -> Config:
    """Alembic's settings for a connection that is open already; no `alembic.ini`."""
    config = Config()
    config.set_main_option("script_location", str(_STEPS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection, where: str) -> tuple[str | None, str | None]:
    revisions = _revisions(connection, where)
    command.upgrade(config_for(connection), "head")
    return revisions


def _revisions(connection: Connection, where: str) -> tuple[str | None, str | None]:
    """What the database has, None for an empty one, and what this version needs."""
    known = ScriptDirectory.from_config(config_for(connection))
    before = MigrationContext.configure(connection).get_current_revision()
    try:
        known.get_revision(before) if before is not None else None
    except CommandError:
        raise StoreError(
            f"The database {where} has schema {before}, which this version of the bot does not know: "
            f"install the version that made it, or restore an older backup. Known here: {known.get_current_head()}."
        ) from None
    return before, known.get_current_head()
