"""An erasure goes in slices: whatever comes between two of them, the end is that of one that was done at once."""

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.base.errors import StoreError
from bot.ladder.columns import SeatTally
from bot.store import erasure
from bot.store.engine import database as database_module
from bot.store.engine.database import Database
from bot.store.engine.database_file import sibling
from bot.store.ladder.careers import mates_after
from bot.store.ladder.recount import SqlRecount
from bot.store.privacy import SqlPersonalData
from bot.store.schema import Base
from bot.store.schema.ladder import Play, PlayRow, RecountRow, SeasonRow
from bot.store.schema.tables import PendingErasureRow
from tests.store.counted_matches import (
    DAY,
    GUILD,
    NOW,
    Match,
    assert_rebuilt_is_equal,
    emptied,
    once,
    play,
    play_all,
    standing,
)
from tests.store.dying import dying_at

ANA, BEN, CLEO, DAN, EVA = range(10**17 + 1, 10**17 + 6)
MATCHES = [
    Match((ANA, BEN, CLEO, DAN)),
    Match((BEN, EVA, ANA, CLEO), at=NOW + DAY),
    Match((CLEO, DAN, EVA, BEN), at=NOW + 2 * DAY),
    Match((DAN, ANA, BEN, EVA), (3, 10), at=NOW + 3 * DAY, ranked=False),
    Match((ANA, CLEO, BEN, EVA), (9, 10), at=NOW + 40 * DAY, left=frozenset({0})),
    Match((BEN, ANA, DAN, CLEO), (2, 10), at=NOW + 41 * DAY, left=frozenset({1})),
]
IDS = list(range(101, 101 + len(MATCHES)))
HERS = Match((CLEO, ANA, EVA, DAN), at=NOW + 42 * DAY)
OTHERS = Match((CLEO, BEN, EVA, DAN), at=NOW + 42 * DAY, left=frozenset({3}))
STAND_IN = -1 - 7
BATCHES = 16
"""As many as an erasure of hers has at least, of two rows each."""
UNBEGUN = 3
"""Her wish is noted by the first statement, and the beginning by the next two."""
MOST = 70
"""More statements that write than it has."""

Happens = Callable[[Database], Awaitable[object]]


@pytest.fixture(autouse=True)
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasure, "BATCH", 2)
    monkeypatch.setattr(erasure, "randbits", lambda _: 7)


async def noted(database: Database) -> list[tuple[int, int | None]]:
    """Who is to be erased, or what stands for them."""
    async with database.reading() as session:
        rows = await session.execute(select(PendingErasureRow.user_id, PendingErasureRow.stand_in))
        return [tuple(row) for row in rows]  # type: ignore[misc]


async def erased(database: Database) -> None:
    people = SqlPersonalData(database)
    await people.save_erasure_request(ANA)
    assert await people.erase_past_matches(ANA)
    assert await people.erase(ANA)
    await people.scrub_deleted_rows()


async def all_rows(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """But not how often a podium was shown again."""
    tables = [table for table in Base.metadata.sorted_tables if table.name != SeasonRow.__tablename__]
    return await database.run(
        lambda connection: {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr) for table in tables
        }
    )


async def played(database: Database) -> None:
    await emptied(database)
    await once(database, "matches of an erased player", lambda database: play_all(database, MATCHES, IDS))


async def nothing_happens(_: Database) -> None:
    pass


async def at_once(database: Database, happens: Happens = nothing_happens) -> dict[str, list[tuple[Any, ...]]]:
    """What is left when she is erased in one transaction, after all that happens."""

    async def make(database: Database) -> dict[str, list[tuple[Any, ...]]]:
        await played(database)
        await happens(database)
        assert await SqlPersonalData(database).erase(ANA)
        await SqlPersonalData(database).scrub_deleted_rows()
        return await all_rows(database)

    await emptied(database)
    return await once(database, happens, make)


@asynccontextmanager
async def after_slice(database: Database, number: int, happens: Happens) -> AsyncIterator[list[int]]:
    """Once so many slices are done this happens."""
    run, done = database.run, [0]

    async def slice_of(work: Callable[..., bool], **options: Any) -> bool:
        made: bool = await run(work, **options)
        done[0] += 1
        if done[0] == number:
            await happens(database)
        return made

    database.run = slice_of  # type: ignore[method-assign,assignment]
    try:
        yield done
    finally:
        del database.run  # type: ignore[method-assign]


def nothing_of_her(rows: dict[str, list[tuple[Any, ...]]]) -> bool:
    return not [name for name, found in rows.items() for row in found if str(ANA) in str(row) or f"player {ANA}" in row]


@pytest.mark.both_databases
async def test_an_erasure_in_batches_erases_the_same(database: Database) -> None:
    expected = await at_once(database)
    await played(database)
    async with database.reading() as session:
        before = (await session.scalars(select(SeasonRow.changes).order_by(SeasonRow.number))).all()
    async with after_slice(database, 0, played) as done:
        await erased(database)
    assert done[0] >= BATCHES
    async with database.reading() as session:
        after = (await session.scalars(select(SeasonRow.changes).order_by(SeasonRow.number))).all()
    assert all(later > earlier for later, earlier in zip(after, before, strict=True)), "podiums are shown again"
    assert await all_rows(database) == expected
    assert nothing_of_her(expected)
    await assert_rebuilt_is_equal(database)


