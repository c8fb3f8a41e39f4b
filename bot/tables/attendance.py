"""Detects absent players: first they are called, then they are missing; `bot.tables.seating` replaces them.

While the match waits for the moves of some players, only these can be absent. While it waits for nobody in particular
and no player acts, all of them are. A player for whom chance has taken a card after `take_limit` is awaited until they
act, although the match goes on.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from bot.base.clock import Clock
from bot.game.events import CardTaken, Event, MatchResumed, Phase
from bot.tables.hub import Hub, SeatsCalled, SeatsChanged, SeatsMissing
from bot.tables.match.table import Table

GRACE_MS: Final = 30_000
"""Time that a called player has to act, in milliseconds."""
RETRY_MS: Final = 5_000
"""Time until a replacement that was not saved is retried."""
EARLY_MS: Final = 20_000
"""Idle time after which a player is called for whom `call_early` was requested."""
AWAITED_MS: Final = 10_000
"""Shortest time that a match waits for a player's move before the call, however long they were idle before."""
MISSED_MS: Final = 3 * 60_000
"""Idle time after which a player may be replaced at a table where nobody is called."""


class Attendance:
    """The attendance of the players of all matches."""

    def __init__(self, clock: Clock, hub: Hub, afk_seconds: int) -> None:
        """Watch with a clock; `afk_seconds` is the idle time before a call at tables without a setting of their own."""
        self._clock = clock
        self._hub = hub
        self._afk_seconds = afk_seconds
        self._watches: dict[int, _Watch] = {}
        hub.subscribe(SeatsChanged, lambda changed: self.changed(changed.table))

    def watch(self, table: Table) -> None:
        """Start to watch a match, when it begins or after a restart of the bot."""
        chosen = table.lobby.afk_seconds
        afk_ms = (self._afk_seconds if chosen is None else chosen) * 1000
        watch = self._watches[table.id] = _Watch(table, self._clock, self._hub, afk_ms)
        watch.changed()

    def changed(self, table: Table, events: Sequence[Event] = ()) -> None:
        """Update what is known of a match after these events, or after another change."""
        watch = self._watches.get(table.id)
        if watch is not None:
            watch.changed(events)

    def restart_idle_times(self, tables: Iterable[Table]) -> None:
        """Count the idle times at these tables from now on, since no player could act before."""
        for table in tables:
            watch = self._watches.get(table.id)
            if watch is not None:
                had_called = watch.called()
                watch.restart_idle_times()
                if had_called:
                    self._hub.publish(SeatsChanged(table))

    def forget(self, table_id: int) -> None:
        """Stop watching a match."""
        watch = self._watches.pop(table_id, None)
        if watch is not None:
            watch.close()

    def close(self) -> None:
        """Stop watching all matches."""
        for table_id in tuple(self._watches):
            self.forget(table_id)

    def call_early(self, table_id: int, seats: Collection[int]) -> None:
        """Call the players of these seats after `EARLY_MS` if they do not act before."""
        watch = self._watches.get(table_id)
        if watch is not None:
            watch.call_early(seats)

    def called(self, table_id: int) -> dict[int, int]:
        """Return the seats that were called and have not acted, each with the end of its time (Unix milliseconds)."""
        watch = self._watches.get(table_id)
        return {} if watch is None else watch.called()

    def missing(self, table_id: int) -> set[int]:
        """Return the seats of a match whose players were called, did not act in time and have not acted since."""
        watch = self._watches.get(table_id)
        return set() if watch is None else watch.missing()

    def is_no_show_team(self, table_id: int, seat: int) -> bool:
        """Return whether a substitute may replace the player of a seat.

        The player must have been called without acting since or, at a table whose players are not called, be idle for
        `MISSED_MS`.
        """
        watch = self._watches.get(table_id)
        return watch is not None and watch.is_no_show_team(seat)

    def record_action(self, table: Table, user_id: int) -> bool:
        """Record that a user acted; return whether a robot is playing for them."""
        seat = table.lobby.seat_of(user_id)
        player = None if seat is None else table.lobby.players[seat]
        if seat is None or player is None:
            return False
        self.record_seat_action(table, seat)
        return player.is_away or player.is_open

    def record_seat_action(self, table: Table, seat: int) -> None:
        """Record that the player of a seat acted."""
        watch = self._watches.get(table.id)
        if watch is not None:
            watch.seen(seat)

    def wait_again(self, table: Table, seats: Collection[int]) -> None:
        """Report these seats as missing again after `RETRY_MS`, since their replacement was not saved."""
        watch = self._watches.get(table.id)
        if watch is not None:
            watch.wait_again(seats)
            self._hub.publish(SeatsChanged(table))


