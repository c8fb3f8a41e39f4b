"""The scripts of a version that has one more revision of the schema."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from alembic.script import ScriptDirectory

from tests.store.revisions import next_number

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


def with_later_revision(folder: Path, changed: Iterable[str] = ("tables",)) -> Path:
    """A copy of the scripts with one more revision, which changes these tables."""
    scripts = Path(shutil.copytree(SCRIPTS, folder / "later"))
    write_later(scripts, changed)
    return scripts


def write_later(scripts: Path, changed: Iterable[str] = ("tables",)) -> Path:
    """Write this revision into the folder with the scripts."""
    folder = scripts / "versions"
    file = folder / f"{next_number(folder)}_later.py"
    file.write_text(_LATER.format(head=HEAD, changed=[*changed]))
    return file
