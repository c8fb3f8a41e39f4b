"""Who did not come to a table, or went away from it, as a night knows it."""

import asyncio

import pytest

from bot.base.errors import StoreError
from bot.nights.changes import HostStep, StepKind
from bot.nights.night import Night
from bot.nights.results.standings import standings
from bot.nights.rounds import ResultKind, TableResult
from tests.tables.nights.evening import HOST, planned
from tests.tables.nights.test_crossed_duties import slow
from tests.tables.nights.test_live_nights import playing, result_of, table_of


async def test_the_leaver_of_a_broken_off_table_is_known_even_if_saving_failed_at_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening, running = await playing(planned(rounds=1), 4)
    number, table = running.rounds[0].tables[0].seats[1], table_of(evening, running, 1)
    assert number is not None
    await evening.directory.seating.leave(table, 100 + number)
    await asyncio.sleep(1)
    await evening.directory.seating.end(table, HOST)
    refused, save = list[int](), evening.store.save

    async def refuse_at_first(night: Night) -> None:
        if len(refused) < 2:
            refused.append(night.version)
            raise StoreError("The database is busy.")
        await save(night)

    monkeypatch.setattr(evening.store, "save", refuse_at_first)
    night = await evening.until(running.id, lambda one: len(refused) == 2 and bool(one.rounds[0].tables[0].no_shows))
    assert night.rounds[0].tables[0].no_shows == (number,)


async def test_the_leaver_of_a_table_is_known_even_if_the_host_enters_its_result_then() -> None:
    evening, running = await playing(planned(rounds=1), 4)
    number, table = running.rounds[0].tables[0].seats[1], table_of(evening, running, 1)
    assert number is not None
    await evening.directory.seating.leave(table, 100 + number)
    await asyncio.sleep(1)
    slow(evening, 0.5)
    entered = HostStep(StepKind.ENTER_RESULT, round=1, table=1, scores=(1, 0))
    entering = asyncio.ensure_future(evening.live.step(running.id, entered, HOST))
    await asyncio.sleep(0.1)
    night = evening.live.running(running.id)
    assert night is not None
    await evening.runner._tables._end(night, night.night, night.night.rounds[0].tables[0], TableResult((0, 1)), table)
    assert isinstance(await entering, Night)
    await asyncio.sleep(5)
    assert evening.now(running.id).rounds[0].tables[0].no_shows == (number,)


async def test_two_who_leave_a_table_against_robots_win_nothing() -> None:
    plan = planned(rounds=1, round_minutes=30, fills_with_robots=True)
    evening, running = await playing(plan, 2, paired=True)
    table = table_of(evening, running, 1)
    assert running.rounds[0].tables[0].teams == 2
    for user_id in (100, 101):
        await evening.directory.seating.leave(table, user_id)
    over = await evening.over(running.id)
    assert result_of(over).kind is ResultKind.INTERRUPTED
    assert sum(sum(line.own) for line in standings(over)) == 0
