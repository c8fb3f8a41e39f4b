"""Results: written with the event that ends the match, once; the archive: finished matches of one server, whole."""

from dataclasses import replace

import pytest
from sqlalchemy import update

from bot.game.events import Event
from bot.game.state import State
from bot.ladder.seasons import Season
from bot.records.archive import SharedRound
from bot.records.history import Activity, SeatRecord
from bot.records.pictures import Theme
from bot.robots.level import RobotLevel
from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from bot.store.privacy import SqlPersonalData
from bot.store.records.history import SqlArchive, SqlHistory, SqlSharedRounds
from bot.store.schema.tables import TableRow
from bot.store.tables.journal import SqlJournal
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from bot.tables.lobby.table_channel import TableChannel
from tests.store.counted_matches import DAY, GUILD, NOW, Match, play_all, saved_seasons
from tests.store.matches import BIG, PLACE, PLAYERS, a_match, lobby


async def played(
    database: Database, place: TableChannel = PLACE, *, later: int = 0, **rules: object
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
    assert (match.result.winner, match.result.scores) == (state.winner, state.scores)
    assert match.result.games == state.games
    assert match.result.rounds == state.round
    assert match.result.ended_at == events[-1].at
    assert (match.guild_id, match.losers) == (BIG, ())
    assert match.rules == state.rules
    assert match.seats == tuple(
        SeatRecord(seat, seat % 2, player.name, player.user_id) for seat, player in enumerate(PLAYERS)
    )


async def test_a_running_match_has_no_result(database: Database, tables: SqlTableStore) -> None:
    playing = replace(lobby(target=9), id=await tables.create(lobby(target=9)), status=Status.PLAYING)
    events, _ = a_match(target=9)
    await tables.record_start(playing, events[:1])
    await SqlJournal(database).append(playing.id, 2, events[1:6], None)
    assert await SqlHistory(database).match(playing.id) is None
    assert (await SqlHistory(database).history(BIG)).matches == ()
    assert await SqlHistory(database).match(99) is None


async def test_finished_matches_of_a_server_are_listed_latest_first(database: Database) -> None:
    elsewhere = TableChannel(guild_id=5, channel_id=6)
    first, _, _ = await played(database, target=2)
    second, _, _ = await played(database, later=60_000, target=2)
    other, _, _ = await played(database, elsewhere, target=2)
    history = SqlHistory(database)
    assert [match.id for match in (await history.history(BIG)).matches] == [second, first]
    assert [match.id for match in (await history.history(5)).matches] == [other]
    assert [match.id for match in (await history.history(BIG, BIG + 10)).matches] == [second, first]
    assert (await history.history(BIG, BIG + 99)).matches == ()


async def test_people_who_have_played_are_known_by_server(database: Database) -> None:
    history, user_id = SqlHistory(database), PLAYERS[0].user_id
    assert not await history.has_played(PLACE.guild_id, user_id)
    await played(database, target=2)
    assert await history.has_played(PLACE.guild_id, user_id)
    assert not await history.has_played(PLACE.guild_id + 1, user_id)
    assert not await history.has_played(PLACE.guild_id, user_id + 99)
    await play_all(database, [Match((1, 2, 3, 4), left=frozenset({0}))])
    assert [await history.has_played(GUILD, user_id) for user_id in (1, 2)] == [False, True], "who left has not"


async def test_matches_that_a_player_has_played_to_their_end_are_counted_by_server(database: Database) -> None:
    """Friendly ones, too; none that they left, that was broken off, or that is void."""
    matches = [
        Match((1, 2, 3, 4)),
        Match((1, 2, 3, 4), ranked=False),
        Match((1, 2, 3, 4), left=frozenset({1})),
        Match((1, 2, 3, 4), lost_by=frozenset({2})),
        Match((1, 2, 3, 4), guild=GUILD + 1),
    ]
    first, *_ = await play_all(database, matches)
    history = SqlHistory(database)
    assert await history.matches_played(GUILD, (1, 2, 3, 9)) == {1: 3, 2: 2, 3: 3}
    assert await history.matches_played(GUILD + 1, (1,)) == {1: 1}
    assert await history.matches_played(GUILD, None) == {1: 3, 2: 2, 3: 3, 4: 3}
    await SqlRecount(database).void(GUILD, first, by_id=9, reason="", at=NOW)
    assert await history.matches_played(GUILD, (1, 2, 3)) == {1: 2, 2: 1, 3: 2}


async def test_a_match_lists_the_rating_changes_that_it_caused(database: Database) -> None:
    users, season = (1, 2, 3, 4), Season(1, NOW, NOW + 9 * DAY)
    await saved_seasons(database, (season.starts_at, season.ends_at), (NOW + 9 * DAY, None))
    first, elsewhere, second, friendly, later = await play_all(
        database,
        [
            Match(users),
            Match(users, guild=GUILD + 1),
            Match((1, 2, 5, 4), (4, 10), at=NOW + DAY),
            Match(users, at=NOW + 2 * DAY, ranked=False),
            Match(users, at=NOW + 10 * DAY),
        ],
    )
    history = SqlHistory(database)
    after = {change.user_id: change.after for change in await history.rating_changes(first)}
    changes = [(change.user_id, change.before) for change in await history.rating_changes(second)]
    assert changes == [(1, after[1]), (2, after[2]), (5, None), (4, after[4])]
    for begins in (first, elsewhere, later):
        assert {change.before for change in await history.rating_changes(begins)} == {None}
    assert await history.rating_changes(friendly) == ()
    assert (await history.point_sources(GUILD, [2], season))[2].matches == 2
    assert await SqlPersonalData(database).erase(1)
    assert [change.user_id for change in await history.rating_changes(second)] == [2, 5, 4]


async def test_a_finished_match_is_returned_completely(database: Database) -> None:
    table_id, events, _ = await played(database, target=2)
    archive = SqlArchive(database)
    match = await archive.read(table_id)
    people = tuple(replace(one, robot_level=RobotLevel.REGULAR) if one.is_robot else one for one in PLAYERS)
    assert (match.table_id, match.theme, match.people) == (table_id, Theme.FRENCH, people)
    assert match.events == events
    assert await archive.read(table_id + 1) is None


async def test_unfinished_matches_cannot_be_read(database: Database) -> None:
    tables, log, archive = SqlTableStore(database), SqlJournal(database), SqlArchive(database)
    playing = lobby(target=2)
    playing = replace(playing, id=await tables.create(playing), status=Status.PLAYING)
    events, _ = a_match(target=2)
    await tables.record_start(playing, events[:1])
    await log.append(playing.id, 2, events[1:-1], None)
    assert await archive.read(playing.id) is None
    await log.append(playing.id, len(events), events[-1:], None)
    assert await archive.read(playing.id) is not None


async def test_a_match_that_was_closed_after_its_end_is_not_read(database: Database) -> None:
    table_id, _, _ = await played(database, target=2)
    async with database.transaction() as session:
        closed = update(TableRow).where(TableRow.id == table_id).values(status=Status.CANCELLED.value)
        await session.execute(closed)
    assert await SqlArchive(database).read(table_id) is None


async def test_the_latest_message_of_a_shared_round_is_found(database: Database) -> None:
    table_id = await SqlTableStore(database).create(lobby())
    rounds, shared = SqlSharedRounds(database), SharedRound(table_id, 2, BIG)
    assert await rounds.message_of(shared) is None
    await rounds.save(shared, BIG + 1)
    await rounds.save(replace(shared, round=3), BIG + 2)
    await rounds.save(replace(shared, channel_id=BIG + 9), BIG + 3)
    await rounds.save(shared, BIG + 4)
    assert await rounds.message_of(shared) == BIG + 4
    assert await rounds.message_of(replace(shared, round=3)) == BIG + 2
    assert await rounds.message_of(replace(shared, table_id=table_id + 1)) is None


async def test_activity_lists_new_and_returning_players(database: Database) -> None:
    since = NOW - 30 * DAY
    ends = {NOW - 90 * DAY: (1, 2, 3, 4), NOW - 5 * DAY: (1, 2, 3, 5), NOW - DAY: (1, 2, 3, 5), NOW: (6, 7, 8, 9)}
    *_, last = await play_all(database, [Match(users, at=at) for at, users in ends.items()])
    await SqlRecount(database).void(GUILD, last, by_id=9, reason="", at=NOW)
    await SqlPersonalData(database).hide(GUILD, 1, "player 1", is_hidden=True)
    activity = await SqlHistory(database).activity(GUILD, since)
    assert activity.starts == (NOW - 5 * DAY - 900, NOW - DAY - 900)
    assert sorted(activity.before, key=str) == [NOW - 90 * DAY] * 3 + [None]
    assert await SqlHistory(database).activity(GUILD + 1, since) == Activity((), ())


async def test_a_match_that_ended_at_the_start_of_a_period_is_not_in_it(database: Database) -> None:
    since, users = NOW - 30 * DAY, (1, 2, 3, 4)
    await play_all(database, [Match(users, at=since), Match(users, at=NOW)])
    assert await SqlHistory(database).activity(GUILD, since) == Activity((NOW - 900,), (since,) * 4)


async def test_a_match_keeps_its_original_names_and_void_matches_are_listed_latest_first(database: Database) -> None:
    before, since = ("Ana", "Bruno", "Chloé", "Dora"), ("Anna", "Bruno", "Chloé", "Dora")
    first, second = await play_all(
        database, [Match((1, 2, 3, 4), names=before), Match((1, 2, 3, 4), at=NOW + DAY, names=since)]
    )
    history = SqlHistory(database)
    assert [(await history.match(number)).seats[0].name for number in (first, second)] == ["Ana", "Anna"]
    for at, number in enumerate((second, first)):
        await SqlRecount(database).void(GUILD, number, by_id=9, reason="", at=NOW + at)
    assert [void.table_id for void in await history.voids(GUILD, 9)] == [first, second]
    assert [void.table_id for void in await history.voids(GUILD, 1)] == [first]
