"""What a season's end asks for is saved with the end, done once whatever is interrupted, and given up in the end."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot.errors import StoreError
from bot.ladder.eligibility import Setup
from bot.ladder.season_duties import FRESH_MS, GRACE_MS, DutyProblem, DutyReport, Progress, SeasonDuty, Task, Trouble
from bot.ladder.seasons import Every, Schedule, Season
from bot.records.seasons import Champion
from bot.store.engine.database import Database
from bot.store.ladder.season_duties import SqlSeasonDutyStore
from bot.store.ladder.season_store import SqlChampionStore, SqlSeasonStore
from bot.store.schema import SeasonDutyRow
from bot.tables.season_ends import SeasonEnds
from tests.store.counted_matches import DAY, GUILD, Match, emptied, play, saved_seasons
from tests.store.ladder.test_season_store import APRIL, MARCH, MAY, ms

FOUR = (1, 2, 3, 4)
JUNE = ms(2026, 6, 1)
SETTLED = APRIL + GRACE_MS
DONE = DutyReport(Progress.DONE, channel_id=5, message_id=6)
ALL = 99
BOTH = [(1, SeasonDuty.PODIUM), (1, SeasonDuty.CHAMPION)]


def refused(problem: DutyProblem) -> DutyReport:
    return DutyReport(Progress.DUE, problem)


async def due(database: Database, at: int, guild_id: int | None = None) -> list[tuple[int, SeasonDuty]]:
    return [(task.season.number, task.duty) for task in await SqlSeasonDutyStore(database).due(at, guild_id, most=ALL)]


async def task_of(database: Database, at: int, duty: SeasonDuty, number: int = 1) -> Task:
    tasks = await SqlSeasonDutyStore(database).due(at, most=ALL)
    return next(task for task in tasks if (task.season.number, task.duty) == (number, duty))


async def progress(database: Database) -> dict[tuple[int, str], str]:
    async with database.transaction() as session:
        return {(row.season, row.duty): row.progress for row in await session.scalars(select(SeasonDutyRow))}


async def test_a_season_of_the_calendar_is_settled_once_a_grace_after_its_end(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    await play(database, Match(FOUR, at=APRIL - 1))
    for at in (APRIL - 1, SETTLED - 1):
        await store.add_duties(at)
        assert await due(database, MAY) == []
    await store.add_duties(SETTLED)
    first = await store.due(SETTLED, most=ALL)
    assert [(task.season, task.duty) for task in first] == [(Season(1, MARCH, APRIL), duty) for _, duty in BOTH]
    await store.add_duties(SETTLED + 1)
    assert await store.due(SETTLED, most=ALL) == first, "with the same nonces"
    assert await store.due(SETTLED, GUILD, most=1) == first[:1]
    assert len({task.nonce for task in first}) == len(first)
    assert all(len(task.nonce) <= 25 for task in first), "Discord's limit"
    assert await due(database, SETTLED, GUILD + 1) == []


async def test_a_season_nobody_played_in_asks_for_nothing(database: Database) -> None:
    await SqlSeasonDutyStore(database).add_duties(MAY)
    assert await due(database, MAY) == []


async def test_an_end_by_hand_is_settled_in_its_transaction(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    seasons, store = SqlSeasonStore(database), SqlSeasonDutyStore(database)
    await seasons.rename(GUILD, MARCH + 5, "Mars")

    async def fail(*_: object) -> None:
        raise OSError

    with monkeypatch.context() as patched:
        patched.setattr("bot.store.ladder.season_store.add_duties_of", fail)
        with pytest.raises(StoreError):
            await seasons.end(GUILD, MARCH + 10, 1)
    assert await seasons.running(GUILD, MARCH + 20) == Season(1, MARCH, APRIL, "Mars"), "both or neither"
    assert await seasons.end(GUILD, MARCH + 10, 1) == Season(1, MARCH, MARCH + 10, "Mars")
    assert await due(database, MARCH + 10) == BOTH
    await store.add_duties(MAY)
    assert await due(database, MAY) == BOTH, "it is settled already"


async def test_what_is_done_is_never_due_again(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    await play(database, Match(FOUR, at=APRIL - 1))
    await store.add_duties(SETTLED)
    assert await store.podium(GUILD, 1) == DutyReport(Progress.DUE)
    await store.note(await task_of(database, SETTLED, SeasonDuty.PODIUM), DONE, None)
    assert await due(database, MAY) == [(1, SeasonDuty.CHAMPION)]
    assert await store.podium(GUILD, 1) == DONE
    assert await store.podium(GUILD, 9) == DutyReport(Progress.NOTHING)
    await store.note(await task_of(database, SETTLED, SeasonDuty.CHAMPION), DutyReport(Progress.DONE), None)
    await store.add_duties(MAY)
    await store.retry_now(GUILD, MAY)
    assert await due(database, MAY + 5 * FRESH_MS) == []


async def test_what_failed_is_told_and_tried_again(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    await play(database, Match(FOUR, at=APRIL - 1))
    await store.add_duties(SETTLED)
    podium = await task_of(database, SETTLED, SeasonDuty.PODIUM)
    assert await store.troubles(GUILD) == ()
    await store.note(podium, refused(DutyProblem.MAY_NOT_POST), SETTLED + 500)
    again = Trouble(podium.season, SeasonDuty.PODIUM, DutyProblem.MAY_NOT_POST, is_given_up=False)
    assert await store.troubles(GUILD) == (again,)
    assert await store.troubles(GUILD + 1) == ()
    assert await due(database, SETTLED + 499) == [(1, SeasonDuty.CHAMPION)]
    assert await due(database, SETTLED + 500) == BOTH
    tried = await task_of(database, SETTLED + 500, SeasonDuty.PODIUM)
    assert tried == replace(podium, tries=1, problem=DutyProblem.MAY_NOT_POST)
    await store.retry_now(GUILD, SETTLED + 7)
    assert await due(database, SETTLED + 7) == BOTH, "the server has changed something"
    await store.note(tried, DutyReport(Progress.GIVEN_UP, DutyProblem.MAY_NOT_POST), None)
    assert await store.troubles(GUILD) == (replace(again, is_given_up=True),)
    assert await due(database, MAY) == [(1, SeasonDuty.CHAMPION)]
    await play(database, Match(FOUR, at=MAY - 1))
    await store.add_duties(MAY + GRACE_MS)
    assert await store.troubles(GUILD) == (), "that was long ago"


async def test_a_new_champion_ends_the_waiting_for_the_one_before(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    for at in (APRIL - 1, MAY - 1):
        await play(database, Match(FOUR, at=at))
    await store.add_duties(JUNE)
    first = await task_of(database, JUNE, SeasonDuty.CHAMPION)
    await store.note(first, refused(DutyProblem.MAY_NOT_GIVE), JUNE + 500)
    await store.note(await task_of(database, JUNE, SeasonDuty.CHAMPION, 2), DutyReport(Progress.DONE), None)
    assert await due(database, JUNE + 500) == [(1, SeasonDuty.PODIUM), (2, SeasonDuty.PODIUM)]
    assert (await progress(database))[1, "champion"] == "nothing"


async def test_the_next_time_is_that_of_any_calendar_season_or_duty(database: Database) -> None:
    store, seasons = SqlSeasonDutyStore(database), SqlSeasonStore(database)
    assert await store.next_at(MARCH + DAY) == SETTLED, "of servers that have chosen nothing"
    assert await store.next_at(APRIL + 5) == SETTLED, "a result may still be coming in"
    assert await store.next_at(SETTLED) == MAY + GRACE_MS
    await seasons.choose(GUILD, lambda _: Setup(schedule=Schedule(Every.MONTH, "Asia/Tokyo")), MARCH)
    assert await store.next_at(MARCH + DAY) == APRIL - 7 * 3_600_000 + GRACE_MS
    await play(database, Match(FOUR, at=APRIL - 1, guild=GUILD + 1))
    await store.add_duties(SETTLED)
    task = await task_of(database, SETTLED, SeasonDuty.PODIUM)
    await store.note(await task_of(database, SETTLED, SeasonDuty.CHAMPION), DutyReport(Progress.NOTHING), None)
    await store.note(task, refused(DutyProblem.REFUSED), SETTLED + 500)
    assert await store.next_at(SETTLED) == SETTLED + 500


async def test_another_schedule_is_another_time_to_wait_for(database: Database) -> None:
    told: list[str] = []
    seasons = SqlSeasonStore(database, changed=lambda: told.append("changed"))
    await seasons.choose(GUILD, lambda setup: setup, MARCH)
    assert told == ["changed"]


async def test_who_has_the_role_is_known(database: Database) -> None:
    champions = SqlChampionStore(database)
    first, second, away = (Champion(GUILD, 1, 7), Champion(GUILD, 2, 7), Champion(GUILD + 1, 1, 8))
    assert not await champions.add(first), "nobody is known who never played, or asked to be forgotten"
    await play(database, Match(FOUR, at=MARCH))
    await play(database, Match(FOUR, at=MARCH, guild=GUILD + 1))
    for champion in (first, second, away, first):
        assert await champions.add(champion)
    assert await champions.of_server(GUILD) == (first, second)
    assert await champions.of_person(1) == (first, away)
    await champions.add(replace(first, role_id=9))
    await champions.remove(first)
    assert await champions.of_server(GUILD) == (replace(first, role_id=9), second), "that was another role"
    await champions.remove(second)
    assert await champions.of_server(GUILD) == (replace(first, role_id=9),)


class _Crash(BaseException):
    """The process is gone."""


class _Discord:
    """Announces on a Discord that knows nonces, in a process that may die anywhere."""

    def __init__(self, deaths: list[bool]) -> None:
        self.posted: dict[str, int] = {}
        self.role_given_for: set[int] = set()
        self._deaths = iter(deaths)

    async def announce(self, task: Task) -> DutyReport:
        self._may_die()
        message_id = self.posted.setdefault(task.nonce, 1000 + len(self.posted))
        self._may_die()
        return DutyReport(Progress.DONE, channel_id=5, message_id=message_id)

    async def give_role(self, task: Task) -> DutyReport:
        self._may_die()
        self.role_given_for = {task.season.number}
        self._may_die()
        return DutyReport(Progress.DONE)

    def _may_die(self) -> None:
        if next(self._deaths, False):
            raise _Crash


class _Now:
    def __init__(self, at: int) -> None:
        self.at = at

    def now(self) -> int:
        return self.at


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.booleans(), max_size=12), st.booleans())
async def test_each_podium_is_posted_once_wherever_the_bot_dies(
    database: Database, deaths: list[bool], by_hand: bool
) -> None:
    await emptied(database)
    long_ago, lately = MAY - 30 * DAY, MAY - 2 * DAY  # down across three boundaries
    await saved_seasons(database, (MARCH, long_ago), (long_ago, lately), (lately, None if by_hand else MAY))
    if by_hand:
        await SqlSeasonStore(database).end(GUILD, MAY, 3)
    discord, store = _Discord(deaths), SqlSeasonDutyStore(database)
    for _ in range(len(deaths) + 1):
        bot = SeasonEnds(_Now(MAY + GRACE_MS), store, discord)
        try:
            await store.add_duties(MAY + GRACE_MS)
            told = [await bot.ended(GUILD, number) for number in (1, 2, 3)]
            break
        except _Crash:
            continue
    assert [report.progress.value for report in told] == ["nothing", "done", "done"]
    assert sorted(discord.posted.values()) == [report.message_id for report in told[1:]]
    assert discord.role_given_for == {3}
    assert await due(database, JUNE) == []
