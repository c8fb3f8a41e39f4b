"""Alembic's entry: runs on the connection of `bot.store.migrate`, or else on the settings' database.

An empty database gets all tables at once (`create`); revisions bring databases of earlier releases to the same ones.
"""

import asyncio

from alembic import context
from sqlalchemy import Connection

from bot.base import settings
from bot.store.engine.database import Database
from bot.store.migrate import MIGRATION_LOCK, create, require_references
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
        if context.get_context().get_current_revision() is None:
            create(connection)
        context.run_migrations()
        require_references(connection)


async def run_on_the_settings_database() -> None:
    """Run the command that `alembic` was started with, in one transaction on DATABASE_URL."""
    database = Database(settings.load().database_url)
    try:
        async with database.alone(MIGRATION_LOCK) as session:
            await (await session.connection()).run_sync(run)
    finally:
        await database.close()


if (handed_over := context.config.attributes.get("connection")) is not None:
    run(handed_over)
else:
    asyncio.run(run_on_the_settings_database())
