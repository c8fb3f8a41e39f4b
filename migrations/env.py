"""Alembic's entry: runs on the connection of `bot.store.migrate`, or else on the settings' database.

With `--sql` it prints the statements for the kind of database that the settings name, and connects to none.
"""

import asyncio

from alembic import context
from sqlalchemy import Connection

from bot.base import settings
from bot.store.engine.address import parse_address
from bot.store.engine.database import Database
from bot.store.migrate import MIGRATION_LOCK, require_references
from bot.store.schema import Base


def run(connection: Connection) -> None:
    """Run Alembic's command on an open connection."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,  # SQLite cannot alter most of a table in place
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()
        require_references(connection)


async def run_on_the_settings_database() -> None:
    """Run the command that `alembic` was started with, in one transaction on DATABASE_URL."""
    database = Database(settings.load().database_url)
    try:
        async with database.exclusive(MIGRATION_LOCK) as session:
            await (await session.connection()).run_sync(run)
    finally:
        await database.close()


def print_sql() -> None:
    """Print what the command would do, as one transaction."""
    dialect = parse_address(settings.load().database_url).get_backend_name()
    context.configure(dialect_name=dialect, target_metadata=Base.metadata, literal_binds=True, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


if (shared_connection := context.config.attributes.get("connection")) is not None:
    run(shared_connection)
elif context.is_offline_mode():
    print_sql()
else:
    asyncio.run(run_on_the_settings_database())
