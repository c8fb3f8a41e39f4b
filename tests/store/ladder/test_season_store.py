"""Seasons are saved when they are needed: those of the calendar, and those that are begun by hand."""

import asyncio
from dataclasses import replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot.ladder.eligibility import Gates, Setup
from bot.ladder.seasons import Every, Schedule, Season
from bot.store.engine.database import Database
from bot.store.ladder.season_store import SqlSeasonStore
from bot.store.schema import ResultRow
from bot.store.tables.table_store import SqlTableStore
from tests.store.counted_matches import GUILD, Match, emptied, play_all

PARIS = ZoneInfo("Europe/Paris")


def ms(*local: int) -> int:
    return int(datetime(*local, tzinfo=PARIS).timestamp() * 1000)  # type: ignore[arg-type, misc]


MARCH, APRIL, MAY = ms(2026, 3, 1), ms(2026, 4, 1), ms(2026, 5, 1)
JULY = ms(2026, 7, 1)


async def test_a_server_has_the_defaults_until_it_chooses(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    assert await seasons.setup(GUILD) == Setup()
    chosen = Setup(Gates(("classic", "yokai"), sign_required=True), Schedule(Every.QUARTER, "America/Montreal"))
    for gates, schedule in ((Gates(), Schedule()), (chosen.gates, chosen.schedule)):
        setup = await seasons.choose(GUILD, partial(replace, gates=gates, schedule=schedule), MARCH)
        assert setup == Setup(gates, schedule)
        assert await seasons.setup(GUILD) == setup
    assert await seasons.setup(GUILD + 1) == Setup()


async def test_choices_at_the_same_time_are_all_kept(database: Database) -> None:
    seasons, gates, schedule = SqlSeasonStore(database), Gates(("classic",)), Schedule(Every.HAND)
    await asyncio.gather(
        seasons.choose(GUILD, lambda before: replace(before, gates=gates), MARCH),
        seasons.choose(GUILD, lambda before: replace(before, schedule=schedule), MARCH),
    )
    assert await seasons.setup(GUILD) == Setup(gates, schedule)


async def test_looking_at_the_calendar_saves_nothing(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    assert await seasons.running(GUILD, MARCH + 5) == Season(1, MARCH, APRIL)
    assert await seasons.listed(GUILD) == ()


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
    assert [season.number for season in await SqlSeasonStore(database).listed(GUILD)] == sorted(set(rows), reverse=True)


async def test_a_match_that_is_recorded_late_keeps_its_own_season(database: Database) -> None:
    await play_all(database, [Match((1, 2, 3, 4), at=at) for at in (APRIL - 5, APRIL, APRIL - 1, MARCH - 1)])
    async with database.transaction() as session:
        assert (await session.scalars(select(ResultRow.season).order_by(ResultRow.number))).all() == [1, 2, 1, 0]


async def test_by_hand(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    await seasons.choose(GUILD, lambda _: Setup(schedule=Schedule(Every.HAND)), MARCH)
    assert await seasons.running(GUILD, MARCH) is None
    assert await seasons.end(GUILD, MARCH, 1) is None
    assert await seasons.rename(GUILD, MARCH, "?") is None
    assert await seasons.start(GUILD, MARCH, None) == Season(1, MARCH, None)
    assert await seasons.start(GUILD, APRIL, None) is None
    named = Season(1, MARCH, None, "Printemps")
    assert await seasons.rename(GUILD, APRIL, "Printemps") == named
    assert await seasons.end(GUILD, MAY, 1) == replace(named, ends_at=MAY)
    assert await seasons.running(GUILD, MAY - 1) == replace(named, ends_at=MAY)
    assert await seasons.running(GUILD, MAY) is None
    second = await seasons.start(GUILD, JULY, "Été")
    assert await seasons.listed(GUILD) == (second, replace(named, ends_at=MAY))


async def test_a_month_ended_by_hand_is_followed_by_its_rest(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    cut = ms(2026, 4, 10)
    assert await seasons.end(GUILD, cut, 1) == Season(1, APRIL, cut)
    assert await seasons.running(GUILD, cut) == Season(2, cut, MAY)
    assert await seasons.start(GUILD, cut + 1, None) is None


async def test_another_schedule_moves_the_end_of_the_running_season(database: Database) -> None:
    seasons = SqlSeasonStore(database)
    await play_all(database, [Match((1, 2, 3, 4), at=APRIL)])
    await seasons.choose(GUILD, lambda _: Setup(schedule=Schedule(Every.QUARTER)), APRIL + 5)
    assert await seasons.listed(GUILD) == (Season(1, APRIL, JULY),)
    await seasons.choose(GUILD, lambda _: Setup(Gates(("classic",)), Schedule(Every.QUARTER)), MAY)
    await seasons.choose(GUILD, lambda _: Setup(schedule=Schedule(Every.HAND)), MAY)
    assert await seasons.listed(GUILD) == (Season(1, APRIL, None),)


async def test_the_gates_are_those_of_the_server_while_a_season_is_running(database: Database) -> None:
    seasons, tables = SqlSeasonStore(database), SqlTableStore(database)
    assert await tables.gates(GUILD, MARCH) == Gates()
    await seasons.choose(GUILD, lambda _: Setup(Gates(("bell",)), Schedule(Every.HAND)), MARCH)
    assert await tables.gates(GUILD, MARCH) is None
    await seasons.start(GUILD, APRIL, None)
    assert await tables.gates(GUILD, APRIL) == Gates(("bell",))
