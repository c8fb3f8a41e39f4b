"""What one person's matches add up to, the course of their rating, and the pages of a history.

More matches cost no more statements.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from sqlalchemy import insert, select, update

from bot.ladder.columns import Board, SeatTally
from bot.ladder.formula import WEEK_MS
from bot.ladder.seasons import Season
from bot.ladder.tally import BARE_WINS, Deed
from bot.records.history import (
    MOST_POINTS,
    AfterKey,
    BeforeKey,
    HistoryPage,
    Mate,
    PageNumber,
    PlayerStats,
    RatingPoint,
    VoidRecord,
)
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.recount import SqlRecount
from bot.store.privacy import SqlPersonalData
from bot.store.records.history import SqlHistory
from bot.store.records.retention import SqlRetention
from bot.store.schema.ladder import PlayRow, StandingRow
from bot.store.schema.tables import TableRow
from bot.store.tables.servers import SqlServerStore
from bot.tables.servers.settings import ServerSettings
from tests.store.conftest import recorded_statements
from tests.store.counted_matches import DAY, GUILD, NOW, SURE, Match, once, play, play_all, saved_seasons

FIRST, SECOND = Season(1, NOW, NOW + 9 * DAY), Season(2, NOW + 9 * DAY, None)


async def make(database: Database) -> None:
    """Ana (1) wins three times with Chloé (3), loses to Bruno (2), and plays a friendly match in the next season."""
    await saved_seasons(database, (FIRST.starts_at, FIRST.ends_at), (SECOND.starts_at, None))
    tally = SeatTally(kems=2, kems_ms=30_000, counters=1, false_counters=2, baits=3)
    matches = [Match((1, 2, 3, 4), (10, 4), at=NOW + day * DAY, tallies=(tally,) * 4) for day in range(3)]
    matches += [
        Match((1, 2, 5, 4), (3, 10), at=NOW + 4 * DAY),
        Match((1, 2, 5, 4), (6, 6), at=NOW + 5 * DAY),
        Match((2, 1, 4, 3), (6, 10), at=NOW + 10 * DAY, ranked=False),
    ]
    await play_all(database, matches)


async def prepared(database: Database) -> SqlHistory:
    await once(database, "a member", make)
    return SqlHistory(database, page_size=2)


async def stats_of(history: SqlHistory, at: int, season: Season | None = None) -> PlayerStats:
    """Ana's."""
    return await history.stats(GUILD, 1, at, season)


async def test_figures_add_up_over_all_seasons(database: Database) -> None:
    history = await prepared(database)
    stats = await stats_of(history, NOW + 10 * DAY)
    assert (stats.name, stats.matches, stats.ranked, stats.wins, stats.draws) == ("player 1", 6, 5, 4, 1)
    assert (stats.streak, stats.best_streak, stats.rounds) == (1, 3, 18)
    assert stats.tally == SeatTally(kems=7, kems_ms=90_000, counters=3, false_counters=6, baits=9)
    assert stats.partner == Mate(3, "player 3", 4, 4)
    assert stats.opponent == Mate(2, "player 2", 6, 1), "as fierce as player 4, and first by number"
    assert stats.rating.is_provisional


async def test_ties_between_partners_or_opponents_go_to_fewer_matches(database: Database) -> None:
    won, lost = (10, 4), (4, 10)
    played = [((1, 5, 2, 6), won), ((1, 5, 2, 6), won), ((1, 5, 2, 6), lost)]
    played += [((1, 7, 3, 8), won), ((1, 7, 3, 8), won), ((1, 9, 4, 10), lost)]
    await play_all(database, [Match(users, scores, at=NOW + n) for n, (users, scores) in enumerate(played)])
    stats = await stats_of(SqlHistory(database), NOW + DAY)
    assert (stats.partner, stats.opponent) == (Mate(3, "player 3", 2, 2), Mate(9, "player 9", 1, 1))


async def test_figures_of_one_season_leave_out_the_others(database: Database) -> None:
    history = await prepared(database)
    first = await stats_of(history, NOW + 20 * DAY, FIRST)
    assert (first.matches, first.ranked, first.wins, first.streak, first.best_streak) == (5, 5, 3, 0, 3)
    assert first.partner == Mate(3, "player 3", 3, 3)
    second = await stats_of(history, NOW + 20 * DAY, SECOND)
    assert (second.matches, second.ranked, second.rating, second.streak) == (1, 0, None, 1)
    assert second.opponent is None
    assert await history.stats(GUILD, 5, NOW, SECOND) is None
    assert await history.stats(GUILD, 99, NOW) is None


