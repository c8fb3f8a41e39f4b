"""`make schema`: writes what the row classes have changed into a further revision."""

import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from alembic import command
from sqlalchemy import create_engine

from bot.store.migrate import config_for
from tests.databases import migrated

FOLDER: Final = Path(__file__).parents[2] / "migrations" / "versions"
FIRST: Final = FOLDER / "0001_initial.py"
FROZEN: Final = "0ff5a5e833320d5f7c2b616bfea63918baf286e9fae5e1cb4129dbfcb21644f6"
"""What `sha256sum` says of the first revision: databases have it, so it stays as it is."""


def digest() -> str:
    return sha256(FIRST.read_bytes()).hexdigest()


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


def _formatted(written: str) -> str:
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", FIRST, "-"]
    return subprocess.run(ruff, input=written, capture_output=True, check=True, text=True).stdout


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit('Say in a few words what has changed: make schema WHAT="nights have a colour"')
    made = write_next(" ".join(sys.argv[1:]))
    print(f"Read {made}, and test it with a history (tests/store/test_later_revisions.py).")
