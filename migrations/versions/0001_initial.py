"""The schema of the first release, which `bot.store.migrate` makes in an empty database.

The id of the newest revision is a digest of the schema (`make schema` writes it), so that a database with other
tables is refused instead of half-read. Until the first release is tagged, each change of the schema changes the id of
this revision. After it, each change comes with a further revision.
"""

from alembic import op

from bot.store.schema import Base

revision = "a54382d3c168"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Does nothing: no database is older."""


def downgrade() -> None:
    Base.metadata.drop_all(op.get_bind())
