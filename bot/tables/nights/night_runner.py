"""Carries out the duties of each night as they fall due, by the clock or by its tables."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field, replace
from operator import attrgetter
from random import Random
from typing import Final

import structlog

from bot.base.background import Tasks, retry_until_saved
from bot.base.clock import Clock
from bot.base.worker import Workers
from bot.base.worker_process import Priority, run_in_worker_process
from bot.game.events import CardsDealt, MatchEnded, MatchPaused, MatchResumed, RoundEnded
from bot.game.value import stamp
from bot.nights.changes import Duty, if_unchanged
from bot.nights.formats import format_of
from bot.nights.night import Night, NightStatus
from bot.nights.posts import Honour
from bot.nights.rounds import Pairing
from bot.nights.steps import remove_members
from bot.nights.timetable import due, next_at
from bot.tables.cluster import ShardResource
from bot.tables.hub import Hub, NightChanged, SeatsCalled, SeatsChanged, ServersLost, ServersReached, TableClosed
from bot.tables.match.table import TableChanged
from bot.tables.nights.live_nights import LiveNights
from bot.tables.nights.round_tables import NightFace, RoundTables
from bot.tables.nights.running_night import NightChange, RunningNight
from bot.tables.table_store import ServerFilter

RETRY_MS: Final = 2_000
"""Milliseconds until work that was not saved is retried."""
FACE_MS: Final = 30_000
"""Milliseconds until a duty that Discord has prevented is retried."""
_SHOWN: Final = (MatchEnded, MatchPaused, MatchResumed, CardsDealt, RoundEnded)

_log = structlog.get_logger(__name__)


def next_round(night: Night) -> Pairing:
    """Return the pairing of a night's next round; it is the same at every call."""
    rng = Random(f"{night.seed} {len(night.rounds)} {night.version}")  # noqa: S311 - anybody may follow the lot
    return format_of(night).pair(night, rng)


async def pair_off(night: Night) -> Pairing:
    """Return `next_round` from a worker process, since it takes a second for 200 people.

    Raises:
        WorkerProcessError: It could not be computed.
    """
    return await run_in_worker_process(Priority.ROUND, next_round, night)


def _of(night: Night, change: NightChange, part: str = "version") -> NightChange:
    """Return a change that is refused unless the night's `part` is what it is in this one."""
    return if_unchanged(stamp(getattr(night, part)), attrgetter(part), change)


