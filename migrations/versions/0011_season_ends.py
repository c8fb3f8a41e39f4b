"""What is to be done when a season is over, and who has the role for the best. Seasons that ended before are told."""

import time

import sqlalchemy as sa
from alembic import op

from bot.store.privacy.parking import drop_tables, take_back

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "season_duties",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("duty", sa.String(length=16), nullable=False),
        sa.Column("progress", sa.String(length=16), nullable=False),
        sa.Column("nonce", sa.String(length=25), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("problem", sa.String(length=16), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "season", "duty", name=op.f("pk_season_duties")),
    )
    op.create_index(op.f("ix_season_duties_due_at"), "season_duties", ["due_at"])
    op.create_table(
        "champions",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("role_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_champions")),
    )
    op.create_index(op.f("ix_champions_user_id"), "champions", ["user_id"])
    told = (
        "INSERT INTO season_duties (guild_id, season, duty, progress, nonce, until, tries)"
        " SELECT guild_id, number, 'podium', 'nothing', '', ends_at, 0 FROM seasons WHERE ends_at <= :now"
    )
    op.get_bind().execute(sa.text(told), {"now": time.time_ns() // 1_000_000})
    take_back(revision)


def downgrade() -> None:
    drop_tables(revision, "champions", "season_duties")
