"""One night in memory and its only writer: changes happen under one lock, and are saved before they are visible."""

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
    """The result of a match that is no longer in memory, by team.

    - `scores`: the points of its last game.
    - `games`: the games won.
    """

    scores: tuple[int, ...]
    games: tuple[int, ...]


class NightStore(Protocol):
    """The stored nights. Every method may raise StoreError; then nothing has changed."""

    async def create(self, night: Night, former: Night | None = None) -> Night:
        """Save a new night and return it with its `id`, and with its `number` among the nights of its server.

        `former` is the preceding night of a weekly series, which is saved in the same transaction (`save`).
        """

    async def save(self, night: Night) -> None:
        """Save a night whose `version` is one more than the stored one.

        Raises:
            StoreError: Another version is stored, or it could not be saved.
        """

    async def load(self, night_id: int) -> Night | None:
        """Return a night; None if its row was deleted."""

    async def load_live(self, servers: ServerFilter = all_servers) -> tuple[Night, ...]:
        """Return the nights of these servers that are not yet done, oldest first."""

    async def score(self, table_id: int) -> MatchScore | None:
        """Return the result of a table's match; None if it was not played to its end."""


NightChange = Callable[[Night], Night]
"""Returns the changed night, or raises NightRefusedError."""
Save = Callable[[Night], Awaitable[None]]
ANNULLED: Final = BreakOff(is_annulled=True)


@dataclass(eq=False)
class RunningNight:
    """A night and its writer.

    - `held_since`: since when its clock has stood still (Unix milliseconds); None if it runs.
    - `_saved`: called with the night after each change.
    - `is_resuming`: paused tables are about to go on.
    """

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
        """Whether the night's clock is stopped because Discord cannot be reached."""
        return self.held_since is not None

    async def update(self, change: NightChange, *, save: Save | None = None) -> Night | NightCode:
        """Change and save the night, and return it or why the change is refused.

        A match that the change removes from its table is annulled first.

        Args:
            change: Returns the changed night.
            save: Saves more than the night alone.

        Raises:
            StoreError: Nothing was saved.
            BannedError: The change would add a banned person.
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
            while banned := await self._directory.bans.find_many(after.guild_id, promoted_user_ids(before, after)):
                after = exclude_members(after, banned)
            after = replace(after, version=before.version + 1)
            for table_id in _taken_away(before, after):
                await self._directory.remove_match(table_id, ANNULLED)
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
        """Exclude banned people, as they may have been banned while another process ran the night.

        Raises:
            StoreError: The bans could not be read, or the change was not saved.
        """
        people = [entrant.user_id for entrant in self.night.entrants if entrant.user_id is not None]
        banned = await self._directory.bans.find_many(self.night.guild_id, people)
        await self.update(lambda night: exclude_members(night, banned))

    def hold(self, since: int) -> None:
        """Stop the clock from `since` (Unix milliseconds) until `release`."""
        if self.held_since is None:
            self.held_since = since

    async def release(self) -> None:
        """Let the clock run again, and postpone the end of the round or break by the lost time.

        Raises:
            StoreError: That was not saved.
        """
        since = self.held_since
        if since is None:
            return
        pause_ms = self._clock.now() - since
        if pause_ms >= OUTAGE_MS and self.night.status is NightStatus.RUNNING and self.night.paused_at is None:
            await self.update(lambda night: night.postpone(pause_ms))
        self.held_since = None

    def live_tables(self, night: Night) -> tuple[Table, ...]:
        """Return the matches of the current round that are in memory."""
        ids = (table.table_id for table in night.latest_tables if table.table_id is not None)
        return tuple(live for table_id in ids if (live := self._directory.table(table_id)) is not None)

    async def _present(self) -> Night:
        """Return the night, reloaded if the outcome of the last write is unknown."""
        if self._is_unsure:
            self.night = await self._store.load(self.night.id) or self.night
            self._is_unsure = False
        return self.night

    async def _resume(self, table_id: int) -> None:
        """Resume a paused table, before the end of the host's pause is saved: a crash in between leaves both paused."""
        table = self._directory.table(table_id)
        if table is not None and table.pause is not None and not table.pause.by_itself:
            await table.submit(Resume())


def _taken_away(before: Night, after: Night) -> list[int]:
    """Return the matches of tables that the change starts anew."""
    if before.round is None or len(before.rounds) != len(after.rounds) or after.round is None:
        return []
    pairs = zip(before.round.tables, after.round.tables, strict=False)
    return [old.table_id for old, new in pairs if old.table_id is not None and new.table_id is None]
