"""When a lobby that nobody starts is closed."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("closes_at", sa.BigInteger(), nullable=True))
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "tables", "closes_at")
