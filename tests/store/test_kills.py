"""A bot that is killed while it packs logs, counts again or erases: nothing is lost, the next start does the rest."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, make_url, select

from bot.store.engine.database import Database
from bot.store.schema import Base
from bot.store.schema.codec import read_stored
from bot.store.schema.ladder import RecountRow, SeasonRow
from bot.store.schema.tables import EventRow, PendingErasureRow, TableRow
from tests.store.conftest import opened
from tests.store.counted_matches import assert_rebuilt_is_equal, emptied, once, play_all, standing
from tests.store.killed import ANA, AT_SCRUB, VOID, WORKS, is_killed, small_steps
from tests.store.ladder.test_recount import IDS, MATCHES
from tests.store.tables.test_results import begun, ended

Look = Callable[[Database], Awaitable[Any]]

PLAYED = [replace(match, users=tuple(ANA if user == 1 else user for user in match.users)) for match in MATCHES]


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    small_steps(monkeypatch.setattr)


async def prepare(database: Database, work: str) -> None:
    await emptied(database)
    await once(database, ("killed", work == "pack"), end_matches if work == "pack" else count_matches)


async def end_matches(database: Database) -> None:
    for _ in range(2):
        await ended(database, *await begun(database))


async def count_matches(database: Database) -> None:
    assert VOID in IDS
    await play_all(database, PLAYED, IDS)


async def logs(database: Database) -> Any:
    async with database.reading() as session:
        ids = (await session.scalars(select(TableRow.id).order_by(TableRow.id))).all()
        return list((await session.run_sync(read_stored, ids)).values())


async def rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All of them; but not how often a podium was shown again."""
    tables = [table for table in Base.metadata.sorted_tables if table.name != SeasonRow.__tablename__]
    return await database.run(
        lambda connection: {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr) for table in tables
        }
    )


LOOKS: dict[str, Look] = {"pack": logs, "void": standing, "erase": rows}
"""What is to be as after a work that nobody has cut off."""


async def left_undone(database: Database) -> int:
    async with database.reading() as session:
        return sum(
            [
                await session.scalar(select(func.count()).select_from(row)) or 0
                for row in (EventRow, RecountRow, PendingErasureRow)
            ]
        )


def files(address: str) -> bytes:
    path = Path(make_url(address).database or "")
    return b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*"))


async def survives(address: str, work: str, number: int) -> bool:
    """Kill a process at its write of this number, and do the rest; False where it has ended before."""
    async with opened(address) as database:
        await prepare(database, work)
        await WORKS[work](database)
        expected = await LOOKS[work](database)
        await prepare(database, work)
        before = await logs(database)
    killed = await is_killed(address, work, number)
    async with opened(address) as database:
        assert await logs(database) == before, "byte for byte, packed or not"
        await WORKS[work](database)
        if work == "pack":
            assert await logs(database) == before
        else:
            assert await LOOKS[work](database) == expected
            await assert_rebuilt_is_equal(database)
        assert await left_undone(database) == 0
        if work == "erase" and database.is_sqlite:
            assert ANA.to_bytes(8, "big") not in files(address)
            assert str(ANA).encode() not in files(address)
    return killed


@pytest.mark.parametrize(
    ("backend", "work", "number"),
    [
        pytest.param("sqlite", "erase", 25, marks=pytest.mark.long),
        ("sqlite", "erase", AT_SCRUB),
        pytest.param("postgres", "pack", 2, marks=[pytest.mark.postgres, pytest.mark.long]),
        pytest.param("postgres", "void", 6, marks=pytest.mark.postgres),
    ],
    indirect=["backend"],
)
async def test_a_kill_in_the_middle_of_the_work_loses_nothing(address: str, work: str, number: int) -> None:
    assert await survives(address, work, number)


@pytest.mark.long
@pytest.mark.parametrize("work", WORKS)
async def test_a_kill_at_any_write_loses_nothing(address: str, work: str) -> None:
    number = 1
    while await survives(address, work, number):
        number += 1
    assert number > {"pack": 4, "void": 15, "erase": 30}[work], "it has as many steps"
