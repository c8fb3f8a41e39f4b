"""What was cancelled or expired before is told already: its message need not be brought up to date."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import keep_columns, take_back

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    tables = sa.table("tables", sa.column("status", sa.String), sa.column("message_final", sa.Boolean))
    ended = tables.c.status.in_(("cancelled", "expired"))
    op.execute(sa.update(tables).where(ended).values(message_final=sa.true()))
    take_back(revision)


def downgrade() -> None:
    """An older version does not look at it."""
    keep_columns(revision, "tables", "message_final", where="status IN ('cancelled', 'expired') AND NOT message_final")
