"""The scripts of a version that has one more revision of the schema."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from alembic.script import ScriptDirectory

SCRIPTS = Path(__file__).parents[2] / "migrations"
HEAD = ScriptDirectory(str(SCRIPTS)).get_current_head()

_LATER = """revision = "later"
down_revision = {head!r}
def upgrade():
    import sqlalchemy as sa
    from alembic import op
    op.execute("CREATE TABLE later (id INTEGER)")
    for name in {changed!r}:
        with op.batch_alter_table(name) as batch:  # which SQLite makes again, for the sake of the constraint
            batch.add_column(sa.Column("later", sa.Integer, nullable=False, server_default="7"))
            batch.create_check_constraint("later", "later > 0")
"""


def later_revision(changed: Iterable[str] = ("tables",)) -> str:
    """A revision that changes these tables."""
    return _LATER.format(head=HEAD, changed=[*changed])


def with_later_revision(folder: Path, changed: Iterable[str] = ("tables",)) -> Path:
    scripts = Path(shutil.copytree(SCRIPTS, folder / "later"))
    (scripts / "versions" / "0002_later.py").write_text(later_revision(changed))
    return scripts
