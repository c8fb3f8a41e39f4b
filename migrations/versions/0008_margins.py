"""How narrowly the call that ended a round came before another."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rounds", sa.Column("margin", sa.Integer(), nullable=True))
    op.add_column("rounds", sa.Column("rival", sa.Integer(), nullable=True))
    op.add_column("rounds", sa.Column("rival_call", sa.String(length=16), nullable=True))


def downgrade() -> None:
    for name in ("rival_call", "rival", "margin"):
        op.drop_column("rounds", name)
