"""The sets of rules that servers keep, and which of them a table is played by."""

import sqlalchemy as sa
from alembic import op

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


def downgrade() -> None:
    op.drop_column("tables", "rule_set")  # in place: a batch would drop the table, and its seats and events with it
    op.drop_table("rule_sets")
