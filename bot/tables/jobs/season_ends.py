"""Sees to it that the end of each season is told, once: one timer for all servers, and duties that survive a crash.

Why a message appears once: the duty is saved with the end of the season; a herald that is asked again after a crash
posts with the same nonce, so that Discord gives the message it has already.
"""

import asyncio
from typing import Final, Protocol

import structlog

from bot.errors import StoreError
from bot.ladder.season_duties import DutyProblem, DutyReport, Progress, SeasonDuty, Task, Trouble, retry_at
from bot.tables.clock import Clock

RETRY_MS: Final = 60_000
"""How long to leave a database alone that failed."""
LONGEST_MS: Final = 6 * 60 * 60 * 1000
"""How long one wait is at most: clocks are set, and machines sleep."""

_log = structlog.get_logger(__name__)


class SeasonDutyStore(Protocol):
    """The duties of seasons that are over. Every method raises StoreError when the store could not do its work."""

    async def settle(self, at: int) -> None:
        """Give every season that the calendar has ended, a short grace ago, its duties."""

    async def due(self, at: int, guild_id: int | None = None, *, most: int) -> tuple[Task, ...]:
        """What is to be done first now, in one server or in all; of a server's seasons the oldest comes first."""

    async def note(self, task: Task, report: DutyReport, due_at: int | None) -> None:
        """Save what came of a task, and when it is tried again. It stays due if it was asked for again meanwhile."""

    async def podium(self, guild_id: int, number: int) -> DutyReport:
        """How far the podium of a season is."""

    async def posted(self, guild_id: int, number: int, report: DutyReport) -> None:
        """Save where the podium of a season stands that was posted without being a duty; it is looked at once more."""

    async def retry_now(self, guild_id: int, at: int) -> None:
        """Try everything of a server again now that is to be tried again at all."""

    async def next_at(self, at: int) -> int | None:
        """When there will be something to settle or to do, as far as is known now."""

    async def troubles(self, guild_id: int) -> tuple[Trouble, ...]:
        """What could not be done so far, and what could not be done for the last season."""


class SeasonAnnouncer(Protocol):
    """Tells the members of a server. It may be asked again for what it has done already, and does no harm then."""

    async def announce(self, task: Task) -> DutyReport:
        """Post the podium of a season, where the server wants it; or correct the one that stands.

        Raises:
            StoreError: the season could not be read.
        """

    async def give_role(self, task: Task) -> DutyReport:
        """Give the best of a season the role that the server has for them, and take it from all others.

        Raises:
            StoreError: something could not be read or saved; part of it may have been done.
        """


class SeasonEnds:
    """Waits for the next boundary of all servers' seasons. Nothing is done before `begin`."""

    def __init__(self, clock: Clock, book: SeasonDutyStore, herald: SeasonAnnouncer) -> None:
        self._clock = clock
        self._book = book
        self._herald = herald
        self._lock = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._to_retry: set[int] = set()
        self._looking: set[asyncio.Task[None]] = set()
        self._is_running = False

    def begin(self) -> None:
        """The herald can reach people (again): do what is due, and wait for the next time."""
        self._is_running = True
        self.look_again()

    def look_again(self) -> None:
        """A season, the boards of one that is over, a schedule or a server's choice has changed."""
        self._wait(0)

    async def ended(self, guild_id: int, number: int) -> DutyReport:
        """Do at once what is due in a server, one of whose seasons was ended by hand; what came of its podium.

        Raises:
            StoreError: see `SeasonDutyStore` and `SeasonAnnouncer`; it will be done later.
        """
        try:
            while await self._did_one(guild_id):
                pass
            return await self._book.podium(guild_id, number)
        finally:
            self.look_again()

    async def posted(self, guild_id: int, number: int, report: DutyReport) -> None:
        """Somebody was answered with the podium of a season, where there is no channel for it: all see it there.

        Raises:
            StoreError: it could not be noted; it will not be corrected.
        """
        await self._book.posted(guild_id, number, report)
        self.look_again()

    def retry(self, guild_id: int) -> None:
        """A server has changed what stood in the way, perhaps."""
        self._to_retry.add(guild_id)
        self.look_again()

    async def troubles(self, guild_id: int) -> tuple[Trouble, ...]:
        """See `SeasonDutyStore.troubles`."""
        return await self._book.troubles(guild_id)

    async def stop(self) -> None:
        """Begin nothing any more; what is being told at this moment is finished first."""
        self._is_running = False
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*self._looking)

    def _wait(self, milliseconds: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._is_running:
            seconds = min(milliseconds, LONGEST_MS) / 1000
            self._timer = asyncio.get_running_loop().call_later(seconds, self._fall_due)

    def _fall_due(self) -> None:
        self._timer = None
        task = asyncio.get_running_loop().create_task(self._look())
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _look(self) -> None:
        wait = RETRY_MS
        try:
            await self._book.settle(self._clock.now())
            for guild_id in tuple(self._to_retry):
                await self._book.retry_now(guild_id, self._clock.now())
                self._to_retry.discard(guild_id)
            while self._is_running and await self._did_one():
                pass
            next_at = await self._book.next_at(self._clock.now())
            wait = LONGEST_MS if next_at is None else max(next_at - self._clock.now(), 0)
        except StoreError as error:
            _log.warning("season.not_settled", problem=str(error))
        except Exception:  # noqa: BLE001 - nobody awaits a timer: the log is the only place where its bug can show
            _log.exception("season.settling_failed")
        if self._timer is None:  # else somebody wants us to look again sooner
            self._wait(wait)

    async def _did_one(self, guild_id: int | None = None) -> bool:
        """Do what is due first, in one server or in any; whether there was anything.

        One at a time, so that nothing is done twice; and a server whose season is ended by hand does not wait for all
        others when a month is over.
        """
        async with self._lock:
            tasks = await self._book.due(self._clock.now(), guild_id, most=1)
            for task in tasks:
                await self._note(task, await self._report(task))
        return bool(tasks)

    async def _report(self, task: Task) -> DutyReport:
        if self._clock.now() >= task.until and not task.is_correction:
            return DutyReport(Progress.NOTHING if task.problem is None else Progress.GIVEN_UP, task.problem)
        try:
            match task.duty:
                case SeasonDuty.PODIUM:
                    return await self._herald.announce(task)
                case SeasonDuty.CHAMPION:
                    return await self._herald.give_role(task)
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
        await self._book.note(task, report, due_at)
