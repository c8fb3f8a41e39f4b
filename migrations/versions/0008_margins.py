"""How narrowly the call that ended a round came before another."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rounds", sa.Column("margin", sa.Integer(), nullable=True))
    op.add_column("rounds", sa.Column("rival", sa.Integer(), nullable=True))
    op.add_column("rounds", sa.Column("rival_call", sa.String(length=16), nullable=True))
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "rounds", "rival_call", "rival", "margin")
