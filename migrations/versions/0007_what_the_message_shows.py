"""What a table's message shows, so that after a crash the bot knows what it had still to post or to say."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("message_round", sa.Integer(), server_default="0", nullable=False))
    op.add_column("tables", sa.Column("message_final", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute("UPDATE tables SET message_final = true WHERE status IN ('over', 'cancelled')")
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "tables", "message_final", "message_round")
