"""Recounts in small steps: whatever happens between two of them, what comes out is what was never interrupted."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import func, select

from bot.base.errors import StoreError
from bot.ladder.formula import formula_with
from bot.records.seasons import VoidCode
from bot.store.engine.database import Database
from bot.store.ladder import recount
from bot.store.ladder.recount import Rerating, SqlRecount
from bot.store.ladder.recount_requests import request_recount
from bot.store.privacy import SqlPersonalData
from bot.store.schema.ladder import PlayRow, RecountRow
from tests.store.conftest import recorded_statements
from tests.store.counted_matches import DAY, GUILD, NOW, Match, emptied, once, play, play_all, saved_seasons, standing

MATCHES = [
    Match((1, 2, 3, 4)),
    Match((5, 6, 7, 8), at=NOW + 1),
    Match((1, 6, 3, 5), (4, 10), at=NOW + DAY),
    Match((5, 2, 7, 8), at=NOW + 2 * DAY, ranked=False),
    Match((9, 10, 11, 12), at=NOW + 3 * DAY),
    Match((1, 2, 3, 4), at=NOW + 3 * DAY, left=frozenset({2})),
    Match((1, 5, 6, 9), (2, 0), at=NOW + 4 * DAY, lost_by=frozenset({0, 1})),
    Match((8, 2, 3, 7), (3, 10), at=NOW + 40 * DAY),
]
LATER = Match((1, 2, 8, 12), at=NOW + 41 * DAY)
IDS = list(range(101, 101 + len(MATCHES)))
OUT = 1
PATIENCE_S = 60

Read = Callable[[SqlRecount, int, int], Awaitable[Any]]


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recount, "MATCHES", 2)
    monkeypatch.setattr(recount, "PEOPLE", 2)


def at_each_step(monkeypatch: pytest.MonkeyPatch, happens: Callable[[int, int], Awaitable[None]]) -> list[int]:
    """What `happens` after each step's reading, by the step and the number after which it read; those numbers."""
    read: Read = SqlRecount._read
    begun: list[int] = []

    async def slow(self: SqlRecount, guild_id: int, last: int) -> Any:
        found = await read(self, guild_id, last)
        begun.append(last)
        await happens(len(begun), last)
        return found

    monkeypatch.setattr(SqlRecount, "_read", slow)
    return begun


async def never_played(database: Database, *more: Match) -> dict[str, list[tuple[Any, ...]]]:
    """What is to come out, in a database that is empty again."""

    async def make(database: Database) -> dict[str, list[tuple[Any, ...]]]:
        ids = [*IDS[:OUT], *IDS[OUT + 1 :], *range(IDS[-1] + 1, IDS[-1] + 1 + len(more))]
        await play_all(database, [*MATCHES[:OUT], *MATCHES[OUT + 1 :], *more], ids)
        return await standing(database)

    expected = await once(database, ("never played", more), make)
    await emptied(database)
    return expected


async def played(database: Database) -> None:
    await once(database, "recounted matches", lambda database: play_all(database, MATCHES, IDS))


async def void(database: Database) -> VoidCode:
    return await SqlRecount(database).void(GUILD, IDS[OUT], by_id=9, reason="", at=NOW)


async def pending(database: Database) -> int:
    async with database.transaction() as session:
        return await session.scalar(select(func.count()).select_from(RecountRow)) or 0


