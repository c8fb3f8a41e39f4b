"""The course of a rating: one point for each ranked match, thinned where there are many, and what idleness left."""

from itertools import pairwise

import pytest
from sqlalchemy import insert, select, update

from bot.ladder.formula import WEEK_MS
from bot.ladder.seasons import Season
from bot.records.history import MOST_POINTS, RatedAt
from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from bot.store.records.history import SqlHistory
from bot.store.schema import PlayRow, TableRow
from tests.store.conftest import recorded_statements
from tests.store.counted_matches import DAY, GUILD, NOW, Match, play, saved_seasons

FIRST, SECOND = Season(1, NOW, NOW + 9 * DAY), Season(2, NOW + 9 * DAY, None)


async def course(database: Database, user: int = 1, *, at: int, season: Season | None = None) -> tuple[RatedAt, ...]:
    stats = await SqlHistory(database).stats(GUILD, user, at, season)
    assert stats is not None
    return stats.course


async def prepared(database: Database) -> list[int]:
    """Ana (1) wins on days 0 and 1, loses on day 4, plays a friendly match on day 5 and a ranked one on day 10."""
    await saved_seasons(database, (FIRST.starts_at, FIRST.ends_at), (SECOND.starts_at, None))
    played = [(0, (10, 4), True), (1, (10, 4), True), (4, (4, 10), True), (5, (10, 4), False), (10, (10, 4), True)]
    matches = [Match((1, 2, 3, 4), scores, at=NOW + day * DAY, ranked=ranked) for day, scores, ranked in played]
    return [await play(database, match) for match in matches]


async def test_it_holds_the_ranked_matches_in_their_order(database: Database) -> None:
    await prepared(database)
    points = await course(database, at=NOW + 10 * DAY)
    assert [point.at for point in points] == [NOW + day * DAY for day in (0, 1, 4, 10)]
    first, second, third, last = (point.value for point in points)
    assert first < second > third
    assert last > third
    stats = await SqlHistory(database).stats(GUILD, 1, NOW + 10 * DAY)
    assert stats is not None
    assert stats.rating is not None
    assert stats.rating.value == last


async def test_of_a_season_it_holds_those_alone(database: Database) -> None:
    await prepared(database)
    assert [point.at for point in await course(database, at=NOW + 10 * DAY, season=FIRST)] == [
        NOW + day * DAY for day in (0, 1, 4)
    ]
    assert [point.at for point in await course(database, at=NOW + 10 * DAY, season=SECOND)] == [NOW + 10 * DAY]


async def test_who_rests_is_shown_where_that_has_led(database: Database) -> None:
    await prepared(database)
    later = NOW + 10 * DAY + 4 * WEEK_MS
    *played, present = await course(database, at=later)
    assert present.at == later
    assert present.value < played[-1].value
    assert played == list(await course(database, at=NOW + 10 * DAY))
    at_its_end = await course(database, at=later, season=FIRST)
    assert at_its_end == await course(database, at=NOW + 10 * DAY, season=FIRST), "a season that is over rests"


async def test_a_void_match_is_no_part_of_it(database: Database) -> None:
    tables = await prepared(database)
    await SqlRecount(database).void(GUILD, tables[1], by_id=7, reason="", at=NOW + 11 * DAY)
    points = await course(database, at=NOW + 10 * DAY)
    assert [point.at for point in points] == [NOW + day * DAY for day in (0, 4, 10)]


async def test_friendly_matches_alone_have_none(database: Database) -> None:
    await play(database, Match((1, 2, 3, 4), ranked=False))
    assert await course(database, at=NOW) == ()


async def copied(database: Database, table_id: int, count: int) -> None:
    """The match `count` times, a second apart; the rating after each is its number from 0."""
    tables, plays = TableRow.__table__, PlayRow.__table__
    async with database.transaction() as session:
        await session.execute(update(PlayRow).where(PlayRow.user_id == 1).values(shown=0))
        table = dict((await session.execute(select(tables).where(tables.c.id == table_id))).mappings().one())
        mine = plays.c.table_id == table_id, plays.c.user_id == 1
        part = dict((await session.execute(select(plays).where(*mine))).mappings().one())
        numbers = range(1, count)
        await session.execute(insert(TableRow), [{**table, "id": table_id + number} for number in numbers])
        changes = ({"table_id": table_id + n, "ended_at": NOW + 1000 * n, "shown": n} for n in numbers)
        await session.execute(insert(PlayRow), [{**part, **change} for change in changes])


@pytest.mark.parametrize("count", [MOST_POINTS - 1, MOST_POINTS, MOST_POINTS + 1, 3 * MOST_POINTS + 17])
async def test_many_matches_are_thinned_evenly_in_one_statement(database: Database, count: int) -> None:
    table_id = await play(database, Match((1, 2, 3, 4), at=NOW))
    with recorded_statements(database) as before:
        await course(database, at=NOW)
    await copied(database, table_id, count)
    with recorded_statements(database) as after:
        points = await course(database, at=NOW)
    assert len(after) == len(before)
    *kept, _present = points
    assert len(kept) == min(count, MOST_POINTS)
    numbers = [point.value for point in kept]
    assert (numbers[0], numbers[-1]) == (0, count - 1)
    steps = {later - earlier for earlier, later in pairwise(numbers)}
    assert max(steps) - min(steps) <= 1
