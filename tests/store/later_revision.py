"""The scripts of a version that has one more revision of the schema."""

import shutil
from pathlib import Path

from alembic.script import ScriptDirectory

SCRIPTS = Path(__file__).parents[2] / "migrations"
HEAD = ScriptDirectory(str(SCRIPTS)).get_current_head()

LATER = """revision = "later"
down_revision = {head!r}
def upgrade():
    from alembic import op
    op.execute("CREATE TABLE later (id INTEGER)")
"""


def with_later_revision(folder: Path) -> Path:
    scripts = Path(shutil.copytree(SCRIPTS, folder / "later"))
    (scripts / "versions" / "0002_later.py").write_text(LATER.format(head=HEAD))
    return scripts
