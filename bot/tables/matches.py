"""Starts matches, brings them back after a restart, and ends them."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from bot.game.decide import draw_sign_cards, start_match
from bot.game.events import Event
from bot.tables.breaking_off import BreakOff, break_off
from bot.tables.clock import Clock
from bot.tables.journal import Entry
from bot.tables.live_tables import LiveTables
from bot.tables.lobbies import Lobbies
from bot.tables.lobby import Lobby, LobbyRefusal
from bot.tables.seating import Seating
from bot.tables.table import Table
from bot.tables.table_store import TableStore
from bot.tables.watcher import Watcher

KEPT_OVER: Final = 32
"""This many finished matches stay in memory, to be looked at and played again."""

BROKEN_OFF: Final = BreakOff()
"""The end of a match before its end, at which no player is at fault."""


class Matches:
    """The matches of all servers."""

    def __init__(
        self,
        live: LiveTables,
        lobbies: Lobbies,
        seating: Seating,
        new_table: Callable[..., Table],
        *,
        clock: Clock,
        store: TableStore,
        rng: Random,
        watcher: Watcher,
    ) -> None:
        """`new_table` makes a `Table` of a lobby, its log and the keyword argument `watcher`."""
        self._live = live
        self._lobbies = lobbies
        self._seating = seating
        self._new_table = new_table
        self._clock = clock
        self._store = store
        self._rng = rng
        self._watcher = watcher

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """See `bot.tables.table.Observer`."""
        self._seating.changed(table, events)
        self._watcher.changed(table, events)

    async def start(self, table_id: int) -> Table | LobbyRefusal:
        """Seat the players of a lobby and begin the match; the watcher hears of it.

        Raises:
            StoreError: the start was not saved, and the lobby is still open.
        """
        async with self._live.lock(table_id):
            lobby = self._live.open_lobby(table_id)
            if lobby is None:
                return self._lobbies.not_open(table_id)
            playing = (await self._lobbies.with_gates(lobby)).start()
            if isinstance(playing, LobbyRefusal):
                return playing
            if playing.random_teams:
                playing = playing.seated(self._rng.sample(playing.players, playing.size))
            events = start_match(
                playing.rules,
                seats=playing.size,
                teams=playing.teams,
                dealer=self._rng.randrange(playing.size),
                now=self._clock.now(),
                strategies=playing.strategies,
                sign_cards=draw_sign_cards(playing.rules, playing.teams, self._rng),
            )
            await self._store.record_start(playing, events)
            self._lobbies.drop(table_id)
            table = self.add(playing, tuple(Entry(seq, event) for seq, event in enumerate(events, 1)))
        table.wake(events)
        await self._drop_oldest()
        return table

    def add(self, lobby: Lobby, entries: Sequence[Entry]) -> Table:
        """Hold a match in memory that has this log; `Table.wake` sets it going.

        Raises ValueError, TypeError or LookupError when the log does not replay.
        """
        table = self._new_table(lobby, entries, watcher=self)
        self._live.keep(table)
        self._seating.watch(table)
        return table

    async def finish(self, table_id: int, how: BreakOff = BROKEN_OFF) -> None:
        """Take a match out of memory; one that is still being played is broken off.

        Raises:
            StoreError: the end was not saved, and the match goes on.
        """
        async with self._live.lock(table_id):
            table = self._live.table(table_id)
            if table is None:
                return
            await table.close()
            is_broken_off = not table.is_over
            if is_broken_off:
                await break_off(table, how, self._store, self._clock.now())
            self._live.drop(table_id)
            self._seating.forget(table_id)
        if is_broken_off:
            self._watcher.closed(table.lobby)

    async def finish_ended(self, user_id: int) -> None:
        """Take the ended matches of a player out of memory: what is left of them there holds a name."""
        for table in self._live.tables():
            if table.is_over and table.seat_of(user_id) is not None:
                await self.finish(table.id)

    async def _drop_oldest(self) -> None:
        over = [table for table in self._live.tables() if table.is_over]
        for table in over[: max(len(over) - KEPT_OVER, 0)]:
            await self.finish(table.id)
