"""The faces that a table's cards have; tables from before had French cards."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("theme", sa.String(length=16), nullable=False, server_default="french"))
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "tables", "theme")
