"""Results: written with the event that ends the match, once, and equal to what the core says."""

from dataclasses import replace

import pytest

from bot.game.events import Event
from bot.game.state import State
from bot.records.history import SeatRecord
from bot.store.engine.database import Database
from bot.store.records.history import SqlHistory
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from bot.tables.lobby.place import Place
from tests.store.matches import BIG, PLACE, PLAYERS, a_match, lobby


async def played(
    database: Database, place: Place = PLACE, *, later: int = 0, **rules: object
) -> tuple[int, tuple[Event, ...], State]:
    tables, log = SqlTableStore(database), SqlJournal(database)
    new = lobby(place=place, **rules)
    playing = replace(new, id=await tables.create(new), status=Status.PLAYING)
    events, state = a_match(**rules)
    events = tuple(replace(event, at=event.at + later) for event in events)
    await tables.record_start(playing, events[:1])
    for seq in range(1, len(events), 3):
        await log.append(playing.id, seq + 1, events[seq : seq + 3], None)
    return playing.id, events, state


@pytest.mark.parametrize("rules", [{"target": 4}, {"target": 2, "best_of": 3}, {"ends_at": "rounds", "rounds": 3}])
async def test_a_match_is_recorded_as_the_core_counts_it(database: Database, rules: dict[str, object]) -> None:
    table_id, events, state = await played(database, **rules)
    match = await SqlHistory(database).match(table_id)
    assert match is not None
    assert match.result is not None
    assert (match.result.winner, match.result.scores) == (state.winner, state.scores)
    assert match.result.games == state.games
    assert match.result.rounds == state.round
    assert match.result.ended_at == events[-1].at
    assert (match.status, match.guild_id, match.started_at) == ("over", BIG, events[0].at)
    assert match.rules == state.rules
    assert match.seats == tuple(
        SeatRecord(seat, seat % 2, player.name, player.user_id) for seat, player in enumerate(PLAYERS)
    )


async def test_a_running_match_has_no_result(database: Database) -> None:
    tables = SqlTableStore(database)
    playing = replace(lobby(target=9), id=await tables.create(lobby(target=9)), status=Status.PLAYING)
    events, _ = a_match(target=9)
    await tables.record_start(playing, events[:1])
    await SqlJournal(database).append(playing.id, 2, events[1:6], None)
    match = await SqlHistory(database).match(playing.id)
    assert match is not None
    assert (match.status, match.result) == ("playing", None)
    assert (await SqlHistory(database).history(BIG)).matches == ()
    assert await SqlHistory(database).match(99) is None


async def test_finished_matches_of_a_server_youngest_first(database: Database) -> None:
    elsewhere = Place(guild_id=5, channel_id=6)
    first, _, _ = await played(database, target=2)
    second, _, _ = await played(database, later=60_000, target=2)
    other, _, _ = await played(database, elsewhere, target=2)
    history = SqlHistory(database)
    assert [match.id for match in (await history.history(BIG)).matches] == [second, first]
    assert [match.id for match in (await history.history(5)).matches] == [other]
    assert [match.id for match in (await history.history(BIG, BIG + 10)).matches] == [second, first]
    assert (await history.history(BIG, BIG + 99)).matches == ()


async def test_who_has_played_is_known_by_server(database: Database) -> None:
    history, user_id = SqlHistory(database), PLAYERS[0].user_id
    assert user_id is not None
    assert not await history.has_played(PLACE.guild_id, user_id)
    await played(database, target=2)
    assert await history.has_played(PLACE.guild_id, user_id)
    assert not await history.has_played(PLACE.guild_id + 1, user_id)
    assert not await history.has_played(PLACE.guild_id, user_id + 99)
