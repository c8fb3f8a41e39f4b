"""Changes who plays at running matches: players leave, are removed, stay away, come back or take over a seat.

A match that is left for days is closed. Every change is durable before it is seen. This module does not know how
players are notified.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from random import Random
from typing import Final

import structlog

from bot.errors import StoreError
from bot.game.events import Event, MatchEnded, MatchPaused, MatchResumed
from bot.records.player import Player
from bot.robots.names import free_name
from bot.tables.attendance import Attendance
from bot.tables.clock import Clock
from bot.tables.jobs.closing_timers import ClosingTimers
from bot.tables.live_tables import LiveTables
from bot.tables.lobby.absence import Absence
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.match.table import Table, Watcher
from bot.tables.match.table_actions import Pause
from bot.tables.match_people import (
    BreakOff,
    LobbyOutcome,
    changes_between,
    come_back,
    go_away,
    kick,
    leave,
    open_seats,
    take_over,
)
from bot.tables.table_store import SeatChanges, TableStore

_DAY_MS: Final = 24 * 60 * 60 * 1000

_log = structlog.get_logger(__name__)


class Seating:
    """One for all matches. A method that changes something raises StoreError when the change was not saved."""

    def __init__(
        self,
        live: LiveTables,
        *,
        clock: Clock,
        store: TableStore,
        rng: Random,
        watcher: Watcher,
        afk_seconds: int,
        paused_days: int,
        finish: Callable[[int, BreakOff], Awaitable[None]],
        break_off: Callable[[Table, Lobby, SeatChanges], Awaitable[bool]],
    ) -> None:
        """`afk_seconds`: how long a player may be idle before they are called, where a table has no setting of its own;
        `paused_days`: how long a match may stay paused, or without a move of any person; 0: without end.

        `finish` breaks a match off; `break_off` does so under the match's lock, and returns whether it was still being
        played.
        """
        self._live = live
        self._finish = finish
        self._break_off = break_off
        self._clock = clock
        self._store = store
        self._rng = rng
        self._watcher = watcher
        self._afk_seconds = afk_seconds
        self._paused_ms = paused_days * _DAY_MS
        self._closing = ClosingTimers(clock, self._close_left)
        self._attendance: dict[int, Attendance] = {}
        self._replacing: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------ watching

    def watch(self, table: Table) -> None:
        """Watch a match that begins, or goes on after a restart."""
        self._closing.set(table.id, self._closes_at(table))
        chosen = table.lobby.afk_seconds
        afk_seconds = self._afk_seconds if chosen is None else chosen
        attendance = self._attendance[table.id] = Attendance(
            table,
            self._clock,
            afk_seconds * 1000,
            on_called=lambda seats, until: self._watcher.awaits(table, seats, until),
            on_missing=lambda: self._start(self._replace_missing(table, attendance)),
        )
        attendance.changed()

    def changed(self, table: Table, events: Sequence[Event]) -> None:
        """Events became durable at a table, or its players changed."""
        if any(isinstance(event, MatchPaused | MatchResumed | MatchEnded) for event in events):
            self._closing.set(table.id, self._closes_at(table))
        attendance = self._attendance.get(table.id)
        if attendance is None:
            return
        if any(isinstance(event, MatchResumed) for event in events):
            attendance.restart_idle_times()
        attendance.changed(events)

    def restart_idle_times(self, tables: Iterable[Table]) -> None:
        """Count idle times from now on: players can act again at these tables."""
        for table in tables:
            attendance = self._attendance.get(table.id)
            if attendance is not None:
                had_called = attendance.called()
                attendance.restart_idle_times()
                if had_called:
                    self._watcher.changed(table, ())

    def forget(self, table_id: int) -> None:
        """Stop watching a match that is no longer in memory."""
        self._closing.set(table_id, None)
        attendance = self._attendance.pop(table_id, None)
        if attendance is not None:
            attendance.close()

    async def close(self) -> None:
        """Stop watching; a change that is under way is finished first."""
        await self._closing.stop()
        for table_id in tuple(self._attendance):
            self.forget(table_id)
        await asyncio.gather(*self._replacing)

    def called(self, table_id: int) -> dict[int, int]:
        """The seats of a match that were called and have not acted, with the instant until which they have time."""
        attendance = self._attendance.get(table_id)
        return {} if attendance is None else attendance.called()

    # ------------------------------------------------------------------ changing

    async def seen(self, table: Table, user_id: int) -> None:
        """Note that a player acted; one for whom a robot plays takes their seat back."""
        if self.note_presence(table, user_id):
            await self.change(table, lambda lobby: come_back(lobby, user_id))

    def note_presence(self, table: Table, user_id: int) -> bool:
        """Note that a player acted. Returns whether a robot plays for them; `seen` gives them their seat back."""
        seat = table.seat_of(user_id)
        player = None if seat is None else table.lobby.players[seat]
        if seat is None or player is None:
            return False
        was_called = seat in self.called(table.id)
        attendance = self._attendance.get(table.id)
        if attendance is not None:
            attendance.seen(seat)
        is_replaced = player.is_away or player.is_open
        if was_called and not is_replaced:
            self._watcher.changed(table, ())
        return is_replaced

    async def leave(self, table: Table, user_id: int) -> LobbyOutcome:
        """A player leaves a running match for good: a robot takes the seat, or the match ends (`Absence`).

        Their leaving and the end of the match are saved together.
        """
        return await self.change(table, lambda lobby: leave(lobby, user_id, self._robot_name(lobby)))

    async def kick(
        self, table: Table, user_id: int, *, by_id: int, is_moderator: bool, is_charged: bool = False
    ) -> LobbyOutcome:
        """Remove a player from a running match for good at another user's request, who may decide that.

        From a ranked match only a moderator who does not play in it may remove players. It then counts for nobody, or
        is lost for the removed player if that one `is_charged`.
        """
        is_neutral = is_moderator and not await self.has_played(table, by_id)
        return await self.change(
            table,
            lambda lobby: kick(lobby, user_id, self._robot_name(lobby), is_neutral=is_neutral, is_charged=is_charged),
            sent_away=user_id,
        )

    async def has_played(self, table: Table, user_id: int) -> bool:
        """Whether a user plays in a match, or has left it."""
        return table.seat_of(user_id) is not None or await self._store.former(table.id, user_id) is not None

    async def end(self, table: Table, user_id: int) -> bool:
        """Break a match off at a user's request. Returns whether they played in it: a player alone loses it thereby."""
        has_played, seat = await self.has_played(table, user_id), table.seat_of(user_id)
        quitters = () if seat is None else (seat,)
        await self._finish(table.id, BreakOff(quitters, user_id) if has_played else BreakOff(is_annulled=True))
        return has_played

    async def take_over(self, table: Table, seat: int, player: Player) -> LobbyOutcome:
        """Give an open seat to a user; not in another team than one they sat in before, whose sign they know."""
        if player.user_id is None:
            raise ValueError("a robot cannot take over a seat")
        former = await self._store.former(table.id, player.user_id)
        if former is not None and former.was_sent_away:
            return LobbyRefusal(LobbyCode.SENT_AWAY)
        if former is not None and (former.seat - seat) % table.lobby.teams:
            return LobbyRefusal(LobbyCode.OTHER_TEAM)
        taken = await self.change(table, lambda lobby: take_over(lobby, seat, player))
        attendance = self._attendance.get(table.id)
        if isinstance(taken, Lobby) and attendance is not None:
            attendance.seen(seat)
        return taken

    async def open_seat_of(self, table: Table, user_id: int, *, by_id: int, is_moderator: bool) -> LobbyOutcome:
        """Open the seat of a player to all users, at another user's request, who may decide that.

        In a ranked match only a moderator who does not play in it may do so while the player is there: the player loses
        the match where the seat is taken. Until then any press of theirs takes it back.
        """
        is_neutral = is_moderator and not await self.has_played(table, by_id)

        def opened(lobby: Lobby) -> LobbyOutcome:
            seat = lobby.seat_of(user_id)
            player = None if seat is None else lobby.players[seat]
            if seat is None or player is None:
                return LobbyRefusal(LobbyCode.NOT_SEATED)
            attendance = self._attendance.get(table.id)
            is_missed = player.is_away or (attendance is not None and attendance.is_missed(seat))
            if lobby.is_ranked and not is_missed and not is_neutral:
                return LobbyRefusal(LobbyCode.NOT_MISSED)
            return open_seats(lobby, [seat])

        return await self.change(table, opened)

    async def change(
        self, table: Table, change: Callable[[Lobby], LobbyOutcome], *, sent_away: int | None = None
    ) -> LobbyOutcome:
        """Change who sits at a running match, or what happens to absent players; a cancelled one is broken off."""
        async with self._live.lock(table.id):
            before = table.lobby
            if before.status is not Status.PLAYING:
                return LobbyRefusal(LobbyCode.MATCH_OVER)
            after = change(before)
            if isinstance(after, LobbyRefusal) or after == before:
                return after
            changes = changes_between(before, after, self._clock.now(), sent_away=sent_away)
            if after.status is Status.CANCELLED:
                if await self._break_off(table, after, changes):
                    return table.lobby
                table.reopen()
                return LobbyRefusal(LobbyCode.MATCH_OVER)
            await self._store.reseat(after, changes)
            table.seat(after)
            self._live.keep(table)
        table.wake()
        self.changed(table, ())
        self._watcher.changed(table, ())
        return after

    def _robot_name(self, lobby: Lobby) -> str:
        return free_name([player.name for player in lobby.players if player is not None], self._rng)

    async def _replace_missing(self, table: Table, attendance: Attendance) -> None:
        """Go on without the missing players, as the host chose. If all are missing, none is at fault."""
        absence, missing = table.lobby.absence, attendance.missing()
        is_deserted = missing >= set(table.lobby.people.values())
        try:
            if absence is Absence.END:
                await self._finish(table.id, BreakOff(() if is_deserted else missing))
            elif is_deserted:
                await table.submit(Pause(by_itself=True))
            elif absence is Absence.ROBOT:
                await self.change(table, lambda lobby: go_away(lobby, attendance.missing()))
            elif absence is Absence.SUBSTITUTE:
                await self.change(table, lambda lobby: open_seats(lobby, attendance.missing()))
        except StoreError as problem:
            _log.warning("absence.not_saved", table=table.id, problem=str(problem))
            attendance.wait_again(missing)
            self._watcher.changed(table, ())
        except Exception:  # noqa: BLE001 - a timer's task has no caller: its bug can show in the log only
            _log.exception("absence.failed", table=table.id)

    def _closes_at(self, table: Table) -> int | None:
        """When a match is closed if it stays paused, or if no person makes another move; None: never."""
        if not self._paused_ms or table.is_over:
            return None
        return max(table.pressed_at, 0 if table.pause is None else table.pause.at) + self._paused_ms

    async def _close_left(self, table_id: int) -> None:
        table = self._live.table(table_id)
        closes_at = None if table is None else self._closes_at(table)
        if closes_at is None or closes_at > self._clock.now():
            self._closing.set(table_id, closes_at)
        else:
            await self._finish(table_id, BreakOff(status=Status.EXPIRED))

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._replacing.add(task)
        task.add_done_callback(self._replacing.discard)