async def test_a_new_season_lowers_the_present_rating_and_not_the_old_one(database: Database) -> None:
    history = await prepared(database)
    during = await stats_of(history, NOW + 8 * DAY)
    after = await stats_of(history, NOW + 9 * DAY)
    then = await stats_of(history, NOW + 9 * DAY, FIRST)
    assert after.rating.value < during.rating.value
    assert then.rating == during.rating


async def test_figures_leave_out_void_matches(database: Database) -> None:
    history = await prepared(database)
    page = await history.history(GUILD, 1)
    await SqlRecount(database).void(GUILD, page.matches[1].id, by_id=7, reason="why", at=NOW + 6 * DAY)
    stats = await stats_of(history, NOW + 10 * DAY)
    assert (stats.matches, stats.draws, stats.streak) == (5, 0, 1)
    void = VoidRecord(page.matches[1].id, 7, "why", NOW + 6 * DAY)
    assert await history.voids(GUILD, 5) == (void,)
    assert await history.voids(GUILD + 1, 5) == ()
    again = await history.history(GUILD, 1)
    assert [match.void for match in again.matches] == [None, void]
    one = await history.match(page.matches[1].id)
    assert one.void == void


async def test_only_counted_ranked_matches_have_deeds(database: Database) -> None:
    """Ten partners are ten people: neither one of them twice, nor who is away. An erased partner was one."""
    await saved_seasons(database, (NOW, None))
    partners = [*range(10, 19), 10]
    matches = [Match((1, 2, partner, 4), at=NOW + n) for n, partner in enumerate(partners)]
    quick = (SeatTally(quick=2), SeatTally(read=1), SeatTally(baits=1), SeatTally())
    matches += [
        Match((1, 2, 30, 4), tallies=(SeatTally(read=1, baits=1), *quick[1:]), ranked=False),
        Match((1, 2, 31, 4), left=frozenset({0})),
        Match((5, 2, 32, 1), at=NOW + 60, tallies=quick),
    ]
    ids = await play_all(database, matches)
    history, people = SqlHistory(database), SqlPersonalData(database)

    async def deeds_of(user_id: int) -> tuple[Deed, ...]:
        return (await history.stats(GUILD, user_id, NOW)).deeds

    assert await deeds_of(1) == (Deed.PARTNERS,), "the tenth one is 2"
    assert (await deeds_of(5), await deeds_of(2), await deeds_of(32)) == ((Deed.QUICK,), (Deed.READER,), (Deed.BAIT,))
    assert (await people.export(5))["matches"][0]["quick"] == 2
    await people.erase(10)
    await SqlRecount(database).rebuild()
    assert await deeds_of(1) == (Deed.PARTNERS,)
    await SqlServerStore(database).change(GUILD, lambda _: ServerSettings(retention_days=30, retained_until=0))
    assert await SqlRetention(database).purge(NOW + 90 * DAY, len(ids))
    assert (await deeds_of(1), await deeds_of(5)) == ((Deed.PARTNERS,), (Deed.QUICK,))
    await SqlRecount(database).void(GUILD, ids[-1], by_id=7, reason="", at=NOW)
    assert await deeds_of(1) == await deeds_of(2) == (), "1 had nine partners"


async def test_ten_matches_won_with_the_naked_eye_are_a_badge(database: Database) -> None:
    """Friendly ones, of one server; void ones are not."""
    await saved_seasons(database, (NOW, None))
    bare = (SeatTally(wins_without_marks=1), *(SeatTally(),) * 3)
    won = [Match((1, 2, 3, 4), at=NOW + n, ranked=False, tallies=bare) for n in range(BARE_WINS)]
    ids = await play_all(database, [*won[1:], replace(won[0], guild=GUILD + 1)])
    history = SqlHistory(database)

    async def deeds_of(user_id: int) -> tuple[Deed, ...]:
        return (await history.stats(GUILD, user_id, NOW)).deeds

    assert await deeds_of(1) == ()
    await play_all(database, won[:1])
    assert (await deeds_of(1), await deeds_of(3)) == ((Deed.BARE,), ())
    await SqlRecount(database).void(GUILD, ids[0], by_id=7, reason="", at=NOW)
    assert await deeds_of(1) == ()


