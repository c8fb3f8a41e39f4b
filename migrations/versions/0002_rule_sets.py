"""The sets of rules that servers keep, and which of them a table is played by."""

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_columns, drop_tables, take_back

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rule_sets",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "key", name=op.f("pk_rule_sets")),
    )
    op.add_column("tables", sa.Column("rule_set", sa.String(length=32), nullable=True))
    take_back(revision)


def downgrade() -> None:
    drop_columns(revision, "tables", "rule_set")
    drop_tables(revision, "rule_sets")