class _Watch:
    """Watches one match for `Attendance`; `afk_ms` is the idle time before a call, 0 for no calls."""

    def __init__(self, table: Table, clock: Clock, hub: Hub, afk_ms: int) -> None:
        self._table = table
        self._clock = clock
        self._hub = hub
        self._afk_ms = afk_ms
        self._began_at = clock.now()
        self._acted_at: dict[int, int] = {}
        self._awaited: dict[int, int] = {}
        self._free_since = self._began_at
        self._taken_for: set[int] = set()
        self._early: frozenset[int] = frozenset()
        self._called_at: dict[int, int] = {}
        self._missing: set[int] = set()
        self._is_paused = False
        self._timer: asyncio.TimerHandle | None = None

    def call_early(self, seats: Collection[int]) -> None:
        self._early = frozenset(seats)
        self._arm()

    def called(self) -> dict[int, int]:
        return {seat: at + GRACE_MS for seat, at in self._called_at.items()}

    def is_no_show_team(self, seat: int) -> bool:
        if self._afk_ms:
            return seat in self._called_at
        is_waiting = not (self._is_paused or self._table.held_since is not None or self._table.is_over)
        return is_waiting and seat in self._people() and self._idle_until(seat, MISSED_MS) <= self._clock.now()

    def seen(self, seat: int) -> None:
        self._acted_at[seat] = self._clock.now()
        was_called = self._called_at.pop(seat, None) is not None
        self._missing.discard(seat)
        self._taken_for.discard(seat)
        self._look()
        if was_called:
            self._hub.publish(SeatsChanged(self._table))

    def changed(self, events: Iterable[Event] = ()) -> None:
        if any(isinstance(event, MatchResumed) for event in events):
            self.restart_idle_times()
        self._taken_for.update(event.seat for event in events if isinstance(event, CardTaken) and event.by_chance)
        self._is_paused = self._table.table_view().pause is not None
        self._look()

    def restart_idle_times(self) -> None:
        """Count all idle times from now on, since no player could act before."""
        self._began_at = self._clock.now()
        self._called_at.clear()
        self._missing.clear()
        self._arm()

    def missing(self) -> set[int]:
        return self._missing.intersection(self._people())

    def wait_again(self, seats: Collection[int]) -> None:
        self._missing.difference_update(seats)
        for seat in self._called_at.keys() & set(seats):
            self._called_at[seat] = self._clock.now() - GRACE_MS + RETRY_MS
        self._arm()

    def _look(self) -> None:
        now = self._clock.now()
        waits_for = (awaited(self._table) | self._taken_for).intersection(self._people())
        if self._awaited and not waits_for:
            self._free_since = now
        self._awaited = {seat: self._awaited.get(seat, now) for seat in waits_for}
        self._arm()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        self.close()
        if not self._afk_ms or self._is_paused or self._table.held_since is not None or self._table.is_over:
            return
        due = min((self._due(seat) for seat in self._watched()), default=None)
        if due is not None:
            delay = max(due - self._clock.now(), 0) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._check)

    def _check(self) -> None:
        if self._table.held_since is not None:
            return
        now = self._clock.now()
        due = [seat for seat in self._watched() if self._due(seat) <= now]
        late = tuple(seat for seat in due if seat in self._called_at)
        newly_called = tuple(seat for seat in due if seat not in self._called_at)
        for seat in newly_called:
            self._called_at[seat] = now
        self._missing.update(late)
        self._arm()
        if newly_called:
            self._hub.publish(SeatsCalled(self._table, newly_called, now + GRACE_MS))
        if late:
            self._hub.publish(SeatsMissing(self._table))

    def _people(self) -> list[int]:
        return list(self._table.lobby.people.values())

    def _watched(self) -> list[int]:
        people = [seat for seat in self._people() if seat not in self._missing]
        if not self._awaited:
            return people
        return [seat for seat in people if seat in self._awaited or seat in self._called_at]

    def _due(self, seat: int) -> int:
        """Return when this seat is to be called or, if it was called already, counts as missing."""
        if seat in self._called_at:
            return self._called_at[seat] + GRACE_MS
        is_early = seat in self._early and seat not in self._acted_at
        return self._idle_until(seat, min(EARLY_MS, self._afk_ms) if is_early else self._afk_ms)

    def _idle_until(self, seat: int, patience_ms: int) -> int:
        """Return when the seat has been idle for `patience_ms`; if it is not awaited, when all people have been."""
        if seat in self._awaited:
            return max(self._last_act(seat) + patience_ms, self._awaited[seat] + AWAITED_MS)
        return max(self._free_since, *(self._last_act(other) for other in self._people())) + patience_ms

    def _last_act(self, seat: int) -> int:
        return max(self._acted_at.get(seat, 0), self._began_at)


def awaited(table: Table) -> frozenset[int]:
    """Return the seats for whose moves the match is waiting; none if it is waiting for nobody in particular."""
    view = table.table_view()
    match view.phase:
        case Phase.SIGNS:
            return frozenset(
                seat.seat for seat in view.seats if not seat.has_settled_sign and _has_to_answer(table, seat.seat)
            )
        case Phase.READY:
            seats = {view.dealer}
        case Phase.HUNT:
            seats = {seat.seat for seat in view.seats if seat.owes or seat.must_exchange}
        case Phase.SWEEP:
            seats = {seat.seat for seat in view.seats if not seat.agreed_sweep}
        case _:
            return frozenset()
    return frozenset(seats.union(seat.seat for seat in view.seats if seat.must_show_to is not None))


def _has_to_answer(table: Table, seat: int) -> bool:
    """Return whether the player still has to propose a sign or to accept the proposed one."""
    proposal = table.seat_view(seat).proposal
    return proposal is None or seat not in proposal.accepted
