"""Seasons are saved when they are needed: those of the calendar, and those that are begun by hand.

The table of a season that is over stays as it was, whatever is played later; a void match alone changes it. Ratings go
on: mu as it was, sigma widened once for each end, however the end is told and counted again.
"""

import asyncio
from dataclasses import replace
from datetime import datetime
from functools import partial
from math import sqrt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot.ladder.columns import MATCH_BOARDS, Board
from bot.ladder.formula import FORMULA, RankedMatch, Rating, Side, rate
from bot.ladder.seasons import LadderSetup, RankedRules, Schedule, Season, SeasonLength
from bot.records.history import BoardLine
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.count_match import rating_of
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.schema.ladder import PlayerRow
from bot.store.schema.tables import ResultRow
from bot.store.tables.table_store import SqlTableStore
from tests.examples import examples
from tests.store.counted_matches import DAY, GUILD, SURE, Match, emptied, play, play_all, standing

PARIS = ZoneInfo("Europe/Paris")


def ms(*local: int) -> int:
    return int(datetime(*local, tzinfo=PARIS).timestamp() * 1000)  # type: ignore[arg-type, misc]


MARCH, APRIL, MAY = ms(2026, 3, 1), ms(2026, 4, 1), ms(2026, 5, 1)
JULY = ms(2026, 7, 1)


async def test_a_server_has_the_defaults_until_it_chooses(seasons: SqlSeasonStore) -> None:
    assert await seasons.setup(GUILD) == LadderSetup()
    chosen = LadderSetup(
        RankedRules(("classic", "yokai"), sign_required=True), Schedule(SeasonLength.QUARTER, "America/Montreal")
    )
    for ranked_rules, schedule in ((RankedRules(), Schedule()), (chosen.ranked_rules, chosen.schedule)):
        setup = await seasons.choose(GUILD, partial(replace, ranked_rules=ranked_rules, schedule=schedule), MARCH)
        assert setup == LadderSetup(ranked_rules, schedule)
        assert await seasons.setup(GUILD) == setup
    assert await seasons.setup(GUILD + 1) == LadderSetup()


@pytest.mark.both_databases
async def test_choices_at_the_same_time_are_all_kept(database: Database) -> None:
    seasons, ranked_rules, schedule = SqlSeasonStore(database), RankedRules(("classic",)), Schedule(SeasonLength.HAND)
    await asyncio.gather(
        seasons.choose(GUILD, lambda before: replace(before, ranked_rules=ranked_rules), MARCH),
        seasons.choose(GUILD, lambda before: replace(before, schedule=schedule), MARCH),
    )
    assert await seasons.setup(GUILD) == LadderSetup(ranked_rules, schedule)


async def test_looking_at_the_calendar_saves_nothing(seasons: SqlSeasonStore) -> None:
    assert await seasons.running(GUILD, MARCH + 5) == Season(1, MARCH, APRIL)
    assert await seasons.list_all(GUILD) == ()


@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([MARCH, APRIL - 1, APRIL, APRIL + 1, MAY - 1, MAY]), min_size=1, max_size=5))
async def test_matches_fall_into_the_month_they_end_in(database: Database, ends: list[int]) -> None:
    """Clocks go forward in March: the boundary is one of local time."""
    await emptied(database)
    await play_all(database, [Match((1, 2, 3, 4), at=at) for at in sorted(ends)])
    months = [datetime.fromtimestamp(at / 1000, PARIS).month for at in sorted(ends)]
    async with database.transaction() as session:
        rows = (await session.scalars(select(ResultRow.season).order_by(ResultRow.number))).all()
    numbers = {month: number for number, month in enumerate(sorted(set(months)), 1)}
    assert list(rows) == [numbers[month] for month in months]
    assert [season.number for season in await SqlSeasonStore(database).list_all(GUILD)] == sorted(
        set(rows), reverse=True
    )


async def test_a_match_that_is_recorded_late_keeps_its_own_season(database: Database) -> None:
    await play_all(database, [Match((1, 2, 3, 4), at=at) for at in (APRIL - 5, APRIL, APRIL - 1, MARCH - 1)])
    async with database.transaction() as session:
        assert (await session.scalars(select(ResultRow.season).order_by(ResultRow.number))).all() == [1, 2, 1, 0]


async def test_seasons_by_hand_start_and_end_when_asked(seasons: SqlSeasonStore) -> None:
    await seasons.choose(GUILD, lambda _: LadderSetup(schedule=Schedule(SeasonLength.HAND)), MARCH)
    assert await seasons.running(GUILD, MARCH) is None
    assert await seasons.end(GUILD, MARCH, 1) is None
    assert await seasons.rename(GUILD, MARCH, 1, "?") is None
    assert await seasons.start(GUILD, MARCH, None) == Season(1, MARCH, None)
    assert await seasons.start(GUILD, APRIL, None) is None
    named = Season(1, MARCH, None, "Printemps")
    assert await seasons.rename(GUILD, APRIL, 2, "?") is None, "another season was meant"
    assert await seasons.rename(GUILD, APRIL, 1, "Printemps") == named
    assert await seasons.end(GUILD, MAY, 1) == replace(named, ends_at=MAY)
    assert await seasons.running(GUILD, MAY - 1) == replace(named, ends_at=MAY)
    assert await seasons.running(GUILD, MAY) is None
    second = await seasons.start(GUILD, JULY, "Été")
    assert await seasons.running(GUILD, MAY - 1) == replace(named, ends_at=MAY), "as it was then"
    assert await seasons.list_all(GUILD) == (second, replace(named, ends_at=MAY))


