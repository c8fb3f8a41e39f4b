"""What a server does not want kept is deleted; what standings are made of is not."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, update

from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from bot.store.records import retention as retention_module
from bot.store.records.history import SqlArchive, SqlHistory
from bot.store.records.retention import DAY_MS, SqlRetention
from bot.store.schema.ladder import PlayRow
from bot.store.schema.tables import DepartureRow, EventRow, SeatRow, TableRow
from bot.store.tables.journal import SqlJournal
from bot.store.tables.servers import SqlServerStore
from bot.store.tables.table_store import SqlTableStore
from bot.tables.lobby.lobby import Status
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.servers.settings import ServerSettings
from bot.tables.table_store import SavedTable, SeatChanges
from tests.examples import examples
from tests.store.counted_matches import GUILD, NOW, Match, emptied, play_all, standing
from tests.store.matches import PLACE, live, lobby
from tests.store.tables.test_results import PEOPLE, begun, ended

KEPT = ServerSettings(retention_days=30, retained_until=0)
LATER = NOW + 100 * DAY_MS


async def keep(database: Database, guild_id: int = PLACE.guild_id, chosen: ServerSettings = KEPT) -> None:
    await SqlServerStore(database).change(guild_id, lambda _: chosen)


async def purge_all(database: Database, at: int = LATER) -> list[int]:
    gone: list[int] = []
    while ids := await SqlRetention(database).purge(at, 2):
        gone += ids
    return gone


async def rows_of(database: Database, table_id: int) -> dict[str, int]:
    counts = {}
    async with database.transaction() as session:
        for row in (EventRow, DepartureRow, SeatRow, PlayRow):
            query = select(func.count()).select_from(row).where(row.table_id == table_id)
            counts[row.__tablename__] = await session.scalar(query) or 0
    return counts


async def test_matches_that_would_be_deleted_are_counted_before(database: Database) -> None:
    retention = SqlRetention(database)
    table, events = await begun(database)
    assert await retention.count_old(PLACE.guild_id, 30, LATER) == 0, "it is still being played"
    await ended(database, table, events)
    await SqlTableStore(database).create(replace(lobby(), status=Status.EXPIRED, opened_at=NOW))
    assert await retention.count_old(PLACE.guild_id, 30, LATER) == 1, "a lobby is no match"
    assert await retention.count_old(PLACE.guild_id, 101, LATER) == 0
    assert await retention.count_old(PLACE.guild_id + 1, 30, LATER) == 0
    await keep(database)
    await purge_all(database)
    assert await retention.count_old(PLACE.guild_id, 30, LATER) == 0


async def test_counting_stops_at_the_number_that_is_shown(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention_module, "MOST_COUNTED", 2)
    played = [Match((1, 2, 3, 4), at=NOW + number) for number in range(5)]
    await play_all(database, played)
    assert await SqlRetention(database).count_old(GUILD, 30, LATER) == 3, "more than two"


async def test_an_old_match_keeps_its_numbers(database: Database) -> None:
    await keep(database)
    table, events = await begun(database)
    await SqlTableStore(database).reseat(table, SeatChanges(events[0].at, gone=((1, replace(PEOPLE[1], user_id=77)),)))
    await ended(database, table, events)
    async with database.transaction() as session:
        await session.execute(update(SeatRow).values(ballot="[]"))
    before, (told,) = await standing(database), (await SqlHistory(database).history(PLACE.guild_id)).matches
    assert await purge_all(database) == [table.id]
    assert await rows_of(database, table.id) == {"events": 0, "departures": 0, "seats": 4, "plays": 5}
    async with database.transaction() as session:
        assert {*map(tuple, await session.execute(select(SeatRow.name, SeatRow.ballot)))} == {("", None)}
        assert (await session.get_one(TableRow, table.id)).host_id == 0
    (again,) = (await SqlHistory(database).history(PLACE.guild_id)).matches
    assert again == told, "people go by the name they used last"
    played = await SqlArchive(database).read(table.id)
    assert played.events == ()
    assert await SqlRecount(database).rebuild() == 1
    assert await standing(database) == before
    assert await SqlTableStore(database).load(table.id) is None, "there is no rematch of it"
    assert await live(SqlTableStore(database)) == (), "nor a message to be brought up to date"


USERS = st.permutations(range(1, 7)).map(lambda users: tuple(users[:4]))
MATCHES = st.lists(
    st.builds(
        Match,
        users=USERS,
        scores=st.sampled_from([(10, 4), (3, 10), (7, 7)]),
        at=st.integers(0, 60).map(lambda days: NOW + days * DAY_MS),
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=examples(3), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MATCHES, st.integers(0, 60), st.data())
async def test_standings_are_the_same_after_purging_and_voiding(
    database: Database, matches: list[Match], age: int, data: st.DataObject
) -> None:
    matches = sorted(matches, key=lambda match: match.at)
    void = data.draw(st.integers(0, len(matches) - 1))
    found = []
    for is_purged in (False, True):
        await emptied(database)
        await keep(database, GUILD)
        await play_all(database, matches, ids=range(1, len(matches) + 1))
        if is_purged:
            gone = await purge_all(database, NOW + (age + 30) * DAY_MS)
            assert len(gone) == sum(match.at < NOW + age * DAY_MS for match in matches)
        await SqlRecount(database).void(GUILD, void + 1, by_id=1, reason="", at=LATER)
        voided = await standing(database)
        await SqlRecount(database).rebuild()
        assert await standing(database) == voided
        found.append(voided)
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "chosen",
    [
        ServerSettings(),
        ServerSettings(retention_days=365, retained_until=0),
        ServerSettings(retention_days=30, retained_until=LATER + 1),
    ],
    ids=["for ever", "for longer", "announced"],
)
async def test_matches_within_the_retention_are_kept(database: Database, chosen: ServerSettings) -> None:
    await keep(database, chosen=chosen)
    await keep(database, PLACE.guild_id + 1)
    table, events = await begun(database)
    await ended(database, table, events)
    before = await rows_of(database, table.id)
    assert await purge_all(database) == []
    assert await rows_of(database, table.id) == before


async def test_tables_with_people_are_kept_and_empty_ones_deleted(database: Database) -> None:
    await keep(database)
    tables = SqlTableStore(database)
    waiting = replace(lobby(), id=await tables.create(lobby()))
    running, _ = await begun(database)
    cancelled = replace(lobby(Status.CANCELLED), id=await tables.create(lobby()))
    await tables.save(cancelled)
    broken, events = await begun(database)
    await SqlJournal(database).append(broken.id, 2, events[1:10], None)
    await tables.save(replace(broken, status=Status.CANCELLED))
    assert await purge_all(database) == [cancelled.id, broken.id]
    for table in (cancelled, broken):
        assert set((await rows_of(database, table.id)).values()) == {0}
    assert (await live(tables))[0] == SavedTable(waiting)
    assert (await rows_of(database, running.id))["seats"] == 4
    new = await tables.create(lobby(place=TableChannel(1, 2)))
    assert new > broken.id, "numbers are not given again"
