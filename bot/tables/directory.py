"""The front door to all lobbies and matches of this process. Its parts do the work; here they are put together.

`LiveTables` finds tables, `Lobbies` opens and changes lobbies, `Matches` starts and ends matches, and `Seating` changes
who plays at them. What concerns a table whatever its state is here: its place, outages, restarts.
"""

import asyncio
from collections.abc import Collection
from functools import partial
from random import Random
from typing import Final

import structlog

from bot.errors import StoreError
from bot.tables.breaking_off import BreakOff
from bot.tables.clock import Clock
from bot.tables.journal import Journal
from bot.tables.live_tables import LiveTables
from bot.tables.lobbies import Lobbies
from bot.tables.lobby import Lobby, Status
from bot.tables.matches import BROKEN_OFF, Matches
from bot.tables.place import Place
from bot.tables.robot_seats import RobotFactory
from bot.tables.seating import Seating
from bot.tables.table import Table
from bot.tables.table_store import Damaged, SavedTable, TableStore
from bot.tables.watcher import Watcher

REPAIR: Final = "restore the last backup, or close the table with /kems end ({table})"
"""What can be done about a table that cannot be read."""

_log = structlog.get_logger(__name__)


class TableDirectory:
    """One for the whole process. The first attributes are methods of its parts, documented there."""

    def __init__(
        self,
        *,
        clock: Clock,
        store: TableStore,
        journal: Journal,
        rng: Random,
        watcher: Watcher,
        robots: RobotFactory,
        lobby_minutes: int = 0,
        paused_days: int = 0,
        photo_finish_ms: int = 0,
        afk_seconds: int = 0,
    ) -> None:
        """`lobby_minutes`: how long a lobby stays open that is not changed or started; `paused_days`: how long a match
        stays paused; 0: without end.

        `photo_finish_ms`: how long a call waits for calls that were made before it (`bot.tables.photo_finish`).
        `afk_seconds`: after how long without doing anything a player is called (`bot.tables.attendance`), at tables
        without a setting of their own; 0: never.
        """
        self._store = store
        self._live = live = LiveTables()
        self._lobbies = Lobbies(live, clock, store, watcher, lobby_minutes)
        self.seating: Final = Seating(
            clock=clock,
            store=store,
            rng=rng,
            watcher=watcher,
            afk_seconds=afk_seconds,
            paused_days=paused_days,
            lock=live.lock,
            finish=self.finish,
        )
        new_table = partial(
            Table, clock=clock, journal=journal, rng=rng, robots=robots, photo_finish_ms=photo_finish_ms
        )
        self._matches = Matches(
            live, self._lobbies, self.seating, new_table, clock=clock, store=store, rng=rng, watcher=watcher
        )
        self._closed_before: tuple[Lobby, ...] = ()

        self.lobby: Final = live.lobby
        self.lobbies: Final = live.lobbies
        self.lobby_in: Final = live.lobby_in
        self.table: Final = live.table
        self.tables: Final = live.tables
        self.table_in: Final = live.table_in
        self.damaged: Final = live.damaged
        self.all_damaged: Final = live.all_damaged
        self.lock: Final = live.lock
        self.open_lobby: Final = self._lobbies.open
        self.rematch: Final = self._lobbies.rematch
        self.reopen: Final = self._lobbies.reopen
        self.reopening: Final = self._lobbies.reopening
        self.update: Final = self._lobbies.update
        self.start: Final = self._matches.start
        self.finish_ended: Final = self._matches.finish_ended

    def closed_before(self) -> tuple[Lobby, ...]:
        """Lobbies that were closed in the former run of the bot, and whose message may not say so."""
        return self._closed_before

    async def finish(self, table_id: int, how: BreakOff = BROKEN_OFF) -> None:
        """See `Matches.finish`."""
        await self._matches.finish(table_id, how)

    async def move(self, table_id: int, place: Place) -> None:
        """Remember where a table is shown now, and what its message says.

        Raises:
            StoreError: the place was not saved.
        """
        async with self._live.lock(table_id):
            lobby = self._live.lobby(table_id)
            if lobby is None or lobby.place != place:
                await self._store.move(table_id, place)
                self._live.show_at(table_id, place)

    async def close_damaged(self, table_id: int) -> None:
        """Close a damaged table for good.

        Raises:
            StoreError: the end was not saved.
        """
        async with self._live.lock(table_id):
            if self._live.damaged(table_id) is not None:
                await self._store.cancel_damaged(table_id)
                self._live.drop(table_id)

    async def restore(self) -> None:
        """Bring back every open lobby and running match; one that cannot be read is `damaged`, the others are back.

        The clocks of the matches stand still since the last event in any log, until `release`.

        Raises:
            StoreError: the store could not be read at all.
        """
        last_event = unreadable = 0
        for saved in await self._store.load_live():
            damaged = saved if isinstance(saved, Damaged) else await self._bring_back(saved)
            if damaged is not None:
                unreadable += 1
                if damaged.status is not Status.OVER:
                    self._live.keep(damaged)
                _log.error("table.unreadable", problem=str(damaged.problem), advice=REPAIR.format(table=damaged.id))
            elif isinstance(saved, SavedTable):
                last_event = max((last_event, *(entry.event.at for entry in saved.entries)))
        tables = self._live.tables()
        for table in tables:
            table.hold(last_event)
        _log.info("tables.restored", lobbies=len(self._live.lobbies()), tables=len(tables), unreadable=unreadable)

    def hold(self, guild_ids: Collection[int] | None = None) -> None:
        """Stop the clocks of all matches, or those of some servers, while Discord is out of reach."""
        for table in self._live.tables_of(guild_ids):
            table.hold()

    async def release(self, guild_ids: Collection[int] | None = None) -> None:
        """Let the clocks of all matches, or those of some servers, go on where they were: players can act again."""
        tables = self._live.tables_of(guild_ids)
        await asyncio.gather(*(table.release() for table in tables))
        self.seating.restart_idle_times(tables)

    async def close(self) -> None:
        """Stop all timers and robots; everything stays in the store for the next start."""
        await self._lobbies.close()
        await self.seating.close()
        for table in self._live.tables():
            await table.close()

    async def _bring_back(self, saved: SavedTable) -> Damaged | None:
        """What is wrong with the table; None once it is back."""
        lobby = await self._lobbies.with_gates(saved.lobby)
        if lobby.status is Status.OPEN:
            self._lobbies.keep(lobby)
        elif lobby.status in (Status.PLAYING, Status.OVER):
            try:
                self._matches.add(lobby, saved.entries)
            except (ValueError, TypeError, LookupError) as error:
                problem = StoreError(f"Table {lobby.id} cannot be continued: its log does not replay ({error}).")
                return _damaged(lobby, problem)
        else:
            self._closed_before = (*self._closed_before, lobby)
        return None


def _damaged(lobby: Lobby, problem: StoreError) -> Damaged:
    return Damaged(lobby.id, lobby.place, lobby.host_id, lobby.locale, lobby.opened_at, lobby.status, problem)
