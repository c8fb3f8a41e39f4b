"""Servers whose ratings are being made anew, so that a recount which is interrupted is finished."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_tables, take_back

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "recounts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("stamp", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_recounts"),
    )
    take_back(revision)


def downgrade() -> None:
    drop_tables(revision, "recounts")
