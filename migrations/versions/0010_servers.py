"""What servers have chosen apart from their ladder, and for how long a table waits for people who do nothing."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, drop_tables, take_back

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("table_channels", sa.Text(), nullable=False),
        sa.Column("podium_channel", sa.BigInteger(), nullable=True),
        sa.Column("champion_role", sa.BigInteger(), nullable=True),
        sa.Column("absence", sa.String(length=16), nullable=False),
        sa.Column("afk_seconds", sa.Integer(), nullable=True),
        sa.Column("retention_days", sa.Integer(), nullable=True),
        sa.Column("retained_until", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_servers")),
    )
    op.add_column("tables", sa.Column("afk_seconds", sa.Integer(), nullable=True))
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "tables", "afk_seconds")
    drop_tables(revision, "servers")