async def test_pages_go_forth_and_back(database: Database) -> None:
    history = await prepared(database)
    for user in (None, 1):
        first = await history.history(GUILD, user)
        second = await history.history(GUILD, user, AfterKey(first.matches[-1].key))
        third = await history.history(GUILD, user, AfterKey(second.matches[-1].key))
        ids = [match.id for page in (first, second, third) for match in page.matches]
        assert ids == sorted(ids, reverse=True)
        assert len(ids) == 6
        assert [(page.has_before, page.has_after) for page in (first, second, third)] == [
            (False, True),
            (True, True),
            (True, False),
        ]
        assert await history.history(GUILD, user, BeforeKey(third.matches[0].key)) == second
        assert await history.history(GUILD, user, BeforeKey(second.matches[0].key)) == first
        assert await history.history(GUILD, user, PageNumber(3)) == third
        assert await history.history(GUILD, user, PageNumber(9)) == replace(third, is_clamped=True)
        assert await history.history(GUILD, user, AfterKey(third.matches[-1].key)) == replace(third, is_clamped=True)
        nothing = await history.history(GUILD + 1, user, PageNumber(9))
        assert nothing == HistoryPage((), has_before=False, has_after=False)
    assert [m.is_ranked for m in first.matches] == [False, True]
    assert [s.name for s in first.matches[0].seats] == ["player 2", "player 1", "player 4", "player 3"]


async def test_a_match_that_ends_while_pages_are_read_does_not_shift_them(database: Database) -> None:
    history = await prepared(database)
    first = await history.history(GUILD)
    second = await history.history(GUILD, None, AfterKey(first.matches[-1].key))
    await play(database, Match((1, 2, 3, 4), at=NOW + 30 * DAY))
    assert await history.history(GUILD, None, AfterKey(first.matches[-1].key)) == second


async def test_the_number_of_statements_does_not_grow_with_matches(database: Database) -> None:
    await saved_seasons(database, (NOW, None))
    season, at = Season(1, NOW, None), NOW + 60 * DAY
    history, boards = SqlHistory(database, 50), SqlBoards(database, 50, formula=SURE)
    table_id = await play(database, Match((1, 2, 3, 4)))
    asked: dict[str, Callable[[], Awaitable[object]]] = {
        "history": lambda: history.history(GUILD),
        "member": lambda: history.history(GUILD, 1),
        "match": lambda: history.match(table_id),
        "stats": lambda: history.stats(GUILD, 1, at),
        "rating": lambda: boards.board(GUILD, season, Board.RATING, at),
        "duos": lambda: boards.board(GUILD, season, Board.DUOS, at),
        "count": lambda: play(database, Match((1, 2, 3, 4), at=at)),
    }
    few = {what: await statements_of(database, ask) for what, ask in asked.items()}
    await play_all(database, [Match(tuple(range(n, n + 6)), at=NOW + n) for n in range(1, 13)])
    many = {what: await statements_of(database, ask) for what, ask in asked.items()}
    assert many == few
    assert max(few.values()) <= 18


async def test_points_are_listed_by_their_source(database: Database) -> None:
    """What the shown rating rose by counts for each opponent and each partner of the match; void matches do not."""
    history = await prepared(database)
    found = (await history.point_sources(GUILD, [1, 99], FIRST))[1]
    values = [point.value for point in (await stats_of(history, NOW + 5 * DAY)).rating_history]
    first, *rises = [max(0, after - before) for before, after in pairwise([1000, *values])]
    total = first + sum(rises)
    assert (found.gained, found.matches, len(found.latest)) == (total, 5, 3)
    assert [(one.name, one.matches, one.wins) for one in found.opponents] == [("player 2", 5, 3), ("player 4", 5, 3)]
    assert found.opponents[0].share == 1.0
    assert [(one.name, one.matches, one.wins) for one in found.partners] == [("player 3", 3, 3), ("player 5", 2, 0)]
    assert sum(one.share for one in found.partners) == pytest.approx(1.0)
    assert await history.point_sources(GUILD, [1], SECOND) == {}, "its match was a friendly one"

    await SqlRecount(database).void(GUILD, found.latest[0], by_id=7, reason="", at=NOW + 6 * DAY)
    after = (await history.point_sources(GUILD, [1], FIRST))[1]
    assert (after.matches, after.latest) == (4, found.latest[1:])


async def statements_of(database: Database, ask: Callable[[], Awaitable[object]]) -> int:
    with recorded_statements(database) as sent:
        await ask()
    return len(sent)