async def test_a_month_ended_by_hand_is_followed_by_its_rest(seasons: SqlSeasonStore) -> None:
    cut = ms(2026, 4, 10)
    assert await seasons.end(GUILD, cut, 1) == Season(1, APRIL, cut)
    assert await seasons.running(GUILD, cut) == Season(2, cut, MAY)
    assert await seasons.start(GUILD, cut + 1, None) is None


async def test_another_schedule_moves_the_end_of_the_running_season(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    await play_all(database, [Match((1, 2, 3, 4), at=APRIL)])
    await seasons.choose(GUILD, lambda _: LadderSetup(schedule=Schedule(SeasonLength.QUARTER)), APRIL + 5)
    assert await seasons.list_all(GUILD) == (Season(1, APRIL, JULY),)
    await seasons.choose(GUILD, lambda _: LadderSetup(RankedRules(("classic",)), Schedule(SeasonLength.QUARTER)), MAY)
    await seasons.choose(GUILD, lambda _: LadderSetup(schedule=Schedule(SeasonLength.HAND)), MAY)
    assert await seasons.list_all(GUILD) == (Season(1, APRIL, None),)


async def test_the_ranked_rules_are_those_of_the_server_while_a_season_runs(database: Database) -> None:
    seasons, tables = SqlSeasonStore(database), SqlTableStore(database)
    assert await tables.ranked_rules(GUILD, MARCH) == RankedRules()
    await seasons.choose(GUILD, lambda _: LadderSetup(RankedRules(("bell",)), Schedule(SeasonLength.HAND)), MARCH)
    assert await tables.ranked_rules(GUILD, MARCH) is None
    await seasons.start(GUILD, APRIL, None)
    assert await tables.ranked_rules(GUILD, APRIL) == RankedRules(("bell",))


FOUR = (1, 2, 3, 4)
SPRING = Season(1, MARCH, APRIL)
FIRST = Match(FOUR, at=APRIL - 9 * DAY)
LAST_OF_MARCH = Match((1, 3, 2, 4), (4, 10), at=APRIL - DAY)
YEARS_LATER = MAY + 800 * DAY


async def table(
    database: Database, season: Season = SPRING, at: int = YEARS_LATER
) -> dict[Board, tuple[BoardLine, ...]]:
    """All boards of a season as they are shown at that instant."""
    boards = SqlBoards(database, formula=SURE)
    return {board: (await boards.board(GUILD, season, board, at)).lines for board in MATCH_BOARDS}


async def test_the_boards_of_a_season_stay_for_ever(database: Database) -> None:
    await play_all(database, [FIRST, LAST_OF_MARCH], formula=SURE)
    before = await table(database, at=APRIL - 1)
    await play_all(database, [Match((4, 3, 2, 1), at=APRIL + day * DAY) for day in range(5)])
    await SqlSeasonStore(database).end(GUILD, APRIL + 6 * DAY, 2)
    await play(database, Match(FOUR, at=YEARS_LATER))
    assert await table(database) == before
    assert all(before[board] for board in (Board.RATING, Board.WINS, Board.DUOS))
    await SqlRecount(database, formula=SURE).rebuild()
    assert await table(database) == before


async def test_a_match_of_an_archived_season_that_becomes_void_was_never_played(database: Database) -> None:
    """Its season's table and all ratings since are computed again."""
    later = Match((1, 2, 4, 3), at=APRIL + 3 * DAY)
    ids = await play_all(database, [FIRST, LAST_OF_MARCH, later], formula=SURE)
    await SqlRecount(database, formula=SURE).void(GUILD, ids[1], by_id=9, reason="?", at=APRIL + 4 * DAY)
    after, spring = await standing(database), await table(database)
    await emptied(database)
    await play_all(database, [FIRST, later], [ids[0], ids[2]], formula=SURE)
    assert (await standing(database), await table(database)) == (after, spring)
    assert {line.matches for line in spring[Board.RATING]} == {1}


@pytest.mark.parametrize("by_hand", [False, True])
async def test_each_end_of_a_season_changes_a_rating_once(database: Database, by_hand: bool) -> None:
    boundary = APRIL - DAY if by_hand else APRIL
    matches = [Match(FOUR, at=boundary + days * DAY) for days in (-8, 2, 11)]  # too far apart to weigh less
    await play(database, matches[0])
    after_idleness = await ratings(database)
    if by_hand:
        await SqlSeasonStore(database).end(GUILD, boundary, 1)
    assert await ratings(database) == after_idleness, "the end itself changes no rating"
    await play_all(database, matches[1:])
    known: dict[int, Rating] = {}
    for season, match in zip((1, 2, 2), matches, strict=True):
        if match is matches[1]:  # by hand here, and never again
            known = {
                user: replace(r, mu=(2 * r.mu + 25) / 3, sigma=sqrt(r.sigma**2 + FORMULA.widening**2), season=2)
                for user, r in known.items()
            }
        known |= rate(RankedMatch(season, match.at, (Side(0, (1, 3)), Side(1, (2, 4)))), known)
    expected = {user: (pytest.approx(rating.mu), pytest.approx(rating.sigma)) for user, rating in known.items()}
    assert await ratings(database) == expected
    await SqlRecount(database, formula=SURE).rebuild()
    assert await ratings(database) == expected


async def ratings(database: Database) -> dict[int, tuple[float, float]]:
    async with database.transaction() as session:
        rated = {row.user_id: rating_of(row) for row in await session.scalars(select(PlayerRow))}
    return {user: (rating.mu, rating.sigma) for user, rating in rated.items() if rating is not None}
