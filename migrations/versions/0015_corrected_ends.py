"""What a season's end was told with, and how often it was asked for since. What was done before is done with something
that nobody knows."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, take_back

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("season_duties", sa.Column("asked", sa.Integer(), server_default="0", nullable=False))
    op.add_column("season_duties", sa.Column("told", sa.String(length=32), nullable=True))
    op.execute("UPDATE season_duties SET told = '' WHERE progress = 'done'")
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "season_duties", "asked", "told")
