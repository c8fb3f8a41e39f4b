"""${message}."""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
from bot.store.parking import drop_columns, drop_tables, take_back

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
    take_back(revision)


def downgrade() -> None:  # with `drop_tables` and `drop_columns`, so that nothing is lost
    ${downgrades if downgrades else "pass"}