@pytest.mark.parametrize("number", [20, 40, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, MOST + 1))])
async def test_an_erasure_that_is_cut_off_loses_nothing_and_is_done_later(database: Database, number: int) -> None:
    expected = await at_once(database)
    await played(database)
    people = SqlPersonalData(database)
    await people.save_erasure_request(ANA)
    with dying_at(database, number) as seen:
        try:
            await erased(database)
        except StoreError:
            assert [user_id for user_id, _ in await noted(database)] in ([ANA], [STAND_IN]), "somebody has to go on"
            if number > UNBEGUN:
                await people.save_erasure_request(ANA, is_wanted=False)
                assert await noted(database), "what is begun is finished"
        else:
            assert len(seen) < number, "it was cut off, and says that it was done"
    for user_id in await people.erasure_requests():
        assert await people.erase_past_matches(user_id)
        assert await people.erase(user_id)
    await people.scrub_deleted_rows()
    assert await all_rows(database) == expected


async def void(database: Database, number: int) -> None:
    await SqlRecount(database).void(GUILD, IDS[number], by_id=BEN, reason="", at=NOW + 50 * DAY)


HAPPENINGS: dict[str, Happens] = {
    "others play": lambda database: play(database, OTHERS, IDS[-1] + 1),
    "she plays": lambda database: play(database, HERS, IDS[-1] + 1),
    "a match of hers becomes void": lambda database: void(database, 1),
    "another match becomes void": lambda database: void(database, 2),
}


@pytest.mark.parametrize("name", HAPPENINGS)
@pytest.mark.parametrize("number", [5, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, BATCHES + 1))])
async def test_changes_between_two_batches_are_erased_too(database: Database, name: str, number: int) -> None:
    happens = HAPPENINGS[name]
    expected = await at_once(database, happens)
    expected_standing = await standing(database)
    await played(database)

    async def and_waits(database: Database) -> None:
        await happens(database)
        await SqlRecount(database).recompute(GUILD)
        async with database.reading() as session:
            waits = await session.scalar(select(func.count()).select_from(RecountRow)) == 1
        assert waits == (number > 1), "the recount waits for an erasure that has begun, not for one that is requested"

    async with after_slice(database, number, and_waits):
        await erased(database)
    recount = SqlRecount(database)
    await recount.recompute(GUILD)
    assert await standing(database) == expected_standing
    rows = await all_rows(database)
    assert rows == expected
    assert nothing_of_her(rows)
    await assert_rebuilt_is_equal(database)


async def test_a_person_being_erased_stays_one_partner_of_each_player() -> None:
    hers, anothers = (
        Play(user_id, "", seat, 0, 0, 1, has_left=False, is_ranked=True, tally=SeatTally())
        for seat, user_id in enumerate((ANA, BEN))
    )
    assert mates_after(f"[{STAND_IN},3]", anothers, [hers, anothers], {ANA: STAND_IN}) == f"[{STAND_IN},3]"
    assert mates_after("[3]", anothers, [hers, anothers], {ANA: STAND_IN}) == f"[3,{ANA}]", "it is replaced later"


@pytest.mark.parametrize("number", [1, pytest.param(BATCHES, marks=pytest.mark.long)])
async def test_an_erased_person_who_comes_back_is_a_new_player(database: Database, number: int) -> None:
    """Also who has changed a setting while the past was being erased."""
    await played(database)
    people = SqlPersonalData(database)

    async def hides(_: Database) -> None:
        await people.hide(GUILD, ANA, "Ana", is_hidden=True)

    async with after_slice(database, number, hides):
        await erased(database)
    assert nothing_of_her(await all_rows(database))
    await play(database, replace(HERS, at=HERS.at + DAY))
    async with database.reading() as session:
        ranked_number = select(PlayRow.ranked_number).where(PlayRow.user_id == ANA)
        assert (await session.scalars(ranked_number)).all() == [1]
    await assert_rebuilt_is_equal(database)


@pytest.mark.both_databases
async def test_the_number_of_an_erased_person_is_kept_only_while_it_is_needed(database: Database) -> None:
    await played(database)
    people = SqlPersonalData(database)
    await people.save_erasure_request(ANA)
    assert await people.erase_past_matches(ANA)
    assert await noted(database) == [(ANA, STAND_IN)]
    await people.save_erasure_request(ANA)
    assert await noted(database) == [(ANA, STAND_IN)]
    assert await people.erase(ANA)
    scrub = database.scrub

    async def fails() -> None:
        raise StoreError("The disk is full.")

    database.scrub = fails  # type: ignore[method-assign]
    with pytest.raises(StoreError):
        await people.scrub_deleted_rows()
    assert await noted(database) == [(STAND_IN, None)], "it tells of nobody, and that something is left to be done"
    assert await people.erasure_requests() == []
    database.scrub = scrub  # type: ignore[method-assign]
    await people.scrub_deleted_rows()
    assert await noted(database) == []


async def test_an_erasure_stays_pending_while_another_program_keeps_old_bytes(
    sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy is just being made: what was erased is still beside the file, and the bot goes on with it later."""
    monkeypatch.setattr(database_module, "_SCRUB_TRIES", 1)
    people, name = SqlPersonalData(sqlite), "Zyzzyva Kerbrat"
    await people.hide(GUILD, ANA, name, is_hidden=True)
    assert sqlite.file is not None
    wal = sibling(sqlite.file, "-wal")
    with closing(sqlite3.connect(f"{sqlite.file.as_uri()}?mode=ro", uri=True, isolation_level=None)) as copying:
        copying.execute("BEGIN")
        copying.execute("SELECT count(*) FROM players").fetchone()
        await people.save_erasure_request(ANA)
        assert await people.erase(ANA)
        with pytest.raises(StoreError, match="Another program reads the database"):
            await people.scrub_deleted_rows()
        assert name.encode() in wal.read_bytes()
    assert await noted(sqlite) == [(STAND_IN, None)]
    await people.scrub_deleted_rows()
    assert await noted(sqlite) == []
    assert name.encode() not in wal.read_bytes() + sqlite.file.read_bytes()
