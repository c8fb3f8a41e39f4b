"""When the match of a table ended, beside where it was played: a channel's last matches are found by an index."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_FROM_RESULTS = """
UPDATE tables SET ended_at = (SELECT results.ended_at FROM results WHERE results.table_id = tables.id)
WHERE ended_at IS NULL
"""


def upgrade() -> None:
    op.add_column("tables", sa.Column("ended_at", sa.BigInteger(), nullable=True))
    take_back(revision)
    op.execute(_FROM_RESULTS)
    ended = sa.text("ended_at IS NOT NULL")
    columns = ["guild_id", "channel_id", "ended_at", "id"]
    op.create_index("ix_tables_ended", "tables", columns, sqlite_where=ended, postgresql_where=ended)


def downgrade() -> None:
    op.drop_index("ix_tables_ended", "tables")
    drop_columns(revision, "tables", "ended_at")
