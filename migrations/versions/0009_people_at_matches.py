"""Who is away from a running match, which seats may be taken, and what the host chose for people who do not come."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("absence", sa.String(length=16), server_default="robot", nullable=False))
    op.add_column("seats", sa.Column("is_away", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("seats", sa.Column("is_open", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("departures", sa.Column("was_sent_away", sa.Boolean(), server_default=sa.false(), nullable=False))
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "departures", "was_sent_away")
    drop_columns(revision, "seats", "is_open", "is_away")
    drop_columns(revision, "tables", "absence")
