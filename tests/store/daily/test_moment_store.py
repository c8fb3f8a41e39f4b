"""A try at a moment is kept as it is while it runs, and gives way to the next one when it is over."""

from dataclasses import replace

import pytest

from bot.daily.moment import Challenge, MomentTry
from bot.daily.run import SILENCE_MS
from bot.daily.store import PanelReach
from bot.store.daily import SqlMomentStore
from bot.store.engine.database import Database
from bot.store.privacy import SqlPersonalData
from bot.store.tables.panel_store import Cipher
from tests.store.conftest import opened, scalars
from tests.store.counted_matches import Match, play

REACH = PanelReach("the-token-of-a-press", "fr")
NOON = 1_795_431_600_000
LEA, BRUNO, HERE = 2**61, 2**61 + 1, 2**60


async def played(database: Database) -> int:
    return await play(database, Match(users=(LEA, 3, BRUNO, 4), guild=HERE))


def a_try(table_id: int, user_id: int = LEA, step: int = 5, at: int = NOON) -> MomentTry:
    return MomentTry(user_id, table_id, 2, step, 0, HERE, at, at)


@pytest.fixture
def store(database: Database) -> SqlMomentStore:
    return SqlMomentStore(database, Cipher("a secret"))


async def test_a_try_goes_on_after_a_restart_and_ends_once(address: str) -> None:
    async with opened(address) as database:
        store, one = SqlMomentStore(database, Cipher("a secret")), a_try(await played(database))
        assert await store.begin(one, REACH)
        moved = replace(one, pressed_at=NOON + 5, moves="5 A kems")
        assert await store.save(moved, PanelReach("newer", "en"), since=NOON)
        assert not await store.save(replace(moved, moves=""), since=NOON), "a newer press was saved"
    async with opened(address) as database:
        again = SqlMomentStore(database, Cipher("a secret"))
        assert await again.unfinished() == ((moved, PanelReach("newer", "en")),)
        assert await SqlMomentStore(database, None).unfinished() == ((moved, None),)
        over = replace(moved, is_over=True, gain=-1, moves="")
        assert await again.save(over)
        assert not await again.save(moved)
        assert await again.find(one) == over
        assert await again.unfinished() == ()
        assert await scalars(database, "SELECT token FROM moment_tries") == [None]


async def test_another_try_begins_when_the_last_one_is_over(database: Database, store: SqlMomentStore) -> None:
    table_id = await played(database)
    one = a_try(table_id)
    assert await store.begin(one, REACH)
    assert not await store.begin(a_try(table_id, at=NOON + 1), REACH), "the same press twice is one try"
    later = a_try(table_id, at=NOON + SILENCE_MS + 1)
    assert await store.begin(later, REACH), "nobody has pressed for too long"
    assert not await store.save(replace(one, is_over=True)), "a copy of the former one ends nothing"
    assert await store.save(replace(later, is_over=True, gain=1))
    assert await store.begin(a_try(table_id, at=NOON + SILENCE_MS + 2), REACH)


async def test_a_person_has_one_try_and_others_theirs(database: Database, store: SqlMomentStore) -> None:
    table_id = await played(database)
    for one in (a_try(table_id), a_try(table_id, BRUNO), a_try(table_id, step=6)):
        assert await store.begin(one, REACH)
    assert {(one.user_id, one.step) for one, _ in await store.unfinished()} == {(BRUNO, 5), (LEA, 6)}


async def test_a_challenge_is_posted_once_and_keeps_what_came_of_it(database: Database, store: SqlMomentStore) -> None:
    table_id = await played(database)
    one = a_try(table_id, BRUNO)
    challenge = Challenge(*one.key, LEA, HERE)
    assert await store.post(challenge)
    assert not await store.post(challenge)
    assert await store.challenge(one.key) == challenge
    assert await store.challenge(one.key._replace(seat=1)) is None
    assert await store.begin(one, REACH)
    assert await store.save(replace(one, is_over=True, gain=1))
    assert await store.begin(a_try(table_id, BRUNO, step=9), REACH)
    assert await store.find(one) == replace(one, is_over=True, gain=1), "a try at a challenge is the only one"
    await store.withdraw(challenge)
    assert await store.challenge(one.key) is None


async def test_who_is_erased_challenges_nobody(database: Database, store: SqlMomentStore) -> None:
    one = a_try(await played(database))
    await store.post(Challenge(*one.key, LEA, HERE))
    (told,) = (await SqlPersonalData(database).export(LEA))["challenges"]
    assert told["step"] == 5
    assert await SqlPersonalData(database).forget(LEA)
    assert await store.challenge(one.key) is None


async def test_who_is_erased_has_tried_nothing(database: Database, store: SqlMomentStore) -> None:
    one = a_try(await played(database))
    await store.begin(one, REACH)
    (told,) = (await SqlPersonalData(database).export(LEA))["moments_played_again"]
    assert (told["table_id"], told["step"]) == (one.table_id, 5)
    assert "token" not in told
    assert await SqlPersonalData(database).forget(LEA)
    assert await store.find(one) is None
    assert not await store.save(replace(one, is_over=True))
