"""A copy of the database while the bot writes to it: whole, of one moment, and never half a file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.errors import StoreError
from bot.store.backup import add_backup, back_up
from bot.store.engine.migrate import migrate
from bot.store.tables.table_store import SqlTableStore
from tests.store.conftest import opened
from tests.store.matches import lobby


async def test_a_copy_while_somebody_writes_has_what_was_saved_before(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database:
        await migrate(database)
        kept = await SqlTableStore(database).create(lobby())
        async with database.transaction() as session:
            await session.connection()  # BEGIN IMMEDIATE: the bot is in the middle of something
            assert await back_up(database, copy) == copy.stat().st_size > 0
        saved = await SqlTableStore(database).load(kept)
    async with opened(f"sqlite:///{copy}") as restored:
        assert await SqlTableStore(restored).load(kept) == saved
    assert list(tmp_path.glob("*.part")) == []
    assert copy.stat().st_mode & 0o777 == 0o600


async def test_of_dated_copies_the_newest_are_kept_and_nothing_else_is_touched(tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    others = ["kems-20250101-000000.txt", "kems-backup.db", "kems-20250101.db"]
    for name in (*others, "kems-20250101-000000.db", "kems-20250102-000000.dump", "kems-20250103-000000.db"):
        (folder / name).touch()
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database:
        await migrate(database)
        file, size, deleted = await add_backup(database, folder, 2)
        assert (size, deleted) == (file.stat().st_size, 2)
        assert {each.name for each in folder.iterdir()} == {*others, "kems-20250103-000000.db", file.name}
        with pytest.raises(StoreError, match="cannot be written"):
            await add_backup(database, tmp_path / "missing", 1)
    assert len(list(folder.iterdir())) == 5


@pytest.mark.postgres
@pytest.mark.usefixtures("postgres_programs")
async def test_postgresql_is_dumped_by_its_own_program(tmp_path: Path, postgres: str) -> None:
    async with opened(postgres) as database:
        await back_up(database, tmp_path / "copy.dump")
    assert (tmp_path / "copy.dump").read_bytes().startswith(b"PGDMP")
    assert (tmp_path / "copy.dump").stat().st_mode & 0o777 == 0o600


@pytest.mark.postgres
@pytest.mark.usefixtures("postgres_programs")
async def test_a_dump_that_fails_says_why_without_the_password(tmp_path: Path, postgres: str) -> None:
    unknown = make_url(postgres).set(database="kems_unknown", password="hunter2")
    async with opened(unknown.render_as_string(hide_password=False)) as database:
        with pytest.raises(StoreError, match=r"could not be copied: .*kems_unknown") as caught:
            await back_up(database, tmp_path / "copy.dump")
    assert "hunter2" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


async def test_without_pg_dump_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    async with opened("postgresql://kems@127.0.0.1:9/kems") as database:
        with pytest.raises(StoreError, match="pg_dump is not installed: install"):
            await back_up(database, tmp_path / "copy.dump")


async def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("precious")
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database:
        with pytest.raises(StoreError, match="exists already: name another file"):
            await back_up(database, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "precious"


async def test_nothing_to_copy_and_nowhere_to_put_it(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path}/kems.db") as database:
        with pytest.raises(StoreError, match=r"There is no database .* to back up: has the bot run here\?"):
            await back_up(database, tmp_path / "copy.db")
        with closing(sqlite3.connect(tmp_path / "kems.db")) as connection:
            connection.execute("CREATE TABLE something (id INTEGER)")
        with pytest.raises(StoreError, match=r"cannot be written: No such file or directory\. Name a folder"):
            await back_up(database, tmp_path / "nowhere" / "copy.db")


async def test_a_damaged_database_is_not_copied(tmp_path: Path) -> None:
    file = tmp_path / "kems.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE something (id INTEGER, body TEXT)")
        connection.executemany("INSERT INTO something VALUES (?, ?)", [(n, "x" * 900) for n in range(200)])
        connection.commit()
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\xff" * 8192 + whole[16384:])
    async with opened(f"sqlite:///{file}") as database:
        with pytest.raises(StoreError, match="is damaged"):
            await back_up(database, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
