"""The vote on sign strategies: its outcome with the table, and while it runs each ballot with its seat."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("strategies", sa.Text(), nullable=True))
    op.add_column("seats", sa.Column("ballot", sa.Text(), nullable=True))
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "seats", "ballot")
    drop_columns(revision, "tables", "strategies")
