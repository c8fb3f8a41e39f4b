"""`kems run` on a database that it cannot use: one sentence that says what is wrong and what to do, and an exit."""

import asyncio
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from bot import cli
from bot.errors import StoreError
from bot.store.engine.migrate import migrate
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from tests.store.conftest import opened
from tests.store.matches import a_match, live, lobby

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GabcDe.abcdefghijklmnopqrstuvwxyz0123456789AB"


@pytest.fixture(autouse=True)
def _a_process_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, logging_restored: None) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(sys, "argv", ["kems", "run"])


def refusal(address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Why the bot did not start."""
    monkeypatch.setenv("DATABASE_URL", address)
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said.splitlines()[-1]


def test_a_newer_schema(
    empty_address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def make_newer() -> None:
        async with opened(empty_address) as database:
            await migrate(database)
            async with database.transaction() as session:
                await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    asyncio.run(make_newer())
    said = refusal(empty_address, monkeypatch, capsys)
    assert "has schema 9999, which this version of the bot does not know: a newer version made it" in said


def test_no_database_and_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "kems.db"
    file.write_text("a letter, and a rather long one, but no database at all\n" * 100)
    assert "is not a database file: name another file" in refusal(f"sqlite:///{file}", monkeypatch, capsys)
    file.unlink()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE something (id INTEGER)")
        connection.commit()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(file.read_bytes())
    content[100:size] = b"\xff" * (size - 100)
    file.write_bytes(content)
    assert "is damaged: restore the last backup" in refusal(f"sqlite:///{file}", monkeypatch, capsys)
    assert file.read_bytes() == content


async def test_a_damaged_page_of_the_log(tmp_path: Path) -> None:
    """The file opens, and the tables cannot be brought back: that is told, and nothing is written."""
    file = tmp_path / "kems.db"
    async with opened(f"sqlite:///{file}") as database:
        await migrate(database)
        tables = SqlTableStore(database)
        table_id = await tables.create(lobby())
        await tables.record_start(replace(lobby(Status.PLAYING), id=table_id), a_match(target=2)[0][:1])
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(file.read_bytes())
    content[(root - 1) * size : root * size] = b"\xff" * size
    file.write_bytes(content)
    async with opened(f"sqlite:///{file}") as database:
        with pytest.raises(StoreError, match="is damaged: restore the last backup"):
            await live(SqlTableStore(database))