FIRST, SECOND = Season(1, NOW, NOW + 9 * DAY), Season(2, NOW + 9 * DAY, None)


async def course(database: Database, *, at: int, season: Season | None = None) -> tuple[RatingPoint, ...]:
    stats = await SqlHistory(database).stats(GUILD, 1, at, season)
    return stats.rating_history


async def ups_and_downs(database: Database) -> list[int]:
    return await once(database, "a course", make_course)


async def make_course(database: Database) -> list[int]:
    """Ana (1) wins on days 0 and 1, loses on day 4, plays a friendly match on day 5 and a ranked one on day 10."""
    await saved_seasons(database, (FIRST.starts_at, FIRST.ends_at), (SECOND.starts_at, None))
    played = [(0, (10, 4), True), (1, (10, 4), True), (4, (4, 10), True), (5, (10, 4), False), (10, (10, 4), True)]
    matches = [Match((1, 2, 3, 4), scores, at=NOW + day * DAY, ranked=ranked) for day, scores, ranked in played]
    return await play_all(database, matches)


async def test_a_score_history_holds_the_ranked_matches_in_their_order(database: Database) -> None:
    await ups_and_downs(database)
    points = await course(database, at=NOW + 10 * DAY)
    assert [point.at for point in points] == [NOW + day * DAY for day in (0, 1, 4, 10)]
    first, second, third, last = (point.value for point in points)
    assert first < second > third
    assert last > third
    stats = await SqlHistory(database).stats(GUILD, 1, NOW + 10 * DAY)
    assert stats.rating.value == last


async def test_the_score_history_of_a_season_holds_only_its_matches(database: Database) -> None:
    await ups_and_downs(database)
    assert [point.at for point in await course(database, at=NOW + 10 * DAY, season=FIRST)] == [
        NOW + day * DAY for day in (0, 1, 4)
    ]
    assert [point.at for point in await course(database, at=NOW + 10 * DAY, season=SECOND)] == [NOW + 10 * DAY]


async def test_the_rating_of_an_idle_player_is_shown_as_it_is_today(database: Database) -> None:
    await ups_and_downs(database)
    later = NOW + 10 * DAY + 4 * WEEK_MS
    *played, present = await course(database, at=later)
    assert present.at == later
    assert present.value < played[-1].value
    assert played == list(await course(database, at=NOW + 10 * DAY))
    at_its_end = await course(database, at=later, season=FIRST)
    assert at_its_end == await course(database, at=NOW + 10 * DAY, season=FIRST), "a season that is over rests"


async def test_a_score_history_leaves_out_void_matches(database: Database) -> None:
    tables = await ups_and_downs(database)
    await SqlRecount(database).void(GUILD, tables[1], by_id=7, reason="", at=NOW + 11 * DAY)
    points = await course(database, at=NOW + 10 * DAY)
    assert [point.at for point in points] == [NOW + day * DAY for day in (0, 4, 10)]


async def test_friendly_matches_alone_have_no_score_history(database: Database) -> None:
    await play(database, Match((1, 2, 3, 4), ranked=False))
    assert await course(database, at=NOW) == ()


async def copied(database: Database, table_id: int, count: int) -> None:
    """The match `count` times, a second apart; the rating after each is its number from 0."""
    tables, plays = TableRow.__table__, PlayRow.__table__
    async with database.transaction() as session:
        await session.execute(update(PlayRow).where(PlayRow.user_id == 1).values(displayed_rating=0))
        table = dict((await session.execute(select(tables).where(tables.c.id == table_id))).mappings().one())
        mine = plays.c.table_id == table_id, plays.c.user_id == 1
        part = dict((await session.execute(select(plays).where(*mine))).mappings().one())
        numbers = range(1, count)
        await session.execute(insert(TableRow), [{**table, "id": table_id + number} for number in numbers])
        changes = (
            {"table_id": table_id + n, "ended_at": NOW + 1000 * n, "displayed_rating": n, "ranked_number": n + 1}
            for n in numbers
        )
        await session.execute(update(StandingRow).where(StandingRow.user_id == 1).values(matches=count))
        await session.execute(insert(PlayRow), [{**part, **change} for change in changes])


@pytest.mark.parametrize("count", [MOST_POINTS - 1, MOST_POINTS, MOST_POINTS + 1, 3 * MOST_POINTS + 17])
async def test_a_long_score_history_is_thinned_evenly_in_one_statement(database: Database, count: int) -> None:
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
