"""A try at a moment is kept as it is while it runs, and gives way to the next one when it is over."""

from dataclasses import replace

import pytest

from bot.daily.attempt import MOST_CHALLENGES, Attempt, Challenge, MomentKey
from bot.daily.practice_round import SILENCE_MS
from bot.daily.store import PanelReach
from bot.store.daily import SqlSceneStore
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


def a_try(table_id: int, user_id: int = LEA, step: int = 5, at: int = NOON) -> Attempt:
    return Attempt(user_id, MomentKey(table_id, 2, step, 0), HERE, at, at)


@pytest.fixture
def store(database: Database) -> SqlSceneStore:
    return SqlSceneStore(database, Cipher("a secret"))


async def test_an_attempt_goes_on_after_a_restart_and_ends_once(address: str) -> None:
    async with opened(address) as database:
        store = SqlSceneStore(database, Cipher("a secret"))
        one = replace(a_try(await played(database)), sign="🎩")
        assert await store.start(one, REACH)
        moved = replace(one, pressed_at=NOON + 5, moves="5 A kems")
        assert await store.save(moved, PanelReach("newer", "en"), since=NOON)
        assert not await store.save(replace(moved, moves=""), since=NOON), "a newer press was saved"
    async with opened(address) as database:
        again = SqlSceneStore(database, Cipher("a secret"))
        assert await again.unfinished() == ((moved, PanelReach("newer", "en")),)
        assert await SqlSceneStore(database, None).unfinished() == ((moved, None),)
        over = replace(moved, is_over=True, result=-1, moves="")
        assert await again.save(over)
        assert not await again.save(moved)
        assert await again.find(LEA, one.key) == over
        assert await again.unfinished() == ()
        assert await scalars(database, "SELECT token FROM scene_attempts") == [None]


async def test_another_attempt_begins_when_the_last_one_is_over(database: Database, store: SqlSceneStore) -> None:
    table_id = await played(database)
    one = a_try(table_id)
    assert await store.start(one, REACH, again=True)
    assert not await store.start(a_try(table_id, at=NOON + 1), REACH, again=True), "the same press twice is one try"
    later = a_try(table_id, at=NOON + SILENCE_MS + 1)
    assert await store.start(later, REACH, again=True), "nobody has pressed for too long"
    assert not await store.save(replace(one, is_over=True)), "a copy of the former one ends nothing"
    assert await store.save(replace(later, is_over=True, result=1))
    assert not await store.start(a_try(table_id, at=NOON + SILENCE_MS + 2), REACH), "a challenge is tried once"
    assert await store.start(a_try(table_id, at=NOON + SILENCE_MS + 2), REACH, again=True)


async def test_a_new_attempt_ends_abandoned_ones_and_no_others(database: Database, store: SqlSceneStore) -> None:
    table_id = await played(database)
    for one in (a_try(table_id), a_try(table_id, BRUNO), a_try(table_id, step=6)):
        assert await store.start(one, REACH)
    assert {(one.user_id, one.key.step) for one, _ in await store.unfinished()} == {(BRUNO, 5), (LEA, 5), (LEA, 6)}
    assert await store.start(a_try(table_id, step=7, at=NOON + SILENCE_MS + 1), REACH)
    assert {(one.user_id, one.key.step) for one, _ in await store.unfinished()} == {(BRUNO, 5), (LEA, 7)}


async def test_an_attempt_that_was_never_shown_can_begin_again(database: Database, store: SqlSceneStore) -> None:
    table_id = await played(database)
    one, others = a_try(table_id), [a_try(table_id, step=6), a_try(table_id, BRUNO)]
    for each in (one, *others):
        assert await store.start(each, REACH)
    await store.withdraw(replace(one, started_at=NOON - 1))
    assert not await store.start(one, REACH), "another one is meant"
    await store.withdraw(one)
    assert [each for each, _ in await store.unfinished()] == others
    assert await store.start(one, REACH)


