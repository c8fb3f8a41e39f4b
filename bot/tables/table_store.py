"""Lobbies, seats and the places of tables, as the directory of tables needs them stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.errors import StoreError
from bot.game.events import Event
from bot.ladder.eligibility import Gates
from bot.records.player import Player
from bot.tables.journal import Entry
from bot.tables.lobby import Lobby, Status
from bot.tables.place import Place


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A table as the store remembers it: no entries while its lobby is open."""

    lobby: Lobby
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class Damaged:
    """A table that should go on and cannot be read: where it is shown, whose it is, and the sentence that says why."""

    id: int
    place: Place
    host_id: int
    locale: str
    opened_at: int
    status: Status
    problem: StoreError


@dataclass(frozen=True, slots=True)
class SeatChanges:
    """People who have left their seats at a running match, for the time being or for good, and who are there again.

    For whoever is gone when it ends the match is lost, however it ends for the others. Who was `sent_away` may not
    come back.
    """

    at: int
    gone: tuple[tuple[int, Player], ...] = ()
    back: tuple[int, ...] = ()
    sent_away: int | None = None


@dataclass(frozen=True, slots=True)
class FormerSeat:
    """Where somebody sat before they left a match, and whether they were sent away."""

    seat: int
    was_sent_away: bool


class TableStore(Protocol):
    """Lobbies, seats and where tables are shown. Every method raises StoreError when it could not do its work."""

    async def gates(self, guild_id: int, at: int) -> Gates | None:
        """What a server asks of a ranked table at an instant; None where no season is running."""

    async def create(self, lobby: Lobby) -> int:
        """Save a new lobby (its `id` is ignored) and return its id."""

    async def save(self, lobby: Lobby) -> None:
        """Save a lobby that no match is being played at."""

    async def move(self, table_id: int, place: Place) -> None:
        """Save a table's place alone, whatever its state."""

    async def cancel_damaged(self, table_id: int) -> None:
        """Save that a damaged table is cancelled; what is left of it stays."""

    async def record_start(self, lobby: Lobby, events: Sequence[Event]) -> None:
        """Save in one transaction that the lobby is playing, its final seats and the match's first events."""

    async def reseat(self, lobby: Lobby, changes: SeatChanges) -> None:
        """Save in one transaction who sits at a running match now, and who has gone or come back."""

    async def break_off(self, lobby: Lobby, changes: SeatChanges) -> None:
        """Save in one transaction that a match ended before its end, and who has gone.

        A ranked one is lost for all who have gone by then and are not back; it counts for nobody else.
        """

    async def former(self, table_id: int, user_id: int) -> FormerSeat | None:
        """Whether and where somebody sat at a match before."""

    async def load(self, table_id: int) -> Lobby | None:
        """One table's people and place; None once they are not kept any longer."""

    async def load_live(self) -> tuple[SavedTable | Damaged, ...]:
        """Take over every open lobby and running match, and those that ended while their message still does not say so.

        Whoever wrote them before can write no more. One that ended otherwise than by its rules comes without entries.
        """
