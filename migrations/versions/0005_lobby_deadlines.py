"""When a lobby that nobody starts is closed."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("closes_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("tables", "closes_at")  # in place: a batch would drop the table, and its seats and events with it
