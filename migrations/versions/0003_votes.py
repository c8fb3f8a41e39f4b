"""The vote on sign strategies: its outcome with the table, and while it runs each ballot with its seat."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("strategies", sa.Text(), nullable=True))
    op.add_column("seats", sa.Column("ballot", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("seats", "ballot")
    op.drop_column("tables", "strategies")
