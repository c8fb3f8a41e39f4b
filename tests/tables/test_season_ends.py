"""One timer for the ends of all servers' seasons: in time, after outages and crashes, and never in a hurry."""

import asyncio
from dataclasses import replace

from structlog.testing import capture_logs

from bot.errors import StoreError
from bot.ladder.seasons import (
    FRESH_MS,
    GRACE_MS,
    DutyProblem,
    DutyReport,
    Progress,
    Season,
    SeasonDuty,
    Task,
    Trouble,
    until,
)
from bot.tables.hub import SeasonChanged, SettingsChanged
from bot.tables.season_ends import RETRY_MS, SeasonEnds
from bot.tables.worker import LONGEST_MS
from tests.tables.virtual import EPOCH, LoopClock

HOUR = 3_600_000
DAY = 24 * HOUR
DONE = DutyReport(Progress.DONE, channel_id=1, message_id=2)


class MemoryDuties:
    """Ends of seasons by server, and the podiums that they ask for; it may be out of order."""

    def __init__(self, *ends: tuple[int, int]) -> None:
        self.ends = set(ends)
        self.due_at: dict[Task, int] = {}
        self.came: dict[int, DutyReport] = {}
        self.is_broken = False
        self.looks: list[int] = []

    async def add_duties(self, at: int) -> None:
        self.looks.append(at - EPOCH)
        if self.is_broken:
            raise StoreError("It is gone.")
        for guild_id, end in sorted(self.ends):
            if end + GRACE_MS <= at:
                self.ends.discard((guild_id, end))
                self.add(guild_id, end, at)

    def add(self, guild_id: int, end: int, at: int) -> None:
        task = Task(guild_id, Season(1, 0, end), SeasonDuty.PODIUM, str(guild_id), until(SeasonDuty.PODIUM, end, at))
        self.due_at[task] = at

    async def due(self, at: int, guild_id: int | None = None, *, most: int) -> tuple[Task, ...]:
        found = [t for t, due_at in self.due_at.items() if due_at <= at and guild_id in (None, t.guild_id)]
        return tuple(found[:most])

    async def note(self, task: Task, report: DutyReport, due_at: int | None) -> None:
        del self.due_at[task]
        self.came[task.guild_id] = report
        if due_at is not None:
            self.due_at[replace(task, tries=task.tries + 1, problem=report.problem)] = due_at

    async def podium(self, guild_id: int, number: int) -> DutyReport:
        assert number == 1
        return self.came[guild_id]

    async def posted(self, guild_id: int, number: int, report: DutyReport) -> None:
        raise AssertionError("nobody posts anything")

    async def retry_now(self, guild_id: int, at: int) -> None:
        self.due_at = {t: at if t.guild_id == guild_id else due_at for t, due_at in self.due_at.items()}

    async def next_at(self, at: int) -> int | None:
        return min([*self.due_at.values(), *(end + GRACE_MS for _, end in self.ends)], default=None)

    async def troubles(self, guild_id: int) -> tuple[Trouble, ...]:
        raise AssertionError("nobody asks")


class Announcer:
    """Notes when (milliseconds from the start) it was asked to announce the podium of which server."""

    def __init__(self) -> None:
        self.announced: list[tuple[int, int]] = []
        self.answers: dict[int, DutyReport | Exception] = {}
        self.takes = 0.0

    async def announce(self, task: Task) -> DutyReport:
        self.announced.append((LoopClock().now() - EPOCH, task.guild_id))
        await asyncio.sleep(self.takes)
        answer = self.answers.get(task.guild_id, DONE)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def give_role(self, task: Task) -> DutyReport:
        raise AssertionError("no role is given here")


def made(*ends: tuple[int, int]) -> tuple[SeasonEnds, MemoryDuties, Announcer]:
    """Ends are milliseconds from the start."""
    duties, announcer = MemoryDuties(*((guild_id, EPOCH + end) for guild_id, end in ends)), Announcer()
    return SeasonEnds(LoopClock(), duties, announcer), duties, announcer


async def until_then(milliseconds: int) -> None:
    await asyncio.sleep((milliseconds + 1) / 1000 - asyncio.get_running_loop().time())


async def test_every_season_is_told_a_grace_after_its_end() -> None:
    ends, duties, announcer = made((1, HOUR), (2, 40 * DAY), (3, HOUR), (4, HOUR + 5))
    await until_then(10)
    assert duties.looks == [], "nobody can be reached yet"
    ends.begin()
    await until_then(50 * DAY)
    first = HOUR + GRACE_MS
    assert announcer.announced == [(first, 1), (first, 3), (first + 5, 4), (40 * DAY + GRACE_MS, 2)]
    assert len(duties.looks) < 5 + 50 * DAY / LONGEST_MS, "it does not look all the time"
    await ends.stop()


async def test_what_ended_while_the_bot_was_away_is_told_when_it_is_back() -> None:
    ends, _, announcer = made((1, HOUR), (2, HOUR), (3, 9 * DAY))
    await until_then(10 * DAY)
    ends.begin()
    ends.begin()
    await until_then(10 * DAY + 5)
    assert announcer.announced == [(10 * DAY + 1, 3)], "a week later nobody wants to hear of it"
    await ends.stop()


