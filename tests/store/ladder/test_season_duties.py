"""What a season's end asks for is saved with the end, done once whatever is interrupted, and given up in the end.

When the boards of a season that is over change, what was told of it is due again, and what stands is not lost.
"""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot.errors import StoreError
from bot.ladder.seasons import (
    FRESH_MS,
    GRACE_MS,
    DutyProblem,
    DutyReport,
    Every,
    Progress,
    Schedule,
    Season,
    SeasonDuty,
    Setup,
    Task,
    Trouble,
)
from bot.records.seasons import Champion
from bot.store.engine.database import Database
from bot.store.ladder.recount import SqlRecount
from bot.store.ladder.season_store import SqlChampionStore, SqlSeasonDutyStore, SqlSeasonStore
from bot.store.nights import SqlNightStore
from bot.store.privacy import SqlPersonalData
from bot.store.schema.ladder import SeasonDutyRow
from bot.tables.season_ends import SeasonEnds
from tests.examples import examples
from tests.nights.evenings import planned
from tests.store.conftest import scalars
from tests.store.counted_matches import DAY, GUILD, Match, emptied, play, saved_seasons
from tests.store.ladder.test_season_store import APRIL, MARCH, MAY, ms
from tests.ui.live.fakes import SetClock

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


@pytest.fixture
def store(database: Database) -> SqlSeasonDutyStore:
    return SqlSeasonDutyStore(database)


async def settled(database: Database) -> Task:
    """The podium of the first season, which was played and is settled."""
    await play(database, Match(FOUR, at=APRIL - 1))
    await SqlSeasonDutyStore(database).add_duties(SETTLED)
    return await task_of(database, SETTLED, SeasonDuty.PODIUM)


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


async def test_what_is_done_is_never_due_again(database: Database, store: SqlSeasonDutyStore) -> None:
    podium = await settled(database)
    assert await store.podium(GUILD, 1) == DutyReport(Progress.DUE)
    await store.note(podium, DONE, None)
    assert await due(database, MAY) == [(1, SeasonDuty.CHAMPION)]
    assert await store.podium(GUILD, 1) == DONE
    assert await store.podium(GUILD, 9) == DutyReport(Progress.NOTHING)
    await store.note(await task_of(database, SETTLED, SeasonDuty.CHAMPION), DutyReport(Progress.DONE), None)
    await store.add_duties(MAY)
    await store.retry_now(GUILD, MAY)
    assert await due(database, MAY + 5 * FRESH_MS) == []


async def test_what_failed_is_told_and_tried_again(database: Database, store: SqlSeasonDutyStore) -> None:
    podium = await settled(database)
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
    progress = select(SeasonDutyRow.progress).where(SeasonDutyRow.season == 1, SeasonDutyRow.duty == "champion")
    assert await scalars(database, progress) == ["nothing"]


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
    of_night = replace(first, of_night=True)
    assert await champions.add(of_night)
    await champions.remove(replace(of_night, role_id=9))
    assert await champions.of_server(GUILD) == (replace(first, role_id=9), of_night), "one of each"


async def test_who_has_only_signed_up_for_a_night_may_have_its_role(database: Database) -> None:
    champions, nights = SqlChampionStore(database), SqlNightStore(database)
    night = replace(planned(1), guild_id=GUILD)
    created = await nights.create(replace(night, entrants=()))
    await nights.save(replace(created, entrants=night.entrants, version=1))
    winner = Champion(GUILD, 100, 7, of_night=True)
    assert not await champions.add(replace(winner, guild_id=GUILD + 1)), "in that server alone"
    assert await champions.add(winner)
    assert "7" in str((await SqlPersonalData(database).export(100))["champion_roles"])
    await SqlPersonalData(database).forget(100)
    assert await champions.of_person(100) == ()
    assert not await champions.add(winner), "who asked to be forgotten is not known any more"


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


@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
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
        bot = SeasonEnds(SetClock(MAY + GRACE_MS), store, discord)
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


ROLE_GIVEN = DutyReport(Progress.DONE, digest="them")
SINCE_THE_SECOND = [(2, SeasonDuty.PODIUM), (3, SeasonDuty.PODIUM), (3, SeasonDuty.CHAMPION)]
REFUSED = DutyReport(Progress.DUE, DutyProblem.MAY_NOT_POST)


def posted(number: int) -> DutyReport:
    return DutyReport(Progress.DONE, channel_id=5, message_id=number, digest="that")


async def told(database: Database, *without: tuple[int, SeasonDuty]) -> list[int]:
    """Three seasons with a match each, the end of each told, but for what there was nothing to tell; the matches."""
    store = SqlSeasonDutyStore(database)
    ids = [await play(database, Match(FOUR, at=at - 1)) for at in (APRIL, MAY, JUNE)]
    await store.add_duties(JUNE + DAY)
    for task in await store.due(JUNE + DAY, most=ALL):
        done = posted(task.season.number) if task.duty is SeasonDuty.PODIUM else ROLE_GIVEN
        is_left_out = (task.season.number, task.duty) in without
        await store.note(task, DutyReport(Progress.NOTHING) if is_left_out else done, None)
    assert await due(database, 2 * JUNE) == []
    return ids


async def first(database: Database) -> Task:
    return (await SqlSeasonDutyStore(database).due(2 * JUNE, most=1))[0]


