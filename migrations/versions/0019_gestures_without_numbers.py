"""The number of a message that was a gesture names its author, whom Discord tells: no gesture keeps one."""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("UPDATE events SET press_id = NULL WHERE kind = 'GestureMade' AND press_id IS NOT NULL")


def downgrade() -> None:
    """What is gone was needed by no version: it kept a press that arrives twice from counting twice."""
