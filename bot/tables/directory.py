"""All lobbies and matches of this process: starts matches, ends them, and brings everything back after a restart.

`LiveTables` finds tables, `Lobbies` opens and changes lobbies, `Seating` changes who plays at matches.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import structlog

from bot.errors import StoreError
from bot.game.decide import draw_sign_cards, start_match
from bot.game.events import Event
from bot.tables.clock import Clock
from bot.tables.journal import Entry, Journal
from bot.tables.live_tables import LiveTables
from bot.tables.lobbies import Lobbies
from bot.tables.lobby.lobby import Lobby, LobbyRefusal, Status
from bot.tables.lobby.place import Place
from bot.tables.match.robot_seats import RobotFactory
from bot.tables.match.table import Follower, Table, Watcher
from bot.tables.match_people import BreakOff, changes_between, go_away
from bot.tables.rematches import Rematches
from bot.tables.seating import Seating
from bot.tables.shards import ALL, Shard
from bot.tables.table_store import Damaged, SavedTable, SeatChanges, TableStore

KEPT_OVER: Final = 32
"""This many finished matches stay in memory, to be looked at and played again."""
REPAIR: Final = "restore the last backup, or close the table with /kems end ({table})"
"""What can be done about a table that cannot be read."""
_NO_FAULT: Final = BreakOff()

_log = structlog.get_logger(__name__)


class TableDirectory:
    """One for the whole process. The first attributes are methods of its parts, documented there.

    A method that saves something raises StoreError when it was not saved; then nothing has changed.
    """

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
        stays paused, or without a move of any person; 0: without end.

        `photo_finish_ms`: how long a call waits for calls that were made before it (`bot.tables.match.photo_finish`).
        `afk_seconds`: after how long without doing anything a player is called (`bot.tables.attendance`), at tables
        without a setting of their own; 0: never.
        """
        self._clock = clock
        self._store = store
        self._rng = rng
        self._watcher = watcher
        self._live = live = LiveTables()
        self._lobbies = Lobbies(live, clock, store, watcher, lobby_minutes)
        self.seating: Final = Seating(
            live,
            clock=clock,
            store=store,
            rng=rng,
            watcher=watcher,
            afk_seconds=afk_seconds,
            paused_days=paused_days,
            finish=self.finish,
            break_off=self._break_off,
        )
        self._new_table: Callable[[Lobby, Sequence[Entry]], Table] = partial(
            Table, clock=clock, journal=journal, rng=rng, watcher=self, robots=robots, photo_finish_ms=photo_finish_ms
        )
        self.followers: Final[list[Follower]] = []
        """Hear of all tables besides the watcher, after it."""
        self._closed_before: tuple[Lobby, ...] = ()
        self._over: dict[int, None] = {}  # the matches in memory that are over, in the order in which they ended

        self.lobby: Final = live.lobby
        self.lobbies: Final = live.lobbies
        self.lobby_in: Final = live.lobby_in
        self.table: Final = live.table
        self.tables: Final = live.tables
        self.alive_in: Final = live.alive_in
        self.alive_of: Final = live.alive_of
        self.servers_of: Final = live.servers_of
        self.take_gone: Final = live.take_gone
        self.table_in: Final = live.table_in
        self.damaged: Final = live.damaged
        self.all_damaged: Final = live.all_damaged
        self.lock: Final = live.lock
        self.open_lobby: Final = self._lobbies.open
        self.open_seated: Final = self._lobbies.open_seated
        self._rematches = Rematches(live, self._lobbies, store, self.start)
        self.rematch: Final = self._rematches.ask
        self.shuffle: Final = self._lobbies.shuffle
        self.reopen: Final = self._lobbies.reopen
        self.reopening: Final = self._lobbies.reopening
        self.update: Final = self._lobbies.update
        self.heard: Final = self._lobbies.heard

    def closed_before(self) -> tuple[Lobby, ...]:
        """Lobbies that were closed in the former run of the bot, and whose message may not say so."""
        return self._closed_before

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """See `bot.tables.match.table.Observer`."""
        if table.is_over:
            self._over[table.id] = None
        self.seating.changed(table, events)
        self._watcher.changed(table, events)
        for follower in self.followers:
            follower.changed(table, events)

    # ------------------------------------------------------------------ starting and ending

    async def start(self, table_id: int, by: int | None = None, *, is_friendly: bool = False) -> Table | LobbyRefusal:
        """Seat the players of an open lobby and begin the match.

        `by`: the user who asks for it (`bot.tables.lobby.host_silence`); None: the bot itself. `is_friendly`: the match
        is not ranked, also where it could be.
        """
        async with self._live.lock(table_id):
            lobby = self._live.open_lobby(table_id)
            if lobby is None:
                return self._lobbies.not_open(table_id)
            refusal = None if by is None else self._lobbies.silence.refusal(lobby, by)
            if refusal is not None:
                return refusal
            playing = (await self._lobbies.with_gates(lobby)).start()
            if isinstance(playing, LobbyRefusal):
                return playing
            if is_friendly:
                playing = replace(playing, is_ranked=False)
            if playing.random_teams:
                playing = playing.seated(self._rng.sample(playing.players, playing.size))
            events = start_match(
                playing.rules,
                seats=playing.size,
                teams=playing.teams,
                dealer=playing.first_dealer(self._rng),
                now=self._clock.now(),
                strategies=playing.strategies,
                sign_cards=draw_sign_cards(playing.rules, playing.teams, self._rng),
            )
            await self._store.record_start(playing, events)
            self._lobbies.drop(table_id)
            table = self._add(playing, [Entry(seq, event) for seq, event in enumerate(events, 1)])
        table.wake(events)
        for oldest in [*self._over][: max(len(self._over) - KEPT_OVER, 0)]:
            await self.finish(oldest)
        return table

    async def finish(self, table_id: int, how: BreakOff = _NO_FAULT) -> None:
        """Take a match out of memory; one that is still being played is broken off.

        A last move whose saving failed may have ended the match all the same: then it is over, and not broken off.
        """
        async with self._live.lock(table_id):
            table = self._live.table(table_id)
            if table is None:
                return
            before = table.lobby
            quitters = how.quitters if before.is_ranked and not how.is_annulled else ()
            after = replace(go_away(before, quitters), status=how.status)
            changes = (
                None if how.is_annulled else changes_between(before, after, self._clock.now(), ended_by=how.ended_by)
            )
            if not await self._break_off(table, after, changes):
                self._drop(table_id)

    async def finish_ended(self, user_id: int) -> None:
        """Take the ended matches of a player out of memory: what is left of them there holds a name."""
        for table in self._live.ended_of(user_id):
            await self.finish(table.id)

    async def close_damaged(self, table_id: int) -> None:
        """Close a damaged table for good."""
        async with self._live.lock(table_id):
            if self._live.damaged(table_id) is not None:
                await self._store.cancel_damaged(table_id)
                self._live.drop(table_id)

    # ------------------------------------------------------------------ moves, outages, restarts

    async def move(self, table_id: int, place: Place) -> None:
        """Remember where a table is shown now, and what its message says."""
        async with self._live.lock(table_id):
            lobby = self._live.lobby(table_id)
            if lobby is None or lobby.place != place:
                await self._store.move(table_id, place)
                self._live.show_at(table_id, place)

    async def restore(self, shard: Shard = ALL) -> None:
        """Bring back a shard's open lobbies and running matches; one that cannot be read is `damaged`.

        The clocks of the matches stand still since the last event in any log, until `release`.
        """
        last_event = unreadable = 0
        self._closed_before = tuple(lobby for lobby in self._closed_before if not shard.has(lobby.place.guild_id))
        async for saved in self._store.load_live(shard):
            damaged = saved if isinstance(saved, Damaged) else await self._bring_back(saved)
            if damaged is not None:
                unreadable += 1
                if damaged.status is not Status.OVER:
                    self._live.keep(damaged)
                _log.error("table.unreadable", problem=str(damaged.problem), advice=REPAIR.format(table=damaged.id))
            elif isinstance(saved, SavedTable):
                last_event = max((last_event, *(entry.event.at for entry in saved.entries)))
        restored = self._live.tables_of(self.servers_of(shard))
        for table in restored:
            table.hold(last_event)
        lobbies = sum(shard.has(lobby.place.guild_id) for lobby in self.lobbies())
        _log.info("tables.restored", lobbies=lobbies, tables=len(restored), unreadable=unreadable)

    async def give_up(self, shard: Shard) -> None:
        """Forget a shard's tables, which stay in the store: another process goes on with them.

        What is under way at a table is finished first.
        """
        lobbies = [lobby.id for lobby in self.lobbies() if shard.has(lobby.place.guild_id)]
        damaged = [one.id for one in self.all_damaged() if shard.has(one.place.guild_id)]
        tables = [table.id for table in self._live.tables_of(self.servers_of(shard))]
        await asyncio.gather(*(self._give_up(table_id) for table_id in (*lobbies, *tables, *damaged)))

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
        for table in self.tables():
            await table.close()

    def _add(self, lobby: Lobby, entries: Sequence[Entry]) -> Table:
        """Hold a match in memory. Raises ValueError, TypeError or LookupError when its log does not replay."""
        table = self._new_table(lobby, entries)
        self._live.keep(table)
        if table.is_over:
            self._over[table.id] = None
        self.seating.watch(table)
        return table

    async def _give_up(self, table_id: int) -> None:
        async with self._live.lock(table_id):
            table = self._live.table(table_id)
            if table is not None:
                await table.close()
            self._lobbies.drop(table_id)
            self._drop(table_id)

    async def _close(self, table: Table) -> None:
        """Close a match with all that its log holds; it goes on if the log cannot be read."""
        await table.close()
        try:
            found = await table.catch_up()
        except BaseException:
            table.reopen()
            raise
        if found:
            self.changed(table, found)

    async def _break_off(self, table: Table, after: Lobby, changes: SeatChanges | None) -> bool:
        """End a match, whose lock is held, with the people and the status of `after`; without `changes` for nobody.

        Returns whether it was still being played. It goes on if its end is not saved.
        """
        await self._close(table)
        if table.is_over:
            return False
        try:
            if changes is None:
                await self._store.save(after)
            else:
                await self._store.break_off(after, changes)
        except BaseException:
            table.reopen()
            raise
        table.seat(after)
        table.lobby = replace(table.lobby, status=after.status)
        self._live.drop(table.id)
        self._watcher.closed(table.lobby)
        for follower in self.followers:  # before it is forgotten who was called
            follower.closed(table.lobby)
        self.seating.forget(table.id)
        return True

    def _drop(self, table_id: int) -> None:
        self._live.drop(table_id)
        self._over.pop(table_id, None)
        self.seating.forget(table_id)

    async def _bring_back(self, saved: SavedTable) -> Damaged | None:
        """What is wrong with the table; None once it is back."""
        lobby = saved.lobby
        if lobby.status is Status.OPEN:
            self._lobbies.bring_back(await self._lobbies.with_gates(lobby))
        elif lobby.status in (Status.PLAYING, Status.OVER):
            try:
                self._add(lobby, saved.entries)
            except (ValueError, TypeError, LookupError) as error:
                problem = StoreError(f"Table {lobby.id} cannot be continued: its log does not replay ({error}).")
                return Damaged(
                    lobby.id, lobby.place, lobby.host_id, lobby.locale, lobby.opened_at, lobby.status, problem
                )
        else:
            self._closed_before = (*self._closed_before, lobby)
        return None