async def test_a_void_match_is_a_question_to_the_podiums_since_and_to_the_present_champion(database: Database) -> None:
    changes: list[str] = []
    ids = await told(database)
    await SqlRecount(database, changed=lambda: changes.append("now")).void(GUILD, ids[1], by_id=9, reason="", at=JUNE)
    assert await due(database, 1) == SINCE_THE_SECOND
    assert changes == ["now"]
    task = await first(database)
    assert (task.asked, task.digest, task.channel_id, task.message_id, task.tries) == (1, "that", 5, 2, 0)
    assert task.is_correction
    await SqlRecount(database).rebuild()
    assert await due(database, 1) == [(1, SeasonDuty.PODIUM), *SINCE_THE_SECOND]


async def test_what_was_never_told_is_not_asked_for_again(database: Database) -> None:
    await told(database, *((number, SeasonDuty.PODIUM) for number in (1, 2, 3)), (3, SeasonDuty.CHAMPION))
    await SqlRecount(database).rebuild()
    assert await due(database, 1) == [(2, SeasonDuty.CHAMPION)], "the last one champion has the role"
    await SqlSeasonDutyStore(database).note(await first(database), ROLE_GIVEN, None)
    await SqlRecount(database).rebuild()
    assert await due(database, 1) == [(2, SeasonDuty.CHAMPION)]


async def test_a_question_that_comes_while_it_is_told_is_not_lost(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    await settled(database)
    for report in (REFUSED, posted(7)):
        task = await first(database)
        await SqlRecount(database).rebuild()
        await store.note(task, report, None)
        again = await first(database)
        assert (again.duty, again.asked) == (SeasonDuty.PODIUM, task.asked + 1)
    assert (again.digest, again.channel_id, again.message_id) == ("that", 5, 7), "where it stands is known"
    await store.note(again, posted(7), None)
    assert await due(database, 2 * JUNE) == [(1, SeasonDuty.CHAMPION)]


async def test_what_cannot_be_corrected_stays_where_it_stands(database: Database, store: SqlSeasonDutyStore) -> None:
    ids = await told(database)
    await SqlRecount(database).void(GUILD, ids[2], by_id=9, reason="", at=JUNE)
    task = await first(database)
    await store.note(task, REFUSED, JUNE + 5)
    assert (await store.podium(GUILD, 3)).message_id == 3
    (trouble,) = await store.troubles(GUILD)
    assert (trouble.is_correction, trouble.is_given_up) == (True, False)
    assert (await first(database)).tries == 1
    await store.note(await first(database), DutyReport(Progress.GIVEN_UP, DutyProblem.MAY_NOT_POST), None)
    assert (await store.podium(GUILD, 3)).message_id == 3
    await SqlRecount(database).rebuild()
    assert (await store.due(1, most=ALL))[2] == replace(task, asked=2), "the next change is tried again"


async def test_a_podium_that_was_deleted_is_let_go(database: Database, store: SqlSeasonDutyStore) -> None:
    await told(database)
    await SqlRecount(database).rebuild()
    await store.note(await first(database), DutyReport(Progress.NOTHING), None)
    assert await store.podium(GUILD, 1) == DutyReport(Progress.NOTHING)
    await SqlRecount(database).rebuild()
    assert (1, SeasonDuty.PODIUM) not in await due(database, 1)


async def test_where_a_season_has_no_champion_any_more_it_is_the_one_before(database: Database) -> None:
    store = SqlSeasonDutyStore(database)
    ids = await told(database, (1, SeasonDuty.CHAMPION))
    champions = select(SeasonDutyRow).where(SeasonDutyRow.duty == "champion").order_by(SeasonDutyRow.season)
    assert [(row.progress, row.digest) for row in await scalars(database, champions)] == [
        *(("nothing", None), ("done", ""), ("done", "them"))
    ]
    await SqlRecount(database).void(GUILD, ids[2], by_id=9, reason="", at=JUNE)
    last = (await store.due(1, most=ALL))[-1]
    await store.note(last, DutyReport(Progress.NOTHING), None)
    assert (2, SeasonDuty.CHAMPION) in await due(database, 1)
    again = next(task for task in await store.due(1, most=ALL) if task.duty is SeasonDuty.CHAMPION)
    assert again.digest == "", "who has the role now is not known"
    await store.note(again, DutyReport(Progress.NOTHING), None)
    assert [duty for _, duty in await due(database, 1)] == [SeasonDuty.PODIUM], "nobody is champion"


@pytest.mark.parametrize("is_forgotten", [True, False])
async def test_who_leaves_the_boards_leaves_podiums_too(database: Database, is_forgotten: bool) -> None:
    changes: list[str] = []
    privacy = SqlPersonalData(database, changed=lambda: changes.append("now"))
    await play(database, Match((11, 12, 13, 14), at=APRIL - 2))
    await told(database)
    await (privacy.forget(12) if is_forgotten else privacy.hide(GUILD, 12, "player 12", is_hidden=True))
    assert await due(database, 1) == [(1, SeasonDuty.PODIUM), *SINCE_THE_SECOND]
    assert changes == ["now"]


async def test_who_was_on_no_board_changes_no_podium(database: Database) -> None:
    privacy = SqlPersonalData(database)
    await play(database, Match((11, 12, 13, 14), at=APRIL - 2, ranked=False))
    await play(database, Match((1, 2, 3, 15), at=APRIL - 2, guild=GUILD + 1))
    await told(database)
    for user_id in (11, 15):
        await privacy.hide(GUILD, user_id, "", is_hidden=True)
        await privacy.forget(user_id)
    assert await due(database, 1, GUILD) == []
