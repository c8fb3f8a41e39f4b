"""Carries out the duties of seasons that are over, with one timer for all servers.

A podium appears once: its duty is saved with the end of the season, and a second try after a crash posts with the same
nonce, for which Discord returns the message that it has already.
"""

import asyncio
from typing import Final, Protocol

import structlog

from bot.errors import StoreError
from bot.ladder.seasons import DutyProblem, DutyReport, Progress, SeasonDuty, Task, Trouble, retry_at
from bot.tables.clock import Clock
from bot.tables.hub import RightsChanged, SeasonChanged, SettingsChanged
from bot.tables.worker import LONGEST_MS, Worker

RETRY_MS: Final = 60_000
"""After how long a database that failed is asked again."""

_log = structlog.get_logger(__name__)


class SeasonDutyStore(Protocol):
    """The duties of seasons that are over. Every method raises StoreError when it could not do its work."""

    async def add_duties(self, at: int) -> None:
        """Save the duties of each season that the calendar has ended at least `GRACE_MS` ago."""

    async def due(self, at: int, guild_id: int | None = None, *, most: int) -> tuple[Task, ...]:
        """At most `most` tasks that are due, in one server or in all; a server's oldest season comes first."""

    async def note(self, task: Task, report: DutyReport, due_at: int | None) -> None:
        """Save the report of a task, and when it is tried again. It stays due if it was asked for again meanwhile."""

    async def podium(self, guild_id: int, number: int) -> DutyReport:
        """The last report on the podium of a season."""

    async def posted(self, guild_id: int, number: int, report: DutyReport) -> None:
        """Save where a podium stands that was posted outside of its duty; the duty checks it once more."""

    async def retry_now(self, guild_id: int, at: int) -> None:
        """Make all tasks of a server due now that are to be tried again."""

    async def next_at(self, at: int) -> int | None:
        """The next instant at which a season ends or a task is due; None without such an instant."""

    async def troubles(self, guild_id: int) -> tuple[Trouble, ...]:
        """The duties that failed and are tried again, and the duties of the last season that were given up."""


class SeasonAnnouncer(Protocol):
    """Carries out duties on Discord. Doing a task a second time changes nothing."""

    async def announce(self, task: Task) -> DutyReport:
        """Post the podium of a season where the server has it posted, or correct the podium that stands.

        Raises StoreError when the season could not be read.
        """

    async def give_role(self, task: Task) -> DutyReport:
        """Give the server's role for the best of a season to them, and take it from all others.

        Raises StoreError when something could not be read or saved; some roles may have been given or taken.
        """


class SeasonEnds(Worker):
    """One for all servers."""

    def __init__(self, clock: Clock, duties: SeasonDutyStore, announcer: SeasonAnnouncer) -> None:
        super().__init__(clock, "season", self._settle, retry_ms=RETRY_MS)
        self._duties = duties
        self._announcer = announcer
        self._lock = asyncio.Lock()
        self._to_retry: set[int] = set()
        self.troubles: Final = duties.troubles

    def begin(self) -> None:
        """Begin, or look what more servers, which are reached now, have due."""
        super().begin()
        self.wake()

    def season_changed(self, _changed: SeasonChanged) -> None:
        """Ask the store what is due now."""
        self.wake()

    async def ended(self, guild_id: int, number: int) -> DutyReport:
        """Do at once what is due in a server, one of whose seasons was ended by hand. Returns the podium's report.

        Raises StoreError as `SeasonDutyStore` and `SeasonAnnouncer` do; the task is tried again later.
        """
        try:
            while await self._do_first(guild_id):
                pass
            return await self._duties.podium(guild_id, number)
        finally:
            self.wake()

    async def posted(self, guild_id: int, number: int, report: DutyReport) -> None:
        """Note a podium that was the answer to a command, in a server without a channel for podiums.

        Raises StoreError when the podium was not noted; it will not be corrected.
        """
        await self._duties.posted(guild_id, number, report)
        self.wake()

    def server_changed(self, changed: SettingsChanged | RightsChanged) -> None:
        """Try the failed tasks of a server again now; a single thread has none."""
        if isinstance(changed, SettingsChanged) or changed.channel_id is None:
            self._to_retry.add(changed.guild_id)
            self.wake()

    async def _settle(self) -> int:
        await self._duties.add_duties(self._clock.now())
        for guild_id in tuple(self._to_retry):
            await self._duties.retry_now(guild_id, self._clock.now())
            self._to_retry.discard(guild_id)
        while not self.is_stopped and await self._do_first():
            pass
        return await self._duties.next_at(self._clock.now()) or self._clock.now() + LONGEST_MS

    async def _do_first(self, guild_id: int | None = None) -> bool:
        """Do the first task that is due, in one server or in any. Returns whether there was one.

        The lock is held for one task: no task is done twice, and a server whose season is ended by hand does not wait
        for all other servers at the end of a month.
        """
        async with self._lock:
            tasks = await self._duties.due(self._clock.now(), guild_id, most=1)
            for task in tasks:
                await self._note(task, await self._report(task))
        return bool(tasks)

    async def _report(self, task: Task) -> DutyReport:
        if self._clock.now() >= task.until and not task.is_correction:
            return DutyReport(Progress.NOTHING if task.problem is None else Progress.GIVEN_UP, task.problem)
        try:
            match task.duty:
                case SeasonDuty.PODIUM:
                    return await self._announcer.announce(task)
                case SeasonDuty.CHAMPION:
                    return await self._announcer.give_role(task)
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - one server's trouble is not the others'
            _log.exception("season.duty_failed", guild=task.guild_id, season=task.season.number, duty=task.duty.value)
            return DutyReport(Progress.DUE, DutyProblem.REFUSED)

    async def _note(self, task: Task, report: DutyReport) -> None:
        due_at = retry_at(task, self._clock.now()) if report.progress is Progress.DUE else None
        if report.progress is Progress.DUE and due_at is None:
            report = DutyReport(Progress.GIVEN_UP, report.problem)
        about = {"guild": task.guild_id, "season": task.season.number, "duty": task.duty.value}
        if report.progress is Progress.GIVEN_UP:
            _log.warning("season.duty_given_up", **about, problem=report.problem and report.problem.value)
        elif report.problem is not None:
            _log.info("season.duty_put_off", **about, problem=report.problem.value)
        else:
            _log.info("season.duty", **about, progress=report.progress.value)
        await self._duties.note(task, report, due_at)
