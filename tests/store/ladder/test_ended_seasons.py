"""The table of a season that is over: it stays as it was, whatever is played later; a void match alone changes it.

Ratings go on: mu as it was, sigma widened once for each end, however the end is told and counted again.
"""

from dataclasses import replace
from math import sqrt

import pytest
from sqlalchemy import select

from bot.ladder.formula import FORMULA, RankedMatch, Rating, Side, rate
from bot.ladder.season_duties import GRACE_MS
from bot.ladder.seasons import Board, Season
from bot.records.history import BoardLine
from bot.store.engine.database import Database
from bot.store.ladder.boards import SqlBoards
from bot.store.ladder.count_match import rating_of
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_duties import SqlSeasonDutyStore
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.schema import PlayerRow
from tests.store.counted_matches import DAY, GUILD, SURE, Match, emptied, play, play_all, standing
from tests.store.ladder.test_season_store import APRIL, MARCH, MAY

FOUR = (1, 2, 3, 4)
SPRING = Season(1, MARCH, APRIL)
FIRST = Match(FOUR, at=APRIL - 9 * DAY)
LAST_OF_MARCH = Match((1, 3, 2, 4), (4, 10), at=APRIL - DAY)
YEARS_LATER = MAY + 800 * DAY


async def table(
    database: Database, season: Season = SPRING, at: int = YEARS_LATER
) -> dict[Board, tuple[BoardLine, ...]]:
    """All boards of a season as they are shown at that instant."""
    boards = SqlBoards(database)
    return {board: (await boards.board(GUILD, season, board, at)).lines for board in Board}


async def told(database: Database, at: int) -> None:
    """What the end of the calendar's season brings with it, tried more than once."""
    for moment in (at + GRACE_MS, at + GRACE_MS, at + DAY):
        await SqlSeasonDutyStore(database).add_duties(moment)


async def test_the_table_of_a_season_stays_for_ever(database: Database) -> None:
    await play_all(database, [FIRST, LAST_OF_MARCH], formula=SURE)
    before = await table(database, at=APRIL - 1)
    await told(database, APRIL)
    await play_all(database, [Match((4, 3, 2, 1), at=APRIL + day * DAY) for day in range(5)])
    await SqlSeasonStore(database).end(GUILD, APRIL + 6 * DAY, 2)
    await play(database, Match(FOUR, at=YEARS_LATER))
    assert await table(database) == before
    assert all(before[board] for board in (Board.RATING, Board.WINS, Board.DUOS))
    await SqlRecount(database, formula=SURE).rebuild()
    assert await table(database) == before


async def test_a_match_of_an_archived_season_that_becomes_void_was_never_played(database: Database) -> None:
    """Its season's table and all ratings since are computed again; a duty that is still due is done once."""
    later = Match((1, 2, 4, 3), at=APRIL + 3 * DAY)
    ids = await play_all(database, [FIRST, LAST_OF_MARCH, later], formula=SURE)
    await told(database, APRIL)
    duties = await SqlSeasonDutyStore(database).due(APRIL + GRACE_MS, most=99)
    await SqlRecount(database, formula=SURE).void(GUILD, ids[1], by_id=9, reason="?", at=APRIL + 4 * DAY)
    duties = tuple(replace(task, asked=1) for task in duties)
    assert await SqlSeasonDutyStore(database).due(APRIL + GRACE_MS, most=99) == duties
    await told(database, APRIL)
    assert await SqlSeasonDutyStore(database).due(YEARS_LATER, most=99) == duties
    after, spring = await standing(database), await table(database)
    await emptied(database)
    await play_all(database, [FIRST, later], [ids[0], ids[2]], formula=SURE)
    assert (await standing(database), await table(database)) == (after, spring)
    assert {line.matches for line in spring[Board.RATING]} == {1}


@pytest.mark.parametrize("by_hand", [False, True])
async def test_sigma_is_widened_once_for_each_end(database: Database, by_hand: bool) -> None:
    boundary = APRIL - DAY if by_hand else APRIL
    matches = [Match(FOUR, at=boundary + days * DAY) for days in (-8, 2, 11)]  # too far apart to weigh less
    await play(database, matches[0])
    rested = await ratings(database)
    if by_hand:
        await SqlSeasonStore(database).end(GUILD, boundary, 1)
    await told(database, boundary)
    assert await ratings(database) == rested, "the end itself changes no rating"
    await play_all(database, matches[1:])
    known: dict[int, Rating] = {}
    for season, match in zip((1, 2, 2), matches, strict=True):
        if match is matches[1]:  # by hand here, and never again
            known = {
                user: replace(rating, sigma=sqrt(rating.sigma**2 + FORMULA.widening**2), season=2)
                for user, rating in known.items()
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
