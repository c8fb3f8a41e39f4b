"""All nights of this process for which something is still to be done: plans them, runs them, brings them back.

A night is changed by `update`, `step` and `take_back`; what the clock and its tables ask for happens by itself.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

import structlog

from bot.errors import StoreError
from bot.game.events import CardsDealt, Event, MatchEnded, MatchPaused, MatchResumed, RoundEnded
from bot.nights.duties import Duty
from bot.nights.host_steps import DoneStep, HostStep
from bot.nights.night import Night, NightStatus
from bot.nights.pairings import pair
from bot.nights.plan import NightPlan
from bot.nights.refusals import NightCode, NightRefusal
from bot.nights.rounds import Pairing
from bot.nights.steps import do, take_back
from bot.nights.timetable import due, next_at
from bot.tables.clock import Clock
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby
from bot.tables.match.table import Table
from bot.tables.nights.night_face import NightFace
from bot.tables.nights.night_store import NightStore
from bot.tables.nights.round_tables import RoundTables
from bot.tables.nights.running_night import NightChange, RunningNight
from bot.tables.nights.worker import Worker
from bot.tables.shards import ALL, Shard

FACE_MS: Final = 30_000
"""After how long Discord is asked again for what it could not do."""
_WAKING: Final = (MatchEnded, MatchPaused, MatchResumed)
_SHOWN: Final = (*_WAKING, CardsDealt, RoundEnded)
_WEEK: Final = timedelta(days=7)

_log = structlog.get_logger(__name__)


async def pair_off(night: Night) -> Pairing:
    """The next round of a night, found outside of the event loop: for 200 people it takes a while."""
    rng = Random(f"{night.seed} {len(night.rounds)} {night.version}")  # noqa: S311 - anybody may follow the lot
    return await asyncio.to_thread(pair, night, rng)


class LiveNights:
    """One for the whole process. A method that saves something raises StoreError when it was not saved."""

    def __init__(
        self,
        *,
        clock: Clock,
        store: NightStore,
        directory: TableDirectory,
        face: NightFace,
        rng: Random,
        zone_of: Callable[[int], Awaitable[str]],
        pair_off: Callable[[Night], Awaitable[Pairing]] = pair_off,
    ) -> None:
        """`zone_of` reads a server's time zone."""
        self._clock = clock
        self._store = store
        self._directory = directory
        self._face = face
        self._rng = rng
        self._zone_of = zone_of
        self._pair_off = pair_off
        self._tables = RoundTables(clock=clock, store=store, directory=directory, face=face, rng=rng)
        self._nights: dict[int, tuple[RunningNight, Worker]] = {}
        self._by_table: dict[int, int] = {}
        directory.followers.append(self)

    # ------------------------------------------------------------------ looking

    def night(self, night_id: int) -> Night | None:
        """A night for which something is still to be done; the others are in the records."""
        found = self._nights.get(night_id)
        return None if found is None else found[0].night

    def nights_in(self, guild_id: int) -> tuple[Night, ...]:
        """The nights of a server that are planned, running or not wound up yet; the earliest first."""
        nights = (running.night for running, _ in self._nights.values() if running.night.guild_id == guild_id)
        return tuple(sorted(nights, key=lambda night: (night.plan.starts_at, night.id)))

    def steps(self, night_id: int) -> tuple[DoneStep, ...]:
        """The log of the host's steps, the first one first."""
        night = self.night(night_id)
        return () if night is None else night.steps

    def night_of_table(self, table_id: int) -> Night | None:
        """The night to which a match belongs, if any."""
        night_id = self._by_table.get(table_id)
        return None if night_id is None else self.night(night_id)

    # ------------------------------------------------------------------ changing

    async def plan(self, *, guild_id: int, host_id: int, locale: str, plan: NightPlan) -> Night:
        """Save a new night of a server."""
        planned = Night(0, guild_id, 0, host_id, locale, plan, seed=self._rng.getrandbits(31))
        return self._keep(await self._store.create(planned)).night

    async def update(self, night_id: int, change: NightChange) -> Night | NightRefusal:
        """Change a night, such as `update(7, lambda night: night.leave(user_id))`."""
        found = self._nights.get(night_id)
        return NightRefusal(NightCode.NIGHT_OVER) if found is None else await found[0].update(change)

    async def step(self, night_id: int, step: HostStep, by: int) -> Night | NightRefusal:
        """Do a step of the host, or of the moderator `by`."""
        done = await self.update(night_id, lambda night: do(night, step, by, self._clock.now()))
        _log.info("night.step", night=night_id, kind=step.kind.value, done=isinstance(done, Night))
        return done

    async def take_back(self, night_id: int, by: int) -> Night | NightRefusal:
        """Take the last step back while nothing follows from it."""
        done = await self.update(night_id, lambda night: take_back(night, self._clock.now()))
        _log.info("night.step_taken_back", night=night_id, by=by, done=isinstance(done, Night))
        return done

    async def forget(self, user_id: int) -> None:
        """Remove a person from the nights in memory; the store erases the others."""
        for running, _ in tuple(self._nights.values()):
            await running.update(lambda night: _without(night, user_id))

    # ------------------------------------------------------------------ following tables

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """See `bot.tables.match.table.Observer`."""
        found = self._nights.get(self._by_table.get(table.id, 0))
        if found is None:
            return
        running, worker = found
        if not events or any(isinstance(event, _WAKING) for event in events):
            worker.wake()
        if any(isinstance(event, _SHOWN) for event in events):
            self._face.changed(running.night)

    def closed(self, lobby: Lobby) -> None:
        """See `bot.tables.match.table.Follower`."""
        found = self._nights.get(self._by_table.get(lobby.id, 0))
        if found is not None:
            running, worker = found
            self._tables.broken_off(running.night, lobby.id)
            worker.wake()

    # ------------------------------------------------------------------ shards and outages

    async def take_up(self, shard: Shard = ALL) -> None:
        """Bring back a shard's nights, whose tables are back already. Their clocks stand still until `release`."""
        nights = await self._store.load_live(shard)
        for night in nights:
            running = self._keep(night, is_held=True)
            held = [table.held_since for table in running.live_tables(night) if table.held_since is not None]
            running.hold(min(held, default=self._clock.now()))
        _log.info("nights.restored", nights=len(nights))

    async def give_up(self, shard: Shard) -> None:
        """Forget a shard's nights, which stay in the store: another process goes on with them."""
        await self._stop([
            night_id for night_id, (running, _) in self._nights.items() if shard.has(running.night.guild_id)
        ])  # fmt: skip

    def hold(self, guild_ids: Collection[int]) -> None:
        """Stop the clocks of the nights of some servers, while Discord is out of reach."""
        for running, _ in self._nights.values():
            if running.night.guild_id in guild_ids:
                running.hold(self._clock.now())

    async def release(self, guild_ids: Collection[int]) -> None:
        """Let the nights of some servers go on where they were, after their tables."""
        for running, worker in tuple(self._nights.values()):
            if running.night.guild_id in guild_ids and running.is_held:
                try:
                    await running.release()
                except StoreError as error:  # the round ends earlier; the next change tries the store again
                    _log.warning("night.outage_not_saved", night=running.night.id, problem=str(error))
                    running.held_since = None
                worker.wake()
                self._face.changed(running.night)

    async def close(self) -> None:
        """Stop all timers; what is under way is finished first, and everything stays in the store."""
        await self._stop(tuple(self._nights))

    # ------------------------------------------------------------------ what is due

    async def _work(self, running: RunningNight) -> int | None:
        """Do what is due in a night. Returns when to look again."""
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
            self._drop(running.night.id)
        return min(times, default=None)

    async def _do(self, running: RunningNight, duty: Duty) -> bool:
        """Returns whether it is done; else it is tried again later."""
        night, now = running.night, self._clock.now()
        match duty:
            case Duty.REMIND:
                return await self._face.remind(night) and await self._note(running, duty)
            case Duty.CANCEL:
                await running.update(lambda night: night.cancelled(now))
            case Duty.BEGIN_ROUND:
                pairing = await self._pair_off(night)
                await running.update(
                    lambda present: (
                        present.begin_round(pairing, now)
                        if present.version == night.version
                        else NightRefusal(NightCode.CHANGED_MEANWHILE)
                    )
                )
            case Duty.CALL_TIME:
                await running.update(lambda night: night.time_called(now))
            case Duty.END_NIGHT:
                await running.update(lambda night: night.ended(now))
            case Duty.RECAP:
                return await self._face.recap(night) and await self._note(running, duty)
            case Duty.PLAN_NEXT:
                await self._plan_next(running)
        return True

    async def _note(self, running: RunningNight, duty: Duty) -> bool:
        await running.update(lambda night: night.did(duty))
        return True

    async def _plan_next(self, running: RunningNight) -> None:
        """Plan the same night a week later, by the clocks of its server."""
        night, zone = running.night, ZoneInfo(await self._zone_of(running.night.guild_id))
        begins = datetime.fromtimestamp(night.plan.starts_at / 1000, zone)
        while round(begins.timestamp() * 1000) <= self._clock.now():
            begins += _WEEK
        plan = night.plan.moved(round(begins.timestamp() * 1000))
        following = Night(0, night.guild_id, 0, night.host_id, night.locale, plan, seed=self._rng.getrandbits(31))
        created: list[Night] = []

        async def create(former: Night) -> None:
            created.append(await self._store.create(following, former))

        await running.update(lambda night: night.did(Duty.PLAN_NEXT), save=create)
        for night in created:
            self._keep(night)

    # ------------------------------------------------------------------ memory

    def _keep(self, night: Night, *, is_held: bool = False) -> RunningNight:
        """Hold a night in memory, at work unless it `is_held`."""
        running = RunningNight(
            night, clock=self._clock, store=self._store, directory=self._directory, saved=lambda: self._saved(running)
        )
        worker = Worker(self._clock, lambda: self._work(running), night=night.id)
        self._nights[night.id] = running, worker
        self._index(night)
        if not is_held:
            worker.wake()
            self._face.changed(night)
        return running

    def _saved(self, running: RunningNight) -> None:
        night = running.night
        self._index(night)
        if night.id in self._nights:
            self._nights[night.id][1].wake()
        self._face.changed(night)

    def _index(self, night: Night) -> None:
        tables = () if night.round is None else night.round.tables
        self._by_table |= {table.table_id: night.id for table in tables if table.table_id is not None}

    def _drop(self, night_id: int) -> None:
        self._nights.pop(night_id, None)
        self._by_table = {table: night for table, night in self._by_table.items() if night != night_id}
        self._tables.forget(night_id)

    async def _stop(self, night_ids: Collection[int]) -> None:
        workers = [self._nights[night_id][1] for night_id in night_ids]
        await asyncio.gather(*(worker.stop() for worker in workers))
        for night_id in night_ids:
            self._drop(night_id)


def _without(night: Night, user_id: int) -> Night:
    """A night that knows a user no more; one who still plays leaves first."""
    left = night.leave(user_id)
    return (night if isinstance(left, NightRefusal) else left).forgotten(user_id)
