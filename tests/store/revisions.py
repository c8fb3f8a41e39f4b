"""`make schema`: writes what the row classes have changed into a further revision."""

import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from alembic import command
from alembic.operations import ops
from sqlalchemy import DefaultClause, create_engine, text
from sqlalchemy.dialects import postgresql

from bot.store.migrate import config_for
from tests.databases import migrated

FOLDER: Final = Path(__file__).parents[2] / "migrations" / "versions"
FIRST: Final = FOLDER / "0001_initial.py"
FROZEN: Final = "0ff5a5e833320d5f7c2b616bfea63918baf286e9fae5e1cb4129dbfcb21644f6"
"""What `sha256sum` says of the first revision: databases have it, so it stays as it is."""


_EMPTY: Final = {bool: "false", int: "0", float: "0", str: "''"}
"""What existing rows get in a new column that may not be NULL and has no default."""


def digest() -> str:
    return sha256(FIRST.read_bytes()).hexdigest()


def next_number(folder: Path) -> str:
    """The number with which the name of the next revision's file begins: the newest comes last by name."""
    return f"{len([*folder.glob('0*.py')]) + 1:04}"


def write_next(what: str) -> Path:
    """Write a revision for what the row classes have and the revisions do not make. `what` names it in a few words."""
    name = re.sub(r"\W+", "_", what.lower())[:32]
    with TemporaryDirectory() as folder, create_engine(migrated(Path(folder))).begin() as connection:
        config = config_for(connection)
        config.set_main_option("file_template", f"{next_number(FOLDER)}_%%(rev)s")
        script = command.revision(config, what, autogenerate=True, rev_id=name, process_revision_directives=_complete)
    assert script is not None
    assert not isinstance(script, list)
    file = Path(script.path)
    file.write_text(_formatted(file.read_text(encoding="utf-8")), encoding="utf-8")
    return file


def _complete(_context: Any, _revision: Any, scripts: list[Any]) -> None:
    """Give new columns a value for existing rows, and partial indexes their condition on PostgreSQL."""
    for script in scripts:
        for operation in (*_operations(script.upgrade_ops), *_operations(script.downgrade_ops)):
            match operation:
                case ops.AddColumnOp(column=column) if not column.nullable and column.server_default is None:
                    column.server_default = DefaultClause(text(_EMPTY[column.type.python_type]))
                case ops.CreateIndexOp(kw={"sqlite_where": where} as options):
                    how = {"include_table": False, "literal_binds": True}
                    compiled = where.compile(dialect=postgresql.dialect(), compile_kwargs=how)
                    options["postgresql_where"] = text(str(compiled))


def _operations(parent: ops.OpContainer) -> Iterator[ops.MigrateOperation]:
    for operation in parent.ops:
        if isinstance(operation, ops.OpContainer):
            yield from _operations(operation)
        else:
            yield operation


def _formatted(written: str) -> str:
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", FIRST, "-"]
    return subprocess.run(ruff, input=written, capture_output=True, check=True, text=True).stdout


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit('Say in a few words what has changed: make schema WHAT="nights have a colour"')
    made = write_next(" ".join(sys.argv[1:]))
    print(f"Read {made}: a `server_default` there is what existing rows get in a new column.")
