"""Alembic's entry: runs the steps on the connection that `bot.store.engine.migrate` hands over."""

from alembic import context

from bot.store.engine.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite cannot alter most of a table in place
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