async def test_matches_that_end_during_a_recount_are_counted_after_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One with every fourth step, also while careers are written: none makes it begin again, and it ends."""
    more = [replace(LATER, at=LATER.at + hour) for hour in range(4)]

    async def another_ends(step: int, _: int) -> None:
        if step % 4 == 1 and step // 4 < len(more):
            await play(database, more[step // 4], IDS[-1] + 1 + step // 4)

    expected = await never_played(database, *more)
    await played(database)
    begun = at_each_step(monkeypatch, another_ends)
    assert await void(database) is VoidCode.VOIDED
    assert await standing(database) == expected
    assert begun == sorted(begun)
    assert begun.count(begun[0]) == 1
    assert len(begun) > 4 * len(more)
    assert await pending(database) == 0


@pytest.mark.parametrize(
    ("is_rebuild", "stride"), [(True, 5), *(pytest.param(each, 1, marks=pytest.mark.long) for each in (False, True))]
)
async def test_a_recount_that_is_interrupted_at_any_step_is_finished(
    database: Database, monkeypatch: pytest.MonkeyPatch, is_rebuild: bool, stride: int
) -> None:
    """The process dies at the first step, and after each `stride` of them."""
    expected = await never_played(database, LATER)
    step_of_death = 0

    async def dies(step: int, _: int) -> None:
        if step == step_of_death:
            raise KeyboardInterrupt

    begun = at_each_step(monkeypatch, dies)
    while step_of_death <= len(begun):
        begun.clear()
        await emptied(database)
        await played(database)
        step_of_death += stride
        try:
            await void(database)
            if is_rebuild:
                begun.clear()
                await SqlRecount(database).rebuild()
        except KeyboardInterrupt:
            assert await pending(database) == 1
        await play(database, LATER, IDS[-1] + 1)
        begun_before_death = list(begun)
        recounts = SqlRecount(database)
        recounts.start()
        async with asyncio.timeout(PATIENCE_S):
            while await pending(database):
                await asyncio.sleep(0)
        await recounts.stop()
        assert await standing(database) == expected, step_of_death
        begun[:] = begun_before_death
    assert step_of_death > len(MATCHES) // 2


async def test_a_recount_goes_on_when_the_database_fails_meanwhile(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recount, "RETRY_MS", 10)
    expected = await never_played(database)
    await played(database)

    async def fails(step: int, _: int) -> None:
        if step in (2, 4):
            raise StoreError("It is away.")

    at_each_step(monkeypatch, fails)
    recounts = SqlRecount(database)
    assert await recounts.void(GUILD, IDS[OUT], by_id=9, reason="", at=NOW) is VoidCode.VOIDED
    assert await pending(database) == 1
    async with asyncio.timeout(PATIENCE_S):
        while await pending(database):
            await asyncio.sleep(0.01)
    await recounts.stop()
    assert await standing(database) == expected


async def test_a_person_erased_during_a_recount_is_not_restored(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(database)

    async def somebody_goes(step: int, _: int) -> None:
        if step == 3:
            await SqlPersonalData(database).erase(6)

    begun = at_each_step(monkeypatch, somebody_goes)
    await void(database)
    assert begun.count(begun[0]) == 2
    kept = await standing(database)
    async with database.transaction() as session:
        assert 6 not in set(await session.scalars(select(PlayRow.user_id)))
    await SqlRecount(database).rebuild()
    assert await standing(database) == kept


def lively(seed: int, matches: int) -> list[Match]:
    """Months of matches of ten people who leave, come late and are ended by hand, with every third one friendly."""
    draw, at, played = Random(seed), NOW, []
    for _ in range(matches):
        at += draw.randrange(DAY)
        users = tuple(draw.sample(range(1, 11), draw.choice((4, 4, 6))))
        size = len(users)
        scores = tuple(draw.sample(range(10), size // 2))
        left = frozenset(draw.sample(range(size), draw.choice((0, 0, 1))))
        lost_by = frozenset(draw.sample(range(size), 1)) if draw.random() < 0.1 else frozenset[int]()
        ended_at = at - draw.choice((0, 0, 0, DAY))
        is_ranked = draw.random() < 0.7 or bool(lost_by)
        played.append(Match(users, scores, ended_at, is_ranked, left, is_late=draw.random() < 0.5, lost_by=lost_by))
    return played


@pytest.mark.parametrize(
    ("seed", "matches"), [(1, 24), *(pytest.param(seed, 80, marks=pytest.mark.long) for seed in range(1, 12))]
)
async def test_a_recount_from_a_late_match_equals_one_from_the_first_match(
    database: Database, monkeypatch: pytest.MonkeyPatch, seed: int, matches: int
) -> None:
    """Nothing of the matches before it is read again but those that the formula looks back at."""
    ends = [NOW + matches * DAY // parts for parts in (4, 2)]
    await saved_seasons(database, (0, ends[0]), (ends[0], ends[1]), (ends[1], None))
    monkeypatch.setattr(recount, "MATCHES", matches // 4)
    played, formula = lively(seed, matches), formula_with(4, 3)
    ids = await play_all(database, played, formula=formula)
    begun = at_each_step(monkeypatch, AsyncMock())
    recounts = SqlRecount(database, formula=formula)
    ranked = [number for number, match in enumerate(played, 1) if match.ranked]
    for number in (ranked[3 * len(ranked) // 4], ranked[len(ranked) // 4]):
        begun.clear()
        assert await recounts.void(GUILD, ids[number - 1], by_id=9, reason="", at=NOW) is VoidCode.VOIDED
        assert begun[0] == number - 1
    mended = await standing(database)
    await recounts.rebuild()
    assert await standing(database) == mended


@pytest.mark.both_databases
async def test_two_void_matches_at_once_are_both_left_out(database: Database) -> None:
    expected = await never_played(database)
    await play_all(database, [*MATCHES, LATER], [*IDS, IDS[-1] + 1])
    recounts = SqlRecount(database)
    both = [recounts.void(GUILD, table_id, by_id=9, reason="", at=NOW) for table_id in (IDS[-1] + 1, IDS[OUT])]
    assert await asyncio.gather(*both) == [VoidCode.VOIDED] * 2
    assert await standing(database) == expected


async def test_rows_that_do_not_depend_on_the_void_match_are_not_written_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The matches that follow from it are 103 and 106 to 108; three players never met anybody of them."""
    written: list[int] = []
    rate = Rerating.rate

    def noted(self: Rerating, parts: Iterable[Any]) -> list[dict[str, Any]]:
        plays = rate(self, parts)
        written.extend(play["table_id"] for play in plays)
        return plays

    await played(database)
    monkeypatch.setattr(Rerating, "rate", noted)
    with recorded_statements(database) as statements:
        await void(database)
    assert set(written) == {103, 106, 107, 108}
    players = [values for statement, values in statements if statement.startswith("UPDATE players")]
    assert {10, 11, 12}.isdisjoint(value for values in players for value in flat(values))


def flat(values: Any) -> Iterator[Any]:
    for value in values:
        yield from flat(value) if isinstance(value, list | tuple) else (value,)


async def test_a_server_whose_recount_fails_does_not_delay_others(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_all(database, [Match((1, 2, 3, 4), guild=guild) for guild in (GUILD, GUILD + 1)])
    recounts = SqlRecount(database)
    for guild in (GUILD, GUILD + 1):
        await database.change(lambda session, guild=guild: request_recount(session, guild, number=1, season=0))
    finish = recounts.recompute

    async def fails_for_one(guild_id: int) -> None:
        if guild_id == GUILD:
            raise StoreError("The log of table 1 has a gap.")
        await finish(guild_id)

    monkeypatch.setattr(recounts, "recompute", fails_for_one)
    with pytest.raises(StoreError, match="has a gap"):
        await recounts._finish_all()
    async with database.reading() as session:
        assert [*await session.scalars(select(RecountRow.guild_id))] == [GUILD]
