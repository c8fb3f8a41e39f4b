"""One night in memory, and its only writer: under one lock it changes, and each change is saved before it is seen."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from bot.base.clock import Clock
from bot.nights.changes import NightCode, NightRefusedError
from bot.nights.night import Night, NightStatus
from bot.nights.planning.series import exclude_members, promoted_user_ids
from bot.tables.directory import TableDirectory
from bot.tables.match.table import OUTAGE_MS, Table
from bot.tables.match.table_actions import Resume
from bot.tables.seating import BreakOff
from bot.tables.table_store import ServerFilter, all_servers


@dataclass(frozen=True, slots=True)
class MatchScore:
    """How a match of a night ended that is no longer in memory, by team.

    - the points of its last game
    - the games won
    """

    scores: tuple[int, ...]
    games: tuple[int, ...]


class NightStore(Protocol):
    """Nights by id. Every method raises StoreError when it could not do its work; then nothing has changed."""

    async def create(self, night: Night, former: Night | None = None) -> Night:
        """Save a new night and return it with its `id`, and with its `number` among the nights of its server.

        `former` is the night before this one of a weekly series: it is saved in the same transaction (see `save`).
        """

    async def save(self, night: Night) -> None:
        """Save a night whose `version` is one more than what is stored.

        Raises StoreError, too, where another version is stored.
        """

    async def load(self, night_id: int) -> Night | None:
        """One night; None once its row is deleted."""

    async def load_live(self, servers: ServerFilter = all_servers) -> tuple[Night, ...]:
        """Return the nights of these servers for which something is still to be done, the oldest first."""

    async def score(self, table_id: int) -> MatchScore | None:
        """Return how a table's match ended; None for one that was not played to its end."""


NightChange = Callable[[Night], Night]
"""Raises NightRefusedError."""
Save = Callable[[Night], Awaitable[None]]
ANNULLED: Final = BreakOff(is_annulled=True)


@dataclass(eq=False)
class RunningNight:
    """`_saved` is called with the night after each change. `is_resuming`: paused tables are about to go on."""

    night: Night
    _clock: Clock
    _store: NightStore
    _directory: TableDirectory
    _saved: Callable[[Night], None]
    held_since: int | None = None

    def __post_init__(self) -> None:
        self._lock = asyncio.Lock()
        self._is_unsure = False
        self.is_resuming = False

    @property
    def is_held(self) -> bool:
        """Whether the clocks stand still because Discord is out of reach."""
        return self.held_since is not None

    async def update(self, change: NightChange, *, save: Save | None = None) -> Night | NightCode:
        """Save what `change` makes of the night, and return it; or why it is refused.

        A match that the change takes from its table is annulled first. `save` saves more than the night alone. Raises
        StoreError when nothing was saved, BannedError where it would take in a person who is banned.
        """
        async with self._lock:
            before = await self._present()
            try:
                after = change(before)
            except NightRefusedError as refused:
                return refused.code
            if after == before:
                return after
            await self._directory.bans.check(after.guild_id, after.people - before.people)
            while banned := await self._directory.bans.among(after.guild_id, promoted_user_ids(before, after)):
                after = exclude_members(after, banned)
            after = replace(after, version=before.version + 1)
            for table_id in _taken_away(before, after):
                await self._directory.finish(table_id, ANNULLED)
            going_on = before.paused_table_ids - after.paused_table_ids
            self.is_resuming = bool(going_on)
            try:
                for table_id in going_on:
                    await self._resume(table_id)
                await (save or self._store.save)(after)
                self.night = after
            except BaseException:
                self._is_unsure = True  # it may have been saved all the same
                raise
            finally:
                self.is_resuming = False
        self._saved(after)
        return after

    async def keep_out_banned(self) -> None:
        """Take off who is banned: a ban may have been given while another process had the night. Raises StoreError."""
        people = [entrant.user_id for entrant in self.night.entrants if entrant.user_id is not None]
        banned = await self._directory.bans.among(self.night.guild_id, people)
        await self.update(lambda night: exclude_members(night, banned))

    def hold(self, since: int) -> None:
        """Do nothing from `since` on (milliseconds), until `release`."""
        if self.held_since is None:
            self.held_since = since

    async def release(self) -> None:
        """Go on. The running round, or the break, ends later by as long as nobody could play. Raises StoreError."""
        since = self.held_since
        if since is None:
            return
        held = self._clock.now() - since
        if held >= OUTAGE_MS and self.night.status is NightStatus.RUNNING and self.night.paused_at is None:
            await self.update(lambda night: night.postpone(held))
        self.held_since = None

    def live_tables(self, night: Night) -> tuple[Table, ...]:
        tables = () if night.round is None else night.round.tables
        found = (self._directory.table(table.table_id) for table in tables if table.table_id is not None)
        return tuple(table for table in found if table is not None)

    async def _present(self) -> Night:
        """Return the night as it is stored, where that is not known."""
        if self._is_unsure:
            self.night = await self._store.load(self.night.id) or self.night
            self._is_unsure = False
        return self.night

    async def _resume(self, table_id: int) -> None:
        """Before the host's pause is over: after a crash in between it is paused still, and so are its tables."""
        table = self._directory.table(table_id)
        if table is not None and table.pause is not None and not table.pause.by_itself:
            await table.submit(Resume())


def _taken_away(before: Night, after: Night) -> list[int]:
    """Return the matches that were played at tables which are to be dealt from the beginning."""
    if before.round is None or len(before.rounds) != len(after.rounds) or after.round is None:
        return []
    pairs = zip(before.round.tables, after.round.tables, strict=False)
    return [old.table_id for old, new in pairs if old.table_id is not None and new.table_id is None]
