"""The nights of this process that are not done yet.

Also the store of drafts of nights: the latest one of each person on each server.
"""

from functools import partial
from operator import attrgetter
from random import Random
from typing import Final, Protocol

import structlog

from bot.base.clock import Clock
from bot.base.times import DAY_MS
from bot.game.value import stamp
from bot.nights.changes import Duty, HostStep, NightCode, StepKind, if_unchanged
from bot.nights.night import Night
from bot.nights.plan import NightPlan
from bot.nights.planning.draft import NightDraft
from bot.nights.planning.series import exclude_members, next_of_series
from bot.nights.steps import apply_step, step_subject, undo_step
from bot.tables.cluster import ShardResource
from bot.tables.directory import TableDirectory
from bot.tables.hub import Hub, NightChanged, PersonBanned
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table
from bot.tables.nights.running_night import NightChange, NightStore, RunningNight
from bot.tables.table_store import ServerFilter, all_servers

KEPT_MS: Final = DAY_MS
"""Milliseconds after which an unchanged draft is deleted, by `bot.store.records.retention`."""


class NightDraftStore(Protocol):
    """The drafts of nights. Each method may raise StoreError."""

    async def save(self, guild_id: int, user_id: int, draft: NightDraft, now: int) -> None:
        """Save a person's draft on that server in place of their former one."""

    async def read(self, guild_id: int, user_id: int) -> NightDraft | None:
        """Return the person's draft on that server."""


_log = structlog.get_logger(__name__)


class LiveNights(ShardResource):
    """The nights in memory. A method that saves something raises StoreError if it was not saved."""

    def __init__(self, *, clock: Clock, store: NightStore, directory: TableDirectory, hub: Hub, rng: Random) -> None:
        self._clock = clock
        self._store = store
        self._directory = directory
        self._hub = hub
        self.publish: Final = hub.publish
        self._rng = rng
        self._nights: dict[int, RunningNight] = {}
        self._by_table: dict[int, int] = {}

    # ------------------------------------------------------------------ looking

    def night(self, night_id: int) -> Night | None:
        """Return a night in memory; None for a night that is done, which is in the records."""
        found = self._nights.get(night_id)
        return None if found is None else found.night

    def nights_in(self, guild_id: int) -> tuple[Night, ...]:
        """Return the nights of a server that are planned, running or not yet done; earliest first."""
        nights = (running.night for running in self._nights.values() if running.night.guild_id == guild_id)
        return tuple(sorted(nights, key=lambda night: (night.plan.starts_at, night.id)))

    def running(self, night_id: int) -> RunningNight | None:
        """Return the writer of a night; None if it is not in memory."""
        return self._nights.get(night_id)

    def all_running(self) -> tuple[RunningNight, ...]:
        """Return the writers of all nights."""
        return tuple(self._nights.values())

    def night_of_table(self, table_id: int) -> Night | None:
        """Return the night in which a table is played; None if there is none."""
        night_id = self._by_table.get(table_id)
        return None if night_id is None else self.night(night_id)

    # ------------------------------------------------------------------ changing

    async def plan(self, *, guild_id: int, host_id: int, locale: str, plan: NightPlan) -> Night:
        """Save a new night, and return it with its id."""
        planned = Night(0, guild_id, 0, host_id, locale, plan, seed=self._rng.getrandbits(31))
        return self.keep(await self._store.create(planned))

    async def plan_next(self, running: RunningNight, night: Night) -> None:
        """Plan the next night of a series, and save with the present night that this was done."""
        following = next_of_series(night, self._clock.now(), seed=self._rng.getrandbits(31))
        created = list[Night]()

        async def create(former: Night) -> None:
            created.append(await self._store.create(following, former))

        planned = if_unchanged(stamp(night.version), attrgetter("version"), lambda now: now.mark_done(Duty.PLAN_NEXT))
        await running.update(planned, save=create)
        for night in created:
            self.keep(night)

    async def update(self, night_id: int, change: NightChange) -> Night | NightCode:
        """Change a night, as by `update(7, lambda night: leave(night, user_id))`; return it, or why that is refused."""
        found = self._nights.get(night_id)
        return NightCode.NIGHT_OVER if found is None else await found.update(change)

    async def step(
        self, night_id: int, step: HostStep, by: int, seen: str | None = None
    ) -> Night | NightCode | LobbyRefusal:
        """Carry out a host's step, and return the night or why it is refused.

        A user who has played in a ranked match may not remove anybody from it.

        Args:
            night_id: The night.
            step: What the host does.
            by: The host's user id.
            seen: The stamp of what the host has confirmed to change, which must not have changed since; None if nothing
                was confirmed.
        """
        table = self._left(night_id, step)
        if table is not None and table.lobby.is_ranked and await self._directory.seating.has_played(table, by):
            return LobbyRefusal(LobbyCode.NOT_NEUTRAL)

        def change(night: Night) -> Night:
            return apply_step(night, step, by, self._clock.now())

        done = await self.update(
            night_id, change if seen is None else if_unchanged(seen, partial(step_subject, step=step), change)
        )
        _log.info("night.step", night=night_id, kind=step.kind.value, done=isinstance(done, Night))
        return done

    def _left(self, night_id: int, step: HostStep) -> Table | None:
        """Return the match from which a step removes a person; None if it removes nobody."""
        night = self.night(night_id)
        if night is None or step.kind is not StepKind.DROP:
            return None
        table = night.table(step.table or 0, step.round)
        return None if table is None or table.table_id is None else self._directory.table(table.table_id)

    async def undo_step(self, night_id: int, place: int, by: int) -> Night | NightCode:
        """Undo the step at this place of the log, if it is the last one and nothing depends on it."""
        done = await self.update(night_id, lambda night: undo_step(night, place, self._clock.now()))
        _log.info("night.step_taken_back", night=night_id, by=by, done=isinstance(done, Night))
        return done

    async def forget(self, user_id: int) -> None:
        """Erase a person from the nights in memory; the store erases them from the others."""
        for running in self.all_running():
            await running.update(lambda night: night.erase_person(user_id))

    async def banned(self, event: PersonBanned) -> None:
        """Exclude a banned person from the nights of the server."""
        for night in self.nights_in(event.guild_id):
            await self.update(night.id, lambda night: exclude_members(night, (event.user_id,)))

    # ------------------------------------------------------------------ memory

    async def restore(self, servers: ServerFilter = all_servers) -> None:
        """Load the nights of these servers, after their tables; their clocks do not run yet."""
        nights = await self._store.load_live(servers)
        for night in nights:
            running = self._hold_in_memory(night)
            held_since = [table.held_since for table in running.live_tables(night) if table.held_since is not None]
            running.hold(min(held_since, default=self._clock.now()))
        _log.info("nights.restored", nights=len(nights))

    def keep(self, night: Night) -> Night:
        """Keep a night in memory, publish it, and return it."""
        self._hold_in_memory(night)
        self._hub.publish(NightChanged(night))
        return night

    def drop(self, night_id: int) -> None:
        """Remove from memory a night that is done, or that another process takes over."""
        self._nights.pop(night_id, None)
        self._by_table = {table: night for table, night in self._by_table.items() if night != night_id}

    def _hold_in_memory(self, night: Night) -> RunningNight:
        running = RunningNight(night, self._clock, self._store, self._directory, self._saved)
        self._nights[night.id] = running
        self._index(night)
        return running

    def _saved(self, night: Night) -> None:
        self._index(night)
        self._hub.publish(NightChanged(night))

    def _index(self, night: Night) -> None:
        self._by_table |= {table.table_id: night.id for table in night.latest_tables if table.table_id is not None}
