"""What a running bot loads only once somebody needs it: memory at rest, and the time of a start."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.databases import migrated

LATE: Final = {
    "PIL": "the upload of card pictures; pictures of matches have a process of their own",
    "aiohttp.web": "STATUS_ADDRESS",
    "alembic": "an empty database, or one of an older version",
    "asyncpg": "a database on PostgreSQL",
    "bot.sandbox": "kems play",
    "cryptography": "the first private panel",
    "emoji": "the first sign that is shown or read",
    "openskill": "the first ranked match that ends",
    "rich": "a command that shows its progress",
    "sqlalchemy.dialects.postgresql": "a database on PostgreSQL",
    "typer": "another command than `kems run`",
    "wcwidth": "the first text that is cut, or sign that is read",
    **dict.fromkeys(("mako", "matplotlib", "numpy", "playwright"), "Alembic and the tests"),
}
"""By module: what it waits for."""
START: Final = """
import asyncio, json, sys
import bot.__main__, bot.base.log, bot.operating.operations
at_rest = [*sys.modules]
from bot.store.engine.database import Database
from bot.store.migrate import migrate
asyncio.run(migrate(Database("sqlite:///{}")))
print(json.dumps([at_rest, [*sys.modules]]))
"""
OF_A_QUESTION: Final = "import json, sys; import bot.__main__, bot.operating.cli; print(json.dumps([[*sys.modules]]))"


def loaded(program: str) -> list[set[str]]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    return [set(modules) for modules in json.loads(done.stdout.splitlines()[-1])]


def test_an_idle_bot_has_not_imported_modules_that_load_on_first_use(tmp_path: Path) -> None:
    migrated(tmp_path)
    at_rest, started = loaded(START.format(tmp_path / "kems.db"))
    assert "discord" in at_rest
    assert at_rest & LATE.keys() == set()
    assert "aiosqlite" in started
    assert "alembic" not in started


def test_the_command_line_answers_without_the_bot() -> None:
    (modules,) = loaded(OF_A_QUESTION)
    assert modules & {"asyncio", "discord", "pydantic", "sqlalchemy", "structlog"} == set()
