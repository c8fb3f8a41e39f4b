"""All lobbies and matches of this process: starts matches, ends them, and brings everything back after a restart."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import structlog

from bot.base.clock import Clock
from bot.base.errors import StoreError
from bot.base.times import DAY_MS, MINUTE_MS
from bot.base.worker import Workers
from bot.game.actions import Tick
from bot.game.checks.refusals import Refusal
from bot.game.decide import decide, draw_sign_cards, start_match
from bot.game.events import Event, MatchEnded, MatchPaused, MatchResumed, MatchStarted
from bot.game.evolve import evolve_all
from bot.tables.attendance import Attendance
from bot.tables.cluster import ShardResource
from bot.tables.hub import Hub, LobbyChanged, TableClosed
from bot.tables.live_tables import LiveTables
from bot.tables.lobbies import CLOSING_RETRY_MS, Lacking, Lobbies, Rematches, nobody_lacks
from bot.tables.lobby.lobby import Lobby, Status
from bot.tables.lobby.refusals import LobbyRefusal
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.robot_seats import RobotFactory
from bot.tables.match.table import Table, TableChanged
from bot.tables.seat_reservations import SeatReservations
from bot.tables.seating import BreakOff, LobbyOutcome, Seating, changes_between, go_away
from bot.tables.servers.bans import Bans, BanStore
from bot.tables.table_store import (
    DamagedTable,
    Journal,
    LogEntry,
    SavedTable,
    SeatChanges,
    ServerFilter,
    TableStore,
    all_servers,
)

KEPT_OVER: Final = 32
"""How many finished matches stay in memory, for their results and rematches."""
REPAIR: Final = "restore the last backup, or close the table with /kems table end ({table})"
"""Advice about a table that cannot be read."""
_NO_FAULT: Final = BreakOff()
_TOLD: Final[dict[type[Event], str]] = {
    MatchStarted: "table.started",
    MatchPaused: "table.paused",
    MatchResumed: "table.resumed",
    MatchEnded: "table.over",
}
"""Log events by the match events that they report; every table has `table.opened` and `table.closed` as well."""

_log = structlog.get_logger(__name__)


class TableDirectory(LiveTables, ShardResource):
    """All tables of this process.

    A method that saves something raises StoreError if it was not saved; then nothing has changed.

    - `lobbies`: opens and changes lobbies.
    - `rematches`: opens what follows a match.
    - `attendance`: detects absent players.
    - `seating`: changes who plays at matches.
    - `reservations`: the watchers who will replace robots at the next deal.
    - `bans`: the bans of all servers.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        store: TableStore,
        journal: Journal,
        bans: BanStore,
        rng: Random,
        hub: Hub,
        robots: RobotFactory,
        lobby_minutes: int = 0,
        paused_days: int = 0,
        photo_finish_ms: int = 0,
        afk_seconds: int = 0,
        lacking: Lacking = nobody_lacks,
    ) -> None:
        """Make an empty directory; `restore` fills it.

        Args:
            clock: That of Discord.
            store: The tables.
            journal: The logs of matches.
            bans: The bans of all servers.
            rng: Shuffles cards and seats.
            hub: Where changes are published.
            robots: Makes the robots of a match.
            lobby_minutes: How long a lobby stays open that is neither changed nor started; 0 for ever.
            paused_days: How long a match may be paused, or without a move of a person; 0 for ever.
            photo_finish_ms: How long a call waits for calls that were made before it (`bot.tables.match.photo_finish`).
            afk_seconds: Idle time before a player is called, at tables without a setting of their own; 0 for never.
            lacking: Looks up who does not meet the entry rules of ranked matches.
        """
        super().__init__()
        self._clock = clock
        self._store = store
        self._rng = rng
        self._hub = hub
        self.publish: Final = hub.publish
        self._paused_ms = paused_days * DAY_MS
        self._closing = Workers(clock, "closing", self._close_left, retry_ms=CLOSING_RETRY_MS, label="table")
        self._new_table: Callable[[Lobby, Sequence[LogEntry]], Table] = partial(
            Table,
            clock=clock,
            journal=journal,
            rng=rng,
            publish=hub.publish,
            robots=robots,
            photo_finish_ms=photo_finish_ms,
        )
        self.closed_before: tuple[Lobby, ...] = ()
        """Lobbies that were closed in the former run of the bot, and whose message may not say so."""
        self._over: dict[int, None] = {}  # the matches in memory that are over, in the order in which they ended
        hub.subscribe(TableChanged, self._changed)
        hub.subscribe(LobbyChanged, _log_end)
        hub.subscribe(TableClosed, _log_end)
        self.attendance: Final = Attendance(clock, hub, afk_seconds)
        self.bans: Final = Bans(clock, bans, hub)
        open_ms = lobby_minutes * MINUTE_MS
        self.lobbies: Final = Lobbies(self, clock, store, self.bans, hub, open_ms, self._read_again, lacking)
        self.seating: Final = Seating(
            self, clock, store, self.bans, rng, hub, self.attendance, self.remove_match, self._break_off,
            self.lobbies.with_ranked_rules,
        )  # fmt: skip
        self.reservations: Final = SeatReservations(self, self.seating, hub)
        self.rematches: Final = Rematches(self, self.lobbies, store, self.bans, self.start)

    def record_press(self, table_id: int, user_id: int) -> Coroutine[object, object, LobbyOutcome] | None:
        """Record a press at a table; if a robot plays for the user, return what gives them their seat back."""
        table = self.table(table_id)
        if table is None:
            self.lobbies.record_press(table_id, user_id)
        elif self.attendance.record_action(table, user_id):
            return self.seating.come_back(table, user_id)
        return None

    # ------------------------------------------------------------------ starting and ending

    async def start(
        self, table_id: int, by: int | None = None, *, is_friendly: bool = False, fills: bool = False
    ) -> Table | LobbyRefusal:
        """Seat the players of an open lobby and begin the match.

        Args:
            table_id: The lobby's id, which the match keeps.
            by: The user who requests it and may be refused (`HostSilence`); None for the bot.
            is_friendly: The match is not ranked, even if it could be.
            fills: Robots take the free seats.
        """
        async with self.lock(table_id):
            lobby = await self.lobbies.current(table_id)
            if lobby is None:
                return self.lobbies.not_open(table_id)
            refusal = None if by is None else self.lobbies.silence.refusal(lobby, by)
            if refusal is not None:
                return refusal
            seated = lobby.filled(self._rng) if fills else lobby
            playing = (await self.lobbies.with_ranked_rules(seated)).start(is_friendly=is_friendly)
            if isinstance(playing, LobbyRefusal):
                return playing
            if playing.has_random_teams:
                playing = replace(playing, players=tuple(self._rng.sample(playing.players, playing.size)))
            now = self._clock.now()
            started = start_match(
                playing.rules,
                seats=playing.size,
                teams=playing.teams,
                dealer=playing.first_dealer(self._rng),
                now=now,
                strategies=playing.strategies,
                sign_cards=draw_sign_cards(playing.rules, playing.teams, self._rng),
            )
            dealt = decide(evolve_all(None, started), Tick(), now, self._rng)  # deals a duel
            assert not isinstance(dealt, Refusal), "a tick is never refused"
            events = (*started, *dealt.events)
            with self.lobbies.saving(table_id):
                await self._store.record_start(playing, events)
            table = self._begin(playing, [LogEntry(seq, event) for seq, event in enumerate(events, 1)])
        if (former := self.table(playing.rematch_of or 0)) is not None:  # nobody is awaited any more
            former.lobby = replace(former.lobby, wants_rematch=frozenset())
            self.publish(TableChanged(former))
        await self._forget_oldest()
        return table

    async def recall(self, table_id: int) -> Table | None:
        """Return a finished match from memory or from the store; None if none can be read."""
        async with self.lock(table_id):
            if self.table(table_id) is None:
                saved = await self._store.read_table(table_id)
                if isinstance(saved, SavedTable) and saved.lobby.status is Status.OVER:
                    await self._bring_back(saved)
        table = self.table(table_id)
        await self._forget_oldest()
        return table if table is not None and table.is_over else None

    async def _forget_oldest(self) -> None:
        """Remove the oldest finished matches from memory, so that `KEPT_OVER` stay."""
        for oldest in [*self._over][: max(len(self._over) - KEPT_OVER, 0)]:
            await self.remove_match(oldest)

    async def remove_match(self, table_id: int, how: BreakOff = _NO_FAULT) -> None:
        """Remove a match from memory, and break it off if it is still being played.

        If a move of unknown outcome turns out to have ended the match, the match is over and not broken off.
        """
        async with self.lock(table_id):
            table = self.table(table_id)
            if table is None or not how.is_due():
                return
            before = table.lobby
            seat = None if how.ended_by is None else before.seat_of(how.ended_by)
            causes = how.quitters if seat is None else (seat,)
            quitters = causes if before.is_ranked and not how.is_annulled else ()
            after = replace(go_away(before, quitters), status=how.status)
            changes = (
                None if how.is_annulled else changes_between(before, after, self._clock.now(), ended_by=how.ended_by)
            )
            if not await self._break_off(table, after, changes):
                self._forget(table_id)

    async def close_damaged(self, table_id: int) -> None:
        """Cancel a damaged table."""
        async with self.lock(table_id):
            if self.damaged(table_id) is not None:
                await self._store.cancel_damaged(table_id)
                self.drop(table_id)

    # ------------------------------------------------------------------ moves, outages, restarts

    async def move(self, table_id: int, place: TableChannel) -> None:
        """Save where a table is shown now, and what its message shows."""
        async with self.lock(table_id):
            lobby = self.lobby(table_id)
            if lobby is None or lobby.place != place:
                await self._store.move(table_id, place)
                self.show_at(table_id, place)

    async def restore(self, servers: ServerFilter = all_servers) -> None:
        """Load the lobbies and matches of these servers; their clocks stand still until `resume`."""
        last_event = unreadable = 0
        self.closed_before = tuple(lobby for lobby in self.closed_before if not servers(lobby.place.guild_id))
        async for saved in self._store.load_live(servers):
            damaged = saved if isinstance(saved, DamagedTable) else await self._bring_back(saved)
            if damaged is not None:
                unreadable += 1
                if damaged.status is not Status.OVER:
                    self.keep(damaged)
                _log.error("table.unreadable", problem=str(damaged.problem), advice=REPAIR.format(table=damaged.id))
            elif isinstance(saved, SavedTable):
                last_event = max((last_event, *(entry.event.at for entry in saved.entries)))
        restored = self.tables_of(self.ids_with_tables(servers))
        for table in restored:
            table.hold(last_event)
        lobbies = sum(servers(lobby.place.guild_id) for lobby in self.open_lobbies())
        _log.info("tables.restored", lobbies=lobbies, tables=len(restored), unreadable=unreadable)

    async def release(self, servers: ServerFilter) -> None:
        """Finish running moves at the tables of these servers, then drop the tables for another process."""
        lobbies = [lobby.id for lobby in self.open_lobbies() if servers(lobby.place.guild_id)]
        damaged = [damaged_table.id for damaged_table in self.all_damaged() if servers(damaged_table.place.guild_id)]
        tables = [table.id for table in self.tables_of(self.ids_with_tables(servers))]
        await asyncio.gather(*(self._release(table_id) for table_id in (*lobbies, *tables, *damaged)))

    def hold(self, guild_ids: Collection[int] | None = None) -> None:
        """Stop the clocks of all matches, or of some servers' matches, while Discord cannot be reached."""
        for table in self.tables_of(guild_ids):
            table.hold()

    async def resume(self, guild_ids: Collection[int] | None = None) -> None:
        """Let the clocks of all matches, or of some servers' matches, go on where they were."""
        tables = self.tables_of(guild_ids)
        await asyncio.gather(*(table.release() for table in tables))
        self.attendance.restart_idle_times(tables)

    async def close(self) -> None:
        """Stop all timers and robots."""
        await self.lobbies.close()
        await self._closing.stop()
        self.attendance.close()
        await self.seating.close()
        await self.reservations.close()
        for table in self.tables():
            await table.close()

    def _changed(self, changed: TableChanged) -> None:
        if changed.table.is_over:
            self._over[changed.table.id] = None
        if any(isinstance(event, MatchPaused | MatchResumed | MatchEnded) for event in changed.events):
            self._closing.wake_at(changed.table.id, self._closes_at(changed.table))
        self.attendance.changed(changed.table, changed.events)
        for event in changed.events:
            if name := _TOLD.get(type(event)):
                _log.info(name, table=changed.table.id)

    def _add(self, lobby: Lobby, entries: Sequence[LogEntry]) -> Table:
        """Keep a match in memory.

        Raises:
            ValueError, TypeError, LookupError: Its log does not replay.
        """
        table = self._new_table(lobby, entries)
        self.keep(table)
        if table.is_over:
            self._over[table.id] = None
        self._closing.wake_at(table.id, self._closes_at(table))
        self.attendance.watch(table)
        return table

    def _begin(self, lobby: Lobby, entries: Sequence[LogEntry]) -> Table:
        """Replace a lobby in memory by its match, which is stored already, and start that."""
        self.lobbies.drop(lobby.id)
        table = self._add(lobby, entries)
        table.wake([entry.event for entry in entries])
        return table

    async def _read_again(self, table_id: int) -> None:
        """Replace an open lobby by what is stored, which may be a match."""
        saved = await self._store.read_table(table_id)
        if not isinstance(saved, SavedTable):
            return
        if saved.lobby.status is Status.PLAYING:
            self._begin(saved.lobby, saved.entries)
        else:
            self.lobbies.keep_or_drop(await self.lobbies.with_ranked_rules(saved.lobby))
            self.lobbies.show(saved.lobby)

    def _closes_at(self, table: Table) -> int | None:
        """Return when a match is to be closed unless a person acts; None for never."""
        if not self._paused_ms or table.is_over:
            return None
        return max(table.pressed_at, 0 if table.pause is None else table.pause.at) + self._paused_ms

    async def _close_left(self, table_id: int) -> int | None:
        """Close a match that nobody has continued in time; if it is not due yet, return when it is."""

        def closes_at() -> int | None:
            return None if (table := self.table(table_id)) is None else self._closes_at(table)

        def is_due() -> bool:
            return (at := closes_at()) is not None and at <= self._clock.now()

        if is_due():
            await self.remove_match(table_id, BreakOff(status=Status.EXPIRED, is_due=is_due))
        return closes_at()

    async def _release(self, table_id: int) -> None:
        async with self.lock(table_id):
            table = self.table(table_id)
            if table is not None:
                await table.close()
            self.lobbies.drop(table_id)
            self._forget(table_id)

    async def _break_off(self, table: Table, after: Lobby, changes: SeatChanges | None) -> bool:
        """Break a match off, under its lock, and return whether it was still being played.

        It goes on if its log cannot be read, or if its end is not saved.

        Args:
            table: The match.
            after: Its people and status afterwards.
            changes: Who has left, and loses a ranked match; None if it counts for nobody.
        """
        await table.close()
        try:
            await table.catch_up()
            if table.is_over:
                return False
            if changes is None:
                await self._store.save(after)
            else:
                await self._store.break_off(after, changes)
        except BaseException:
            table.reopen()
            raise
        table.seat(after)
        table.lobby = replace(table.lobby, status=after.status)
        self.drop(table.id)
        self._hub.publish(TableClosed(table.lobby))  # before it is forgotten who was called
        self._forget(table.id)
        return True

    def _forget(self, table_id: int) -> None:
        self.drop(table_id)
        self._over.pop(table_id, None)
        self._closing.wake_at(table_id, None)
        self.attendance.forget(table_id)

    async def _bring_back(self, saved: SavedTable) -> DamagedTable | None:
        """Put a stored table into memory; return it as damaged if its log does not replay."""
        lobby = saved.lobby
        if lobby.status is Status.OPEN:
            self.lobbies.restore(await self.lobbies.with_ranked_rules(lobby))
        elif lobby.status in (Status.PLAYING, Status.OVER):
            try:
                self._add(lobby, saved.entries)
            except (ValueError, TypeError, LookupError) as error:
                problem = StoreError(f"Table {lobby.id} cannot be continued: its log does not replay ({error}).")
                return DamagedTable(
                    lobby.id, lobby.place, lobby.host_id, lobby.locale, lobby.opened_at, lobby.status, problem
                )
        else:
            self.closed_before = (*self.closed_before, lobby)
        return None


def _log_end(changed: LobbyChanged | TableClosed) -> None:
    if changed.lobby.status in (Status.CANCELLED, Status.EXPIRED):
        _log.info("table.closed", table=changed.lobby.id, status=changed.lobby.status.value)
