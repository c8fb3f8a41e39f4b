"""An erasure that is cut off in any of its steps: nothing is lost, the wish stays, and the next one does all of it."""

from typing import Any

import pytest
from sqlalchemy import select

from bot.errors import StoreError
from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from bot.store.privacy import SqlPersonalData
from bot.store.schema import Base
from tests.store.counted_matches import DAY, GUILD, NOW, Match, assert_rebuilt_is_equal, play_all
from tests.store.dying import dying_at

ANA, BEN, CLEO, DAN, EVA = range(10**17 + 1, 10**17 + 6)
MATCHES = [
    Match((ANA, BEN, CLEO, DAN)),
    Match((BEN, EVA, ANA, CLEO), at=NOW + DAY),
    Match((CLEO, DAN, EVA, BEN), at=NOW + 2 * DAY),
    Match((DAN, ANA, BEN, EVA), (3, 10), at=NOW + 3 * DAY, ranked=False),
    Match((ANA, CLEO, BEN, EVA), (9, 10), at=NOW + 40 * DAY, left=frozenset({0})),
]
MOST = 60
"""More statements than an erasure has."""


async def all_rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    async with database.reading() as session:
        return {
            table.name: sorted((tuple(row) for row in await session.execute(select(table))), key=repr)
            for table in Base.metadata.sorted_tables
        }


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "number", [1, 12, 25, MOST, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, MOST))]
)
async def test_an_erasure_that_is_cut_off_loses_nothing_and_is_done_later(database: Database, number: int) -> None:
    await play_all(database, MATCHES)
    people = SqlPersonalData(database)
    await people.note_wish(ANA)
    before = await all_rows(database)
    with dying_at(database, number) as seen:
        try:
            await people.forget(ANA)
        except StoreError:
            assert await all_rows(database) == before
            assert await people.wishes() == [ANA]
        else:
            assert len(seen) < number, "it was cut off, and says that it was done"
    for user_id in await people.wishes():
        assert await people.forget(user_id)
    left = await all_rows(database)
    assert not [name for name, rows in left.items() for row in rows if str(ANA) in str(row)]
    assert {name: len(rows) for name, rows in left.items() if name in ("plays", "results", "seats")} == {
        name: len(before[name]) for name in ("plays", "results", "seats")
    }
    await assert_rebuilt_is_equal(database)


@pytest.mark.both_databases
async def test_a_match_becomes_void_between_a_wish_and_its_erasure(database: Database) -> None:
    """The recount that it asks for begins again, with nobody of that id."""
    await play_all(database, MATCHES)
    people, recount = SqlPersonalData(database), SqlRecount(database)
    await people.note_wish(ANA)
    tables = [row[0] for row in (await all_rows(database))["results"]]
    with dying_at(database, 9), pytest.raises(StoreError):
        await people.forget(ANA)
    await recount.void(GUILD, tables[1], by_id=BEN, reason="", at=NOW + 50 * DAY)
    assert await people.forget(ANA)
    await assert_rebuilt_is_equal(database)