@dataclass(eq=False)
class NightRunner(ShardResource):
    """Runs all nights of the process, each by a worker of its own.

    - `_hand_over`: gives the winners of a night their role; returns False if that has to be retried.
    - `_review`: finds the honours of a night.
    """

    _nights: LiveNights
    _tables: RoundTables
    _clock: Clock
    _hub: Hub
    _face: NightFace
    _hand_over: Callable[[Night], Awaitable[bool]]
    _review: Callable[[Night], Awaitable[tuple[Honour, ...]]]
    _pair_off: Callable[[Night], Awaitable[Pairing]] = pair_off
    _workers: Workers = field(init=False)
    _releasing: Tasks = field(default_factory=Tasks, init=False)

    def __post_init__(self) -> None:
        self._workers = Workers(self._clock, "night", self._work, retry_ms=RETRY_MS, label="night")

    # ------------------------------------------------------------------ what happened

    def night_changed(self, changed: NightChanged) -> None:
        """Do what a changed night requires."""
        running = self._nights.running(changed.night.id)
        if running is not None and not running.is_held:
            self._workers.wake(changed.night.id)

    def table_changed(self, changed: TableChanged) -> None:
        """Publish the night of a match that has ended or whose score has changed."""
        if not changed.events or any(isinstance(event, _SHOWN) for event in changed.events):
            self.seats_changed(changed)

    def seats_changed(self, changed: SeatsCalled | SeatsChanged | TableChanged) -> None:
        """Publish the night of a match in which a player was called, has come back or was replaced."""
        night = self._nights.night_of_table(changed.table.id)
        if night is not None:
            self._hub.publish(NightChanged(night))

    def table_closed(self, closed: TableClosed) -> None:
        """Publish the night of a match that was broken off."""
        night = self._nights.night_of_table(closed.lobby.id)
        if night is not None:
            self._tables.broken_off(night, closed.lobby.id)
            self._hub.publish(NightChanged(night))

    # ------------------------------------------------------------------ outages

    async def release(self, servers: ServerFilter) -> None:
        """Drop the nights of these servers, which another process takes over."""
        await self._stop([
            running.night.id for running in self._nights.all_running() if servers(running.night.guild_id)
        ])  # fmt: skip

    def servers_lost(self, lost: ServersLost) -> None:
        """Stop the clocks of the nights in these servers."""
        for running in self._nights.all_running():
            if running.night.guild_id in lost.guild_ids:
                running.hold(self._clock.now())

    def servers_reached(self, reached: ServersReached) -> None:
        """Let the nights of these servers go on, after their tables."""
        for running in self._nights.all_running():
            if running.night.guild_id in reached.guild_ids and running.is_held:
                self._releasing.start(self._release(running))

    async def _release(self, running: RunningNight) -> None:
        async def release() -> None:
            if self._nights.running(running.night.id) is running:  # else another process goes on with it
                await running.release()

        await retry_until_saved(release, "night.outage_not_saved", night=running.night.id)
        self._hub.publish(NightChanged(running.night))

    async def close(self) -> None:
        """Stop all workers once they have finished their current work."""
        self._releasing.cancel()
        await self._stop([running.night.id for running in self._nights.all_running()])

    # ------------------------------------------------------------------ what is due

    async def _work(self, night_id: int) -> int | None:
        running = self._nights.running(night_id)
        assert running is not None, "its worker is dropped with it"
        while not running.is_held:
            before = running.night
            duty = due(before, self._clock.now())
            if duty is None:
                break
            is_done = await self._do(running, duty)
            if not is_done or running.night is before:
                return self._clock.now() + FACE_MS
        if running.is_held:
            return None
        tended = await self._tables.tend(running) if running.night.status is not NightStatus.PLANNED else None
        times = [at for at in (tended, next_at(running.night)) if at is not None]
        if not times and running.night.is_finished:
            over = running.night
            if not await self._face.is_notified(over):
                return self._clock.now() + FACE_MS
            if isinstance(await running.update(_of(over, lambda night: replace(night, is_wound_up=True))), Night):
                self._drop(night_id)
        return min(times, default=None)

    async def _do(self, running: RunningNight, duty: Duty) -> bool:
        """Carry out a duty; return False if it has to be retried later.

        True stands for a duty that is done, or for a night that has changed, whose duties are to be computed anew.
        """
        night, now = running.night, self._clock.now()
        if duty in (Duty.START_ROUND, Duty.PLAN_NEXT):
            await running.keep_out_banned()
            if running.night is not night:  # something else may be due
                return True
        match duty:
            case Duty.CANCEL:
                await running.update(_of(night, lambda night: night.cancel(now).mark_done(duty)))
            case Duty.START_ROUND:
                if gone := night.people & frozenset(await self._face.gone(night)):
                    await running.update(lambda night: remove_members(night, gone))
                    return True  # others have come in, or too few are left
                pairing = await self._pair_off(night)
                await running.update(_of(night, lambda night: night.start_round(pairing, now)))
            case Duty.HURRY:
                await running.update(_of(night, lambda night: night.hurry_longest_table(now)))
            case Duty.CALL_TIME:
                await running.update(_of(night, lambda night: night.call_time(now)))
            case Duty.END_NIGHT:
                await running.update(_of(night, lambda night: night.end(now)))
            case Duty.HONOUR | Duty.RECAP:
                found = await self._review(night)
                await running.update(_of(night, lambda now: replace(now, honours=found).mark_done(duty), "rounds"))
            case Duty.PLAN_NEXT:
                if not self._face.is_posted(night):  # the next night is announced below the review of this one
                    return False
                await self._nights.plan_next(running, night)
            case Duty.HAND_OVER:
                if not await self._hand_over(night):
                    return False
                await running.update(_of(night, lambda now: now.mark_done(duty), "rounds"))
        return True

    # ------------------------------------------------------------------ workers

    def _drop(self, night_id: int) -> None:
        self._workers.drop(night_id)
        self._tables.forget(night_id)
        self._nights.drop(night_id)

    async def _stop(self, night_ids: Collection[int]) -> None:
        await self._workers.stop(night_ids)
        for night_id in night_ids:
            self._drop(night_id)