async def test_a_broken_database_is_asked_again_and_nothing_is_lost() -> None:
    ends, duties, announcer = made((1, HOUR))
    duties.is_broken = True
    ends.begin()
    await until_then(HOUR + 10 * RETRY_MS)
    assert len(duties.looks) == (HOUR + 10 * RETRY_MS) // RETRY_MS + 1
    duties.is_broken = False
    await until_then(HOUR + 11 * RETRY_MS)
    assert [guild_id for _, guild_id in announcer.announced] == [1]
    await ends.stop()


async def test_one_servers_trouble_is_not_the_others_and_ends_some_day() -> None:
    ends, duties, announcer = made((1, 0), (2, 0), (3, 0))
    announcer.answers = {1: DutyReport(Progress.DUE, DutyProblem.MAY_NOT_POST), 2: RuntimeError("a bug")}
    with capture_logs() as logs:
        await told_for_two_weeks(ends, duties, announcer)
    assert [entry["guild"] for entry in logs if entry["event"] == "season.duty_given_up"] == [1, 2]
    assert {entry["guild"] for entry in logs if "exc_info" in entry} == {2}
    await ends.stop()


async def told_for_two_weeks(ends: SeasonEnds, duties: MemoryDuties, announcer: Announcer) -> None:
    ends.begin()
    await until_then(GRACE_MS)
    assert duties.came == {1: announcer.answers[1], 2: DutyReport(Progress.DUE, DutyProblem.REFUSED), 3: DONE}
    await until_then(2 * FRESH_MS)
    assert duties.came[1] == DutyReport(Progress.GIVEN_UP, DutyProblem.MAY_NOT_POST)
    assert duties.came[2] == DutyReport(Progress.GIVEN_UP, DutyProblem.REFUSED)
    tries = [at for at, guild_id in announcer.announced if guild_id == 1]
    assert tries[:4] == [GRACE_MS, 2 * GRACE_MS, 12 * GRACE_MS, 72 * GRACE_MS]
    assert 25 < len(tries) < 35
    assert tries[-1] < FRESH_MS


async def test_a_trouble_that_outlived_the_bots_absence_is_given_up() -> None:
    ends, duties, announcer = made((1, 0))
    announcer.answers = {1: DutyReport(Progress.DUE, DutyProblem.NO_CHANNEL)}
    ends.begin()
    await until_then(HOUR)
    await ends.stop()
    tries = len(announcer.announced)
    await until_then(2 * FRESH_MS)
    ends.begin()
    await until_then(2 * FRESH_MS + 5)
    assert len(announcer.announced) == tries
    assert duties.came[1] == DutyReport(Progress.GIVEN_UP, DutyProblem.NO_CHANNEL)
    await ends.stop()


async def test_what_a_server_changes_is_tried_at_once() -> None:
    ends, _, announcer = made((1, 0), (2, 0))
    announcer.answers = dict.fromkeys((1, 2), DutyReport(Progress.DUE, DutyProblem.NO_CHANNEL))
    ends.begin()
    await until_then(2 * HOUR)
    announcer.announced.clear()
    announcer.answers.clear()
    ends.server_changed(SettingsChanged(1))
    await until_then(2 * HOUR + 5)
    assert announcer.announced == [(2 * HOUR + 1, 1)]
    await ends.stop()


async def test_a_nearer_end_is_seen_when_somebody_says_so() -> None:
    ends, duties, announcer = made((1, 30 * DAY))
    ends.begin()
    await until_then(HOUR)
    duties.ends = {(1, EPOCH + HOUR + 500)}
    ends.season_changed(SeasonChanged())
    await until_then(2 * HOUR)
    assert announcer.announced == [(HOUR + 500 + GRACE_MS, 1)]
    await ends.stop()


async def test_an_end_by_hand_is_told_at_once_and_once() -> None:
    ends, duties, announcer = made((2, 0))
    ends.begin()
    await until_then(HOUR)
    announcer.announced.clear()
    duties.add(1, EPOCH + HOUR, EPOCH + HOUR)
    both = await asyncio.gather(ends.ended(1, 1), ends.ended(1, 1))
    assert both == [DONE, DONE]
    await until_then(2 * HOUR)
    assert [guild_id for _, guild_id in announcer.announced] == [1]
    await ends.stop()


async def test_who_ends_a_season_by_hand_does_not_wait_for_all_others() -> None:
    ends, duties, announcer = made(*((guild_id, 0) for guild_id in range(10, 20)))
    announcer.takes = 5.0
    ends.begin()
    await until_then(GRACE_MS + 1000)
    duties.add(1, EPOCH, EPOCH)
    assert await ends.ended(1, 1) == DONE
    assert [guild_id for _, guild_id in announcer.announced] == [10, 1, 11]
    await ends.stop()
    assert [guild_id for _, guild_id in announcer.announced] == [10, 1, 11, 12], "the bot stops after what it has begun"
    ends.begin()
    await until_then(HOUR)
    assert [guild_id for _, guild_id in announcer.announced] == [10, 1, *range(11, 20)]
    await ends.stop()


async def test_after_the_stop_nothing_is_told() -> None:
    ends, duties, announcer = made((1, HOUR))
    ends.begin()
    await until_then(5)
    await ends.stop()
    ends.season_changed(SeasonChanged())
    await until_then(2 * HOUR)
    assert (len(duties.looks), announcer.announced) == (1, [])
