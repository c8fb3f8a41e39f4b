"""Databases that are migrated already: the steps run once in a process, every test gets a copy of what they made.

The steps themselves have tests of their own, in `tests/store`.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic import command
from sqlalchemy import create_engine

from bot.store.migrate import config_for


def migrated(folder: Path) -> str:
    """The address of a SQLite file in the folder with the tables of this version; one that is there already stays."""
    file = folder / "kems.db"
    if not file.exists():
        file.touch(0o600)
        file.write_bytes(_migrated_file())
    return f"sqlite:///{file}"


@cache
def _migrated_file() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder, "kems.db")
        engine = create_engine(f"sqlite:///{file}")
        with engine.begin() as connection:
            command.upgrade(config_for(connection), "head")
        with engine.connect() as connection:  # as the bot has it: otherwise each test's first connection converts it
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        engine.dispose()
        return file.read_bytes()
