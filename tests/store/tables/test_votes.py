"""Ballots and outcomes in the database: kept while they are needed, gone afterwards, and never in an error."""

import traceback
from dataclasses import replace

import pytest
from sqlalchemy import text

from bot.errors import StoreError
from bot.game.decide import start_match
from bot.game.signs import Strategy
from bot.store.engine.database import Database
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.strategy_vote import PROPOSED
from bot.tables.table_store import Damaged, SavedTable
from tests.store.conftest import opened
from tests.store.matches import BIG, live, lobby

PEOPLE = (BIG + 10, BIG + 12, BIG + 13)


def voted(lobby: Lobby, count: int) -> Lobby:
    """A vote was proposed, and so many people have voted."""
    waiting = lobby.propose_vote()
    assert isinstance(waiting, Lobby)
    for user_id in PEOPLE[:count]:
        changed = waiting.cast(user_id, {Strategy.PRESIGN, Strategy.SPOKEN} if user_id % 2 else {Strategy.PRESIGN})
        assert isinstance(changed, Lobby)
        waiting = changed
    return waiting


async def ballots(database: Database) -> list[object]:
    async with database.transaction() as session:
        return list(await session.scalars(text("SELECT ballot FROM seats WHERE ballot IS NOT NULL")))


async def test_a_running_vote_comes_back_and_its_ballots_go_with_its_end(address: str) -> None:
    async with opened(address) as database:
        waiting = replace(lobby(), id=await SqlTableStore(database).create(lobby()))
        await SqlTableStore(database).save(voted(waiting, 2))
        assert len(await ballots(database)) == 2
    async with opened(address) as database:
        tables = SqlTableStore(database)
        assert await live(tables) == (SavedTable(voted(waiting, 2)),)
        await tables.save(voted(waiting, 3))
        assert await ballots(database) == []
        known = await tables.load(waiting.id)
        assert known == voted(waiting, 3)
        assert known.strategies == {Strategy.PRESIGN}


async def test_the_outcome_stays_with_the_match(database: Database) -> None:
    tables = SqlTableStore(database)
    waiting = replace(lobby(), id=await tables.create(lobby()))
    playing = voted(waiting, 3).start()
    assert isinstance(playing, Lobby)
    events = start_match(playing.rules, seats=4, teams=2, dealer=0, now=1, strategies=playing.strategies)
    await tables.record_start(playing, events)
    (saved,) = await live(tables)
    assert isinstance(saved, SavedTable)
    assert (saved.lobby, saved.entries[0].event) == (playing, events[0])
    nothing = replace(waiting, vote=replace(PROPOSED, outcome=frozenset()), is_ranked=False)
    await tables.save(nothing)
    assert await tables.load(waiting.id) == nothing


@pytest.mark.parametrize("how", ["cancel", "withdraw_vote"])
async def test_a_lobby_that_closes_leaves_no_ballot(database: Database, how: str) -> None:
    tables = SqlTableStore(database)
    waiting = voted(replace(lobby(), id=await tables.create(lobby())), 2)
    await tables.save(waiting)
    ended = getattr(waiting, how)()
    await tables.save(ended)
    assert await ballots(database) == []
    assert await tables.load(waiting.id) == ended
    assert ended.status is (Status.CANCELLED if how == "cancel" else Status.OPEN)


async def test_an_error_tells_no_ballot(database: Database) -> None:
    tables = SqlTableStore(database)
    waiting = voted(replace(lobby(), id=await tables.create(lobby())), 2)
    async with database.transaction() as session:
        await session.execute(text("ALTER TABLE seats RENAME COLUMN team TO gone"))
    with pytest.raises(StoreError) as caught:
        await tables.save(waiting)
    said = "".join(traceback.format_exception(caught.value))
    assert "INSERT INTO seats" in said
    assert "presign" not in said
    async with database.transaction() as session:
        await session.execute(text("ALTER TABLE seats RENAME COLUMN gone TO team"))


async def test_a_damaged_vote_is_named_and_not_repeated(database: Database) -> None:
    tables = SqlTableStore(database)
    waiting = voted(replace(lobby(), id=await tables.create(lobby())), 2)
    await tables.save(waiting)
    async with database.transaction() as session:
        await session.execute(text("""UPDATE seats SET ballot = '["presign' WHERE ballot IS NOT NULL"""))
    (damaged,) = await live(tables)
    assert isinstance(damaged, Damaged)
    problem = damaged.problem
    assert str(problem) == f"Table {waiting.id} cannot be read: its vote is damaged."
    assert "presign" not in "".join(traceback.format_exception(problem))
