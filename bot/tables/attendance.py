"""Who is missed at a running match: whoever it waits for in vain, and everybody once nobody does anything any more.

It only watches: what follows is decided elsewhere (`bot.tables.seating`). One timer a table.
"""

import asyncio
from collections.abc import Callable, Collection
from typing import Final

from bot.game.phase import Phase
from bot.tables.clock import Clock
from bot.tables.table import Table

GRACE_MS: Final = 30_000
"""How long somebody who was called has to come."""
RETRY_MS: Final = 5_000
"""How long what could not be saved is put off."""
AWAITED_MS: Final = 10_000
"""Nobody is called before the table has waited for so long, however long they were quiet before."""


class Attendance:
    """Watches one match. `warn` is called with seats that are missed and until when they are waited for, `give_up` when
    some of them did not come: then they are `missing`.
    """

    def __init__(
        self,
        table: Table,
        clock: Clock,
        afk_ms: int,
        *,
        warn: Callable[[tuple[int, ...], int], None],
        give_up: Callable[[], None],
    ) -> None:
        self._table = table
        self._clock = clock
        self._afk_ms = afk_ms
        self._warn = warn
        self._give_up = give_up
        self._began_at = clock.now()
        self._seen: dict[int, int] = {}
        self._awaited: dict[int, int] = {}
        self._warned: dict[int, int] = {}
        self._given_up: set[int] = set()
        self._is_paused = False
        self._timer: asyncio.TimerHandle | None = None

    def called(self) -> dict[int, int]:
        """The seats that were called and whose people have not come since, and until when they have time."""
        return {seat: at + GRACE_MS for seat, at in self._warned.items()}

    def seen(self, seat: int) -> None:
        """Somebody did something, whatever it was."""
        self._seen[seat] = self._clock.now()
        self._warned.pop(seat, None)
        self._given_up.discard(seat)
        self._arm()

    def changed(self) -> None:
        """The match moved on, or other people sit at it."""
        now = self._clock.now()
        self._is_paused = self._table.table_view().pause is not None
        self._awaited = {seat: self._awaited.get(seat, now) for seat in awaited(self._table)}
        self._arm()

    def restart(self) -> None:
        """Nobody could do anything until now."""
        self._began_at = self._clock.now()
        self._warned.clear()
        self._given_up.clear()
        self._arm()

    def missing(self) -> set[int]:
        """The seats that were given up, and whose people have not come since."""
        return self._given_up.intersection(self._people())

    def wait_again(self, seats: Collection[int]) -> None:
        """Giving these seats up failed: try it again in a while."""
        self._given_up.difference_update(seats)
        for seat in self._warned.keys() & set(seats):
            self._warned[seat] = self._clock.now() - GRACE_MS + RETRY_MS
        self._arm()

    def close(self) -> None:
        """Watch no longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        self.close()
        if self._is_paused or self._table.is_held or self._table.is_over:
            return
        due = min((self._due(seat) for seat in self._missable()), default=None)
        if due is not None:
            delay = max(due - self._clock.now(), 0) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self._look)

    def _look(self) -> None:
        if self._table.is_held:
            return
        now = self._clock.now()
        due = [seat for seat in self._missable() if self._due(seat) <= now]
        late = tuple(seat for seat in due if seat in self._warned)
        missed = tuple(seat for seat in due if seat not in self._warned)
        for seat in missed:
            self._warned[seat] = now
        self._given_up.update(late)
        self._arm()
        if missed:
            self._warn(missed, now + GRACE_MS)
        if late:
            self._give_up()

    def _people(self) -> list[int]:
        return list(self._table.lobby.people.values())

    def _missable(self) -> list[int]:
        return [seat for seat in self._people() if seat not in self._given_up]

    def _due(self, seat: int) -> int:
        """When this seat will be called, or given up."""
        if seat in self._warned:
            return self._warned[seat] + GRACE_MS
        quiet_since = max(self._last(other) for other in self._people()) + self._afk_ms
        if seat not in self._awaited:
            return quiet_since
        return min(quiet_since, max(self._last(seat) + self._afk_ms, self._awaited[seat] + AWAITED_MS))

    def _last(self, seat: int) -> int:
        return max(self._seen.get(seat, 0), self._began_at)


def awaited(table: Table) -> frozenset[int]:
    """The seats whose duty keeps the others from going on."""
    view = table.table_view()
    match view.phase:
        case Phase.SIGNS:
            return frozenset(
                seat.seat for seat in view.seats if not seat.has_settled_sign and _owes_sign(table, seat.seat)
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


def _owes_sign(table: Table, seat: int) -> bool:
    """Whether a team waits for this member to propose something, or to accept what was proposed."""
    proposal = table.seat_view(seat).proposal
    return proposal is None or seat not in proposal.accepted
