"""What a running bot loads only once somebody needs it: memory at rest, and the time of a start."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

LATE: Final = {
    "PIL": "the upload of card pictures; pictures of matches have a process of their own",
    "aiohttp.web": "STATUS_ADDRESS",
    "alembic": "a database of an older version",
    "asyncpg": "a database on PostgreSQL",
    "bot.sandbox": "kems play",
    "cryptography": "the first private panel",
    "emoji": "the first sign that is shown or read",
    "openskill": "the first ranked match that ends",
    "rich": "a command that shows its progress",
    "sqlalchemy.dialects.postgresql": "a database on PostgreSQL",
    "typer": "another command than `kems run`",
    "wcwidth": "the first text that is cut, or sign that is read",
}
"""By module: what it waits for."""
MODULES: Final = (
    "import json, sys; import bot.__main__, bot.log, bot.operating.operations; print(json.dumps([*sys.modules]))"
)
FIRST_START: Final = """
import asyncio, json, sys
from bot.store.engine.database import Database
from bot.store.migrate import migrate
asyncio.run(migrate(Database("sqlite:///{}")))
print(json.dumps([*sys.modules]))
"""
OF_A_QUESTION: Final = "import json, sys; import bot.__main__, bot.cli; print(json.dumps([*sys.modules]))"


def loaded(program: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_a_bot_at_rest_has_loaded_nothing_that_waits_for_its_first_use() -> None:
    assert loaded(MODULES) & LATE.keys() == set()


def test_a_first_start_makes_its_tables_without_alembic(tmp_path: Path) -> None:
    assert "alembic" not in loaded(FIRST_START.format(tmp_path / "kems.db"))


def test_the_command_line_answers_without_the_bot() -> None:
    assert loaded(OF_A_QUESTION) & {"asyncio", "discord", "pydantic", "sqlalchemy", "structlog"} == set()