async def test_a_challenge_is_posted_once_and_survives_further_attempts(
    database: Database, store: SqlSceneStore
) -> None:
    table_id = await played(database)
    own, other = a_try(table_id), a_try(table_id, BRUNO)
    assert await store.start(own, REACH)
    assert await store.start(other, REACH)
    assert await store.challenge(own.key) is None
    assert await store.mark(LEA, [own.key], is_posted=True)
    assert not await store.mark(LEA, [own.key], is_posted=True)
    over = replace(own, is_over=True, result=1)
    assert await store.save(over)
    assert await store.challenge(own.key) == replace(over, is_posted=True)
    again = replace(own, started_at=NOON + 1, pressed_at=NOON + 1)
    assert await store.start(again, REACH, again=True)
    assert await store.challenge(own.key) == replace(again, is_posted=True)
    assert await store.challenge(own.key._replace(seat=1)) is None
    assert await store.mark(LEA, [own.key], is_posted=False)
    assert await store.challenge(own.key) is None


async def test_a_moment_becomes_a_challenge_once_whether_its_player_has_tried_it_or_not(
    database: Database, store: SqlSceneStore
) -> None:
    table_id = await played(database)
    new, known = a_try(table_id), a_try(table_id, step=6)
    forward = replace(new, is_over=True, is_posted=True)
    assert await store.add_challenge(forward)
    assert not await store.add_challenge(forward)
    assert await store.find(LEA, new.key) == forward
    assert await store.start(known, REACH)
    assert await store.add_challenge(replace(known, is_over=True))
    assert await store.find(LEA, known.key) == replace(known, is_posted=True), "the try that runs goes on"
    assert await store.challenges(table_id) == (Challenge(new.key), Challenge(known.key))
    assert await store.challenges(table_id + 1) == ()
    for step in range(7, 10):
        await store.add_challenge(a_try(table_id, step=step))
    assert len(await store.challenges(table_id)) == MOST_CHALLENGES


async def test_a_challenge_counts_who_has_tried_and_names_who_did_better(
    database: Database, store: SqlSceneStore
) -> None:
    table_id = await played(database)
    key = a_try(table_id).key
    await store.add_challenge(a_try(table_id))
    results = {BRUNO: 2, 3: 1, 4: None, 5: 3}
    for number, (user_id, result) in enumerate(results.items()):
        one = replace(a_try(table_id, user_id, at=NOON - number), reference=1)
        assert await store.start(one, REACH)
        assert await store.challenges(table_id) == (Challenge(key, number, tuple([BRUNO][:number])),)
        assert await store.save(replace(one, is_over=True, result=result))
    assert await store.challenges(table_id) == (Challenge(key, 4, (5, BRUNO)),), "by the time of their tries"
    await store.save(replace(a_try(table_id, step=9), is_over=True, result=7))
    assert {*await store.challenged_tables(5)} == {*await store.challenged_tables(LEA)} == {(HERE, table_id)}
    await store.start(a_try(table_id, 99, step=9), REACH)
    assert not await store.challenged_tables(99), "nobody has put that moment forward"
    for guild_id, user_id in ((HERE, 5), (HERE + 1, BRUNO)):
        await SqlPersonalData(database).hide(guild_id, user_id, "Zoé", is_hidden=True)
    assert await store.challenges(table_id) == (Challenge(key, 4, (BRUNO,)),), "who is on no boards is not named"
    assert await SqlPersonalData(database).erase(BRUNO)
    assert await store.challenges(table_id) == (Challenge(key, 3),)
    assert await SqlPersonalData(database).erase(LEA)
    assert await store.challenges(table_id) == ()


async def test_an_erased_person_has_no_attempts_and_no_challenges(database: Database, store: SqlSceneStore) -> None:
    one = a_try(await played(database))
    await store.start(one, REACH)
    await store.mark(LEA, [one.key], is_posted=True)
    (told,) = (await SqlPersonalData(database).export(LEA))["scene_attempts"]
    assert (told["scene"], told["is_posted"]) == (f"{one.key.table_id}.2.5.0", True)
    assert "token" not in told
    assert await SqlPersonalData(database).erase(LEA)
    assert await store.find(LEA, one.key) is None
    assert await store.challenge(one.key) is None
    assert not await store.save(replace(one, is_over=True))
