"""Nights as they are stored: every version once, people beside the numbers, nothing twice after a failure."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from bot.base.errors import StoreError
from bot.nights.changes import HostStep, StepKind
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.nights.rounds import Pairing, TableResult
from bot.nights.steps import apply_step, last_step, undo_step
from bot.store.engine.database import Database
from bot.store.nights import SqlNightRecords, SqlNightStore
from bot.store.privacy import SqlPersonalData
from bot.store.records.retention import DAY_MS, SqlRetention
from bot.store.schema.tables import EntrantRow, NightRow, NightStepRow
from bot.store.tables.servers import SqlServerStore
from bot.tables.cluster import Shard
from bot.tables.servers.settings import ServerSettings
from tests.store.counted_matches import GUILD, NOW, Match, play
from tests.tables.nights.evening import planned

HOST, LEA = 700_900_900, 700_100_100


@pytest.fixture
def store(database: Database) -> SqlNightStore:
    return SqlNightStore(database)


def next_version(night: Night) -> Night:
    return replace(night, version=night.version + 1)


async def planned_night(database: Database, *, people: int = 0, **changes: object) -> Night:
    store = SqlNightStore(database)
    plan = replace(planned(**changes), starts_at=NOW, sign_up_until=NOW)  # type: ignore[arg-type]
    night = await store.create(Night(0, GUILD, 0, HOST, "fr", plan, seed=7))
    for number in range(people):
        night = next_version(sign_up.join(night, LEA + number, f"Léa {number}", NOW - 1))
    if people:
        night = replace(night, version=1)
        await store.save(night)
    return night


async def running(database: Database) -> Night:
    night = await planned_night(database, people=5)
    begun = next_version(night.start_round(Pairing(((0, 1, 2, None),), (3, 4)), NOW))
    await SqlNightStore(database).save(begun)
    done = next_version(apply_step(begun, HostStep(StepKind.ADD_TIME, minutes=5), HOST, NOW))
    await SqlNightStore(database).save(done)
    return done


async def rows(database: Database, kind: type[EntrantRow | NightStepRow]) -> int:
    async with database.transaction() as session:
        return await session.scalar(select(func.count()).select_from(kind)) or 0


async def test_a_saved_night_is_read_again(database: Database, store: SqlNightStore) -> None:
    night = await running(database)
    assert await store.load(night.id) == night
    assert await store.load_live() == (night,)
    back = next_version(undo_step(night, last_step(night), NOW))
    await store.save(back)
    assert await store.load(night.id) == back
    assert (await rows(database, EntrantRow), await rows(database, NightStepRow)) == (5, 1)


async def test_names_and_users_are_only_in_the_rows_of_people(database: Database) -> None:
    night = await running(database)
    async with database.transaction() as session:
        row = await session.get_one(NightRow, night.id)
        steps = (await session.scalars(select(NightStepRow.body))).all()
    assert "Léa" not in row.body
    assert not any(str(LEA + number) in row.body for number in range(5))
    assert str(HOST) not in row.body + "".join(steps)


async def test_a_persons_nights_are_those_of_the_server_that_took_place(database: Database) -> None:
    store, records = SqlNightStore(database), SqlNightRecords(database)
    over = next_version((await running(database)).record_result(1, TableResult((1, 0)), NOW).end(NOW + 1))
    cancelled = next_version((await planned_night(database, people=1)).cancel(NOW))
    for night in (over, cancelled):
        await store.save(night)
    await store.create(replace(over, id=0, guild_id=GUILD + 1))
    assert await records.of_person(GUILD, LEA, 9) == (over,)
    assert await records.of_person(GUILD, HOST, 9) == ()


async def test_each_version_of_a_night_is_saved_once(database: Database, store: SqlNightStore) -> None:
    night = await planned_night(database, people=2)
    with pytest.raises(StoreError, match="changed meanwhile"):
        await store.save(night)
    with pytest.raises(StoreError, match="changed meanwhile"):
        await store.save(replace(night, version=night.version + 2))
    assert await store.load(night.id) == night


async def test_the_nights_of_each_server_are_numbered(database: Database, store: SqlNightStore) -> None:
    one, two = await planned_night(database), await planned_night(database)
    other = await store.create(replace(one, guild_id=GUILD + 1))
    assert [one.number, two.number, other.number] == [1, 2, 1]


async def test_the_next_night_is_saved_together_with_the_mark_that_it_is_planned(database: Database) -> None:
    night = await planned_night(database)
    store = SqlNightStore(database)
    with pytest.raises(StoreError):
        await store.create(replace(night, id=0), night)  # this version is stored already
    assert await store.load_live() == (night,)
    following = await store.create(replace(night, id=0), replace(night, version=1, status=night.status))
    assert following.number == 2


async def test_each_process_reads_the_unfinished_nights_of_its_shards(database: Database) -> None:
    night = await planned_night(database)
    store = SqlNightStore(database)
    number = (night.guild_id >> 22) % 4
    assert await store.load_live(Shard(number, 4).has) == (night,)
    assert await store.load_live(Shard((number + 1) % 4, 4).has) == ()
    cancelled = next_version(night.cancel(NOW))
    await store.save(cancelled)
    assert await store.load_live() == (cancelled,), "something may be left to tell"
    gone = next_version(replace(cancelled, is_wound_up=True))
    await store.save(gone)
    assert await store.load_live() == ()
    assert await store.load(night.id) == gone


async def test_the_result_is_read_only_of_matches_played_to_their_end(database: Database) -> None:
    table_id = await play(database, Match((1, 2, 3, 4), at=NOW))
    store = SqlNightStore(database)
    score = await store.score(table_id)
    assert max(score.scores) > min(score.scores)
    assert await store.score(table_id + 1) is None


async def test_nights_are_found_by_server_and_date(database: Database) -> None:
    night = await running(database)
    store, records = SqlNightStore(database), SqlNightRecords(database)
    assert await records.past(GUILD, 5) == ()
    ended = next_version(night.record_result(1, TableResult((1, 0)), NOW))
    await store.save(ended)
    over = next_version(ended.end(NOW))
    await store.save(over)
    assert await records.night(GUILD, night.id) == over
    assert await records.night(GUILD + 1, night.id) is None
    assert await records.past(GUILD, 5) == (over,)
    assert await records.of_person(GUILD, LEA, 5) == (over,)
    assert await records.of_person(GUILD, HOST, 5) == ()
    assert await records.between(GUILD, NOW, NOW + 1) == (over,)
    assert (await records.between(GUILD, NOW + 1, NOW + 9), await records.between(GUILD, 0, NOW)) == ((), ())


async def test_an_erased_person_is_replaced_by_a_number(database: Database) -> None:
    night = await running(database)
    privacy = SqlPersonalData(database)
    exported = await privacy.export(LEA)
    assert exported["nights"][0]["tables"][0]["seats"] == [0, 1, 2, None]
    assert exported["nights"][0]["sign_up"]["presence"] == "in"
    assert [night["id"] for night in (await privacy.export(HOST))["hosted_nights"]] == [night.id]
    assert len((await privacy.export(HOST))["night_steps"]) == 1
    assert await privacy.erase(LEA)
    assert await privacy.erase(HOST)
    kept = await SqlNightStore(database).load(night.id)
    assert kept.entrants[0] == replace(night.entrants[0], user_id=None, name="")
    assert kept.entrants[1:] == night.entrants[1:]
    assert (kept.host_id, kept.steps[0].by, kept.rounds) == (None, None, night.rounds)


async def test_old_nights_lose_their_names(database: Database, store: SqlNightStore) -> None:
    night = await running(database)
    await SqlServerStore(database).change(GUILD, lambda _: ServerSettings(retention_days=30, retained_until=0))
    later = NOW + 100 * DAY_MS
    assert await SqlRetention(database).purge(later, 2) == ()
    assert await store.load(night.id) == night, "it is not over"
    await store.save(next_version(replace(night.cancel(NOW), is_wound_up=True)))
    await SqlRetention(database).purge(NOW + 20 * DAY_MS, 2)
    assert await rows(database, NightStepRow) == 1, "it is not old"
    await SqlRetention(database).purge(later, 2)
    kept = await store.load(night.id)
    assert {entrant.name for entrant in kept.entrants} == {""}
    assert [entrant.user_id for entrant in kept.entrants] == [LEA + number for number in range(5)]
    assert (kept.host_id, kept.steps) == (None, ())
