"""When the log, the rounds and the names of a match were deleted, as its server's retention wants it."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("purged_at", sa.BigInteger(), nullable=True))
    is_whole = sa.text("purged_at IS NULL")
    op.create_index(
        "ix_tables_whole", "tables", ["guild_id", "opened_at"], sqlite_where=is_whole, postgresql_where=is_whole
    )
    take_back(revision)


def downgrade() -> None:
    op.drop_index("ix_tables_whole", table_name="tables")
    drop_columns(revision, "tables", "purged_at")
