"""Tries at the deal of the day are used once and kept as they are; boards, erasure, export and retention know them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import pytest
from sqlalchemy import select

from bot.base.times import DAY_MS
from bot.daily.attempt import Attempt, DayKey
from bot.daily.day import SCENES, Score, scene_of, streak
from bot.daily.practice_round import SILENCE_MS
from bot.daily.store import PanelReach
from bot.store.daily import SqlSceneStore
from bot.store.engine.database import Database
from bot.store.privacy import SqlPersonalData
from bot.store.records.retention import SqlRetention
from bot.store.schema.daily import AttemptRow, DailySecretRow
from bot.store.tables.panel_store import Cipher
from bot.store.tables.servers import SqlServerStore
from bot.tables.servers.settings import ServerSettings
from tests.store.conftest import opened, scalars

DAY = date(2026, 11, 23)
NOON = 1_795_431_600_000
HERE, ELSEWHERE = 2**60, 2**60 + 1
LEA, BRUNO = 2**61, 2**61 + 1
REACH = PanelReach("the-token-of-a-press", "fr")


@pytest.fixture
def store(database: Database) -> SqlSceneStore:
    return SqlSceneStore(database, Cipher("a secret"))


def a_try(user_id: int = LEA, number: int = 0, day: date = DAY, guild_id: int = HERE) -> Attempt:
    at = NOON + (day - DAY).days * DAY_MS
    return Attempt(user_id, DayKey(day, number), guild_id, at, at, reference=20_000)


async def played(
    store: SqlSceneStore, times: Sequence[int | None], user_id: int = LEA, day: date = DAY, guild_id: int = HERE
) -> None:
    """Tries of a day, with the time that each took."""
    for number, time in enumerate(times):
        one = a_try(user_id, number, day, guild_id)
        assert await store.start(one, REACH)
        assert await store.save(replace(one, is_over=True, result=time))


async def test_the_secret_is_made_once(database: Database, store: SqlSceneStore) -> None:
    secret = await store.secret()
    assert len(secret) == 32
    assert await SqlSceneStore(database, None).secret() == secret
    assert await store.secret() == secret


@pytest.mark.parametrize("backend", [pytest.param("postgres", marks=pytest.mark.postgres)])
async def test_a_secret_moved_to_another_database_draws_the_same_scenes(database: Database, sqlite: Database) -> None:
    """The row is all that draws depend on."""
    secret = await SqlSceneStore(database, None).secret()
    (row,) = await scalars(database, "SELECT secret FROM daily_secrets")
    async with sqlite.transaction() as session:
        session.add(DailySecretRow(number=1, secret=row))
    moved = await SqlSceneStore(sqlite, None).secret()
    days = [(DAY + timedelta(day), user, number) for day in range(30) for user in (LEA, BRUNO) for number in range(3)]
    assert [scene_of(secret, *one) for one in days] == [scene_of(moved, *one) for one in days]


async def test_an_attempt_starts_once_and_ends_once(address: str) -> None:
    async with opened(address) as database:
        store = SqlSceneStore(database, Cipher("a secret"))
        one = a_try()
        assert await store.start(one, REACH)
        assert not await store.start(replace(one, started_at=NOON + 1), REACH)
        moved = replace(one, pressed_at=NOON + 5, moves="5 A kems")
        assert await store.save(moved, PanelReach("newer", "en"))
    async with opened(address) as database:
        again = SqlSceneStore(database, Cipher("a secret"))
        assert await again.unfinished() == ((moved, PanelReach("newer", "en")),)
        assert await SqlSceneStore(database, Cipher("another")).unfinished() == ((moved, None),)
        over = replace(moved, is_over=True, result=5, moves="")
        assert await again.save(over)
        assert not await again.save(replace(over, result=4))
        assert not await again.save(moved)
        assert await again.attempts(LEA, DAY) == (over,)
        assert await again.unfinished() == ()
        assert await scalars(database, "SELECT token FROM scene_attempts") == [None]


async def test_a_new_attempt_ends_abandoned_ones(database: Database, store: SqlSceneStore) -> None:
    left, bruno = a_try(day=DAY - timedelta(1)), a_try(user_id=BRUNO)
    for one in (left, bruno, a_try()):
        assert await store.start(one, REACH)
    assert not await store.start(a_try(), REACH)
    assert await store.attempts(LEA, left.key.day) == (replace(left, is_over=True),)
    assert {(one.user_id, one.key.day) for one, _ in await store.unfinished()} == {(BRUNO, DAY), (LEA, DAY)}
    left_token = "SELECT token FROM scene_attempts WHERE is_over"
    assert await scalars(database, left_token) == [None], "no secret stays of a panel that nobody can press"
    assert [reach for _, reach in await store.unfinished()] == [REACH, REACH]


def test_an_attempt_ends_after_a_time_without_presses() -> None:
    assert a_try().is_running(NOON + SILENCE_MS - 1)
    assert not a_try().is_running(NOON + SILENCE_MS)


async def test_a_board_adds_up_the_days_of_its_server(database: Database, store: SqlSceneStore) -> None:
    before = DAY - timedelta(1)
    await played(store, (19_000, None, 22_500), LEA)
    await played(store, (30_000,), LEA, before)
    await played(store, (None,), BRUNO)
    await played(store, (1_000, 1_000, 1_000), 7, guild_id=ELSEWHERE)
    both = {Score(LEA, 2, 41_500, 1_500), Score(BRUNO, 0, 0, 0)}
    assert set(await store.scores(HERE, DAY, DAY)) == both
    assert set(await store.scores(HERE, before, DAY)) == {Score(LEA, 3, 71_500, 11_500), Score(BRUNO, 0, 0, 0)}
    assert await store.days(LEA) == {DAY}, "a day counts once its last scene was tried"
    await SqlPersonalData(database).hide(HERE, LEA, "Léa", is_hidden=True)
    await SqlPersonalData(database).hide(ELSEWHERE, BRUNO, "Bruno", is_hidden=True)
    assert await store.scores(HERE, DAY, DAY) == (Score(BRUNO, 0, 0, 0),)


async def test_an_export_has_the_attempts_but_no_secrets(database: Database, store: SqlSceneStore) -> None:
    await played(store, (19_000, None))
    await store.start(a_try(number=2), REACH)
    await store.start(a_try(BRUNO), REACH)
    exported = await SqlPersonalData(database).export(LEA)
    assert [one["result"] for one in exported["scene_attempts"]] == [19_000, None, None]
    secrets = await scalars(database, "SELECT secret FROM daily_secrets")
    assert not [word for word in (*secrets, "token", str(BRUNO)) if word in str(exported["scene_attempts"])]


async def test_a_day_is_posted_once(database: Database, store: SqlSceneStore) -> None:
    await played(store, (19_000, None, 5_000))
    await played(store, (5_000,), BRUNO)
    keys = [DayKey(DAY, number) for number in range(SCENES)]
    marks = [(LEA, True), (LEA, True), (BRUNO, True), (BRUNO, False), (BRUNO, True)]
    assert [await store.mark(user, keys, is_posted=on) for user, on in marks] == [True, False, True, True, True]
    assert [one.is_posted for one in await store.attempts(LEA, DAY)] == [True] * 3
    assert not await store.mark(LEA, [DayKey(DAY + timedelta(1), 0)], is_posted=True), "what was not tried"


async def test_erasure_deletes_all_attempts_and_ends_the_running_one(database: Database, store: SqlSceneStore) -> None:
    running, before = a_try(number=1), DAY - timedelta(1)
    await played(store, (19_000,))
    await played(store, (None,) * 3, day=before)
    assert streak(await store.days(LEA), DAY) == 1
    await store.start(running, REACH)
    await played(store, (5_000,), BRUNO)
    assert await SqlPersonalData(database).erase(LEA)
    assert await store.attempts(LEA, DAY) == ()
    assert streak(await store.days(LEA), DAY) == 0
    assert not await store.save(replace(running, moves="1 A kems"))
    assert await scalars(database, "SELECT user_id FROM scene_attempts") == [BRUNO]


async def test_retention_deletes_the_old_attempts_of_its_server(database: Database, store: SqlSceneStore) -> None:
    old = DAY - timedelta(40)
    for user_id, day, guild_id in ((LEA, DAY, HERE), (LEA, old, HERE), (BRUNO, old, ELSEWHERE)):
        await played(store, (1_000,) * 3, user_id, day, guild_id)
    await SqlServerStore(database).change(HERE, lambda _: ServerSettings(retention_days=30, retained_until=0))
    await SqlRetention(database).purge(NOON, 10)
    assert (await store.days(LEA), await store.days(BRUNO)) == ({DAY}, {old})


async def test_a_post_is_due_once_a_day_from_its_hour_on(database: Database, store: SqlSceneStore) -> None:
    servers = SqlServerStore(database)
    chosen = ServerSettings(daily_channel=5, daily_hour=18)
    assert await store.posts_due(DAY, 23) == ()
    await servers.change(HERE, lambda _: chosen)
    await servers.change(ELSEWHERE, lambda _: ServerSettings(daily_hour=18))
    assert await store.posts_due(DAY, 17) == ()
    assert await store.posts_due(DAY, 18) == ((HERE, 5),)
    await servers.change(HERE, partial(replace, daily_posted_day=DAY.toordinal()))
    assert await store.posts_due(DAY, 19) == ()
    assert await store.posts_due(DAY + timedelta(1), 18) == ((HERE, 5),)


async def test_a_person_plays_the_day_again_after_their_data_was_deleted(
    database: Database, store: SqlSceneStore
) -> None:
    """No row says that their tries were used."""
    await store.secret()
    await played(store, [20_000, None])
    assert await SqlPersonalData(database).erase(LEA)
    assert await scalars(database, select(AttemptRow.user_id)) == []
    await played(store, [15_000])
    assert await store.scores(HERE, DAY, DAY) == (Score(LEA, 1, 15_000, -5_000),)


async def test_an_old_copy_neither_ends_nor_changes_what_a_later_press_has_saved(store: SqlSceneStore) -> None:
    """Two processes hold one try: the person pressed at the second one last."""
    old = a_try()
    assert await store.start(old, REACH)
    newer = replace(old, pressed_at=old.pressed_at + 80_000, moves="1 A kems")
    assert await store.save(newer, REACH, since=old.pressed_at)
    assert not await store.save(replace(old, is_over=True))
    assert not await store.save(replace(old, pressed_at=newer.pressed_at + 1, moves=""), REACH, since=old.pressed_at)
    assert await store.attempts(LEA, DAY) == (newer,)
    assert await store.save(replace(newer, is_over=True))
