"""The message that a table has left and that still has to say so, so that it does after a crash as well."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("former_channel_id", sa.BigInteger(), nullable=True))
    op.add_column("tables", sa.Column("former_message_id", sa.BigInteger(), nullable=True))
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "tables", "former_message_id", "former_channel_id")
