"""`make schema`: writes what the row classes have changed into a revision.

Until the first release that is the first revision, written anew; after it, a further one.
"""

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from alembic import command
from alembic.autogenerate import produce_migrations, render_python_code
from alembic.autogenerate.api import AutogenContext
from alembic.migration import MigrationContext
from sqlalchemy import DefaultClause, MetaData, create_engine, text
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.sql.elements import False_, True_

from bot.store.migrate import config_for
from bot.store.schema import Base
from tests.databases import migrated

FOLDER: Final = Path(__file__).parents[2] / "migrations" / "versions"
FIRST: Final = FOLDER / "0001_initial.py"
FROZEN: Final[str | None] = None
"""From the first release on what `sha256sum` says of the first revision: then it stays as it is."""

_TEXT: Final = '''"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

revision = "initial"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    {upgrade}


def downgrade() -> None:
    for name in {names}:
        op.drop_table(name)
'''


def digest() -> str:
    return sha256(FIRST.read_bytes()).hexdigest()


def first_revision() -> str:
    """The text of a revision that makes the tables of the row classes in an empty database."""
    tables = MetaData(naming_convention=Base.metadata.naming_convention)
    for table in Base.metadata.sorted_tables:
        for index in table.to_metadata(tables).indexes:
            if (where := index.dialect_options["sqlite"]["where"]) is not None:
                for dialect in (SQLiteDialect(), PGDialect()):
                    written = where.compile(dialect=dialect, compile_kwargs={"include_table": False})
                    index.dialect_options[dialect.name]["where"] = text(str(written))
    with create_engine("sqlite://").connect() as connection:
        context = MigrationContext.configure(connection, opts={"target_metadata": tables})
        made = produce_migrations(context, tables).upgrade_ops
        assert made is not None
        upgrade = render_python_code(made, render_item=_render, migration_context=context)
    upgrade = re.sub(r"# ### .*\n?", "", upgrade)  # Alembic asks for a person to read it
    names = tuple(table.name for table in reversed(tables.sorted_tables))
    return _formatted(_TEXT.format(upgrade=upgrade.strip(), names=names))


def write_next(what: str) -> Path:
    """Write a revision for what the row classes have and the revisions do not make. `what` names it in a few words."""
    name = re.sub(r"\W+", "_", what.lower())[:32]
    with TemporaryDirectory() as folder, create_engine(migrated(Path(folder))).begin() as connection:
        config = config_for(connection)
        config.set_main_option("file_template", f"{len([*FOLDER.glob('0*.py')]) + 1:04}_%%(rev)s")
        script = command.revision(config, what, autogenerate=True, rev_id=name)
    assert script is not None
    assert not isinstance(script, list)
    file = Path(script.path)
    file.write_text(_formatted(file.read_text(encoding="utf-8")), encoding="utf-8")
    return file


def _render(kind: str, item: Any, _context: AutogenContext) -> str | bool:
    """Name a default that each database writes in its own way."""
    if kind == "server_default" and isinstance(item, DefaultClause) and isinstance(item.arg, False_ | True_):
        return f"sa.{item.arg}()"
    return False


def _formatted(written: str) -> str:
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", FIRST, "-"]
    return subprocess.run(ruff, input=written, capture_output=True, check=True, text=True).stdout


if __name__ == "__main__":
    if FROZEN is None:
        FIRST.write_text(first_revision(), encoding="utf-8")
    elif len(sys.argv) == 1:
        sys.exit('Say in a few words what has changed: make schema WHAT="nights have a colour"')
    else:
        made = write_next(" ".join(sys.argv[1:]))
        print(f"Read {made}, and test it with a history (tests/store/test_later_revisions.py).")
