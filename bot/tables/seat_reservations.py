"""Reserved seats: watchers who replace robots at the next deal.

A reservation is stored with the seat, so that it survives a restart. If the round ended while the bot was stopped, the
watcher takes the seat after the next one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import structlog

from bot.base.background import Tasks
from bot.base.errors import StoreError
from bot.game.events import Phase
from bot.records.player import Player
from bot.tables.hub import Hub, TableClosed
from bot.tables.live_tables import LiveTables
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table, TableChanged
from bot.tables.seating import LobbyOutcome, Seating, take_over
from bot.tables.servers.bans import BannedError

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ReservationSettled:
    """A watcher has taken a reserved seat, or cannot take it because of the `refusal`."""

    lobby: Lobby
    player: Player
    refusal: LobbyRefusal | None = None


class SeatReservations:
    """The reservations of all matches."""

    def __init__(self, live: LiveTables, seating: Seating, hub: Hub) -> None:
        self._live = live
        self._seating = seating
        self._hub = hub
        self._under_way: set[int] = set()  # tables whose places are changing hands
        self._settling = Tasks()
        self.close = self._settling.wait
        hub.subscribe(TableChanged, lambda changed: self._changed(changed.table))
        hub.subscribe(TableClosed, lambda closed: self._end(closed.lobby))

    async def reserve(self, table: Table, seat: int, player: Player) -> LobbyOutcome:
        """Give a robot's seat to a watcher: at once between rounds, else at the next deal.

        Returns:
            The table's lobby afterwards, or why the seat is not available.

        Raises:
            BannedError: The watcher is banned from the server.
            StoreError: The reservation was not saved.
        """
        if _is_between_rounds(table):
            return await self._seating.take_over(table, seat, player, from_robot=True)
        assert player.user_id is not None, "watchers are people"
        refusal = await self._seating.refusal_to(table, seat, player.user_id)
        if refusal is not None:
            return refusal
        outcome = await self._seating.change(table, lambda lobby: reserve_seat(lobby, seat, player))
        self._changed(table)  # the round may have ended meanwhile
        return outcome

    async def cancel(self, table: Table, user_id: int) -> None:
        """Cancel a watcher's reservation.

        Raises:
            StoreError: That was not saved.
        """
        if user_id in (watcher.user_id for watcher in reserved_for(table.lobby).values()):
            await self._seating.change(table, lambda lobby: without_reservation(lobby, user_id))

    async def forget_person(self, user_id: int) -> None:
        """Cancel all reservations of a person whose data is erased.

        Raises:
            StoreError: That was not saved.
        """
        for table in self._live.tables():
            await self.cancel(table, user_id)

    def _changed(self, table: Table) -> None:
        if table.id in self._under_way or not reserved_for(table.lobby):
            return
        if table.is_over:
            self._end(table.lobby)
        elif _is_between_rounds(table):
            self._under_way.add(table.id)
            self._settling.start(self._settle(table))

    def _end(self, lobby: Lobby) -> None:
        for player in reserved_for(lobby).values():
            self._hub.publish(ReservationSettled(lobby, player, LobbyRefusal(LobbyCode.MATCH_OVER)))

    async def _settle(self, table: Table) -> None:
        try:
            for seat, player in reserved_for(table.lobby).items():
                await self._hand_over(table, seat, player)
        except StoreError as error:  # it is tried with the next change between rounds
            _log.warning("reservation.not_saved", table=table.id, problem=str(error))
        finally:
            self._under_way.discard(table.id)

    async def _hand_over(self, table: Table, seat: int, player: Player) -> None:
        refusal = None
        try:
            outcome = await self._seating.take_over(table, seat, player, from_robot=True)
        except BannedError:
            refusal = LobbyRefusal(LobbyCode.SEAT_TAKEN)
        else:
            refusal = outcome if isinstance(outcome, LobbyRefusal) else None
        if refusal is not None and player.user_id is not None:
            await self.cancel(table, player.user_id)
        self._hub.publish(ReservationSettled(table.lobby, player, refusal))


def reserved_for(lobby: Lobby) -> dict[int, Player]:
    """Return the watchers with a reserved seat, by seat."""
    return {
        seat: Player(robot.reserved_for_name, robot.reserved_for_id)
        for seat, robot in enumerate(lobby.players)
        if robot is not None and robot.reserved_for_id is not None
    }


def reserve_seat(lobby: Lobby, seat: int, player: Player) -> LobbyOutcome:
    """Return the lobby with a robot's seat reserved for a watcher, in place of any other reservation of theirs."""
    checked = take_over(lobby, seat, player, from_robot=True)
    if isinstance(checked, LobbyRefusal):
        return checked
    watcher = reserved_for(lobby).get(seat)
    if watcher is not None and watcher.user_id != player.user_id:
        return LobbyRefusal(LobbyCode.SEAT_TAKEN)
    assert player.user_id is not None, "watchers are people"
    free = without_reservation(lobby, player.user_id)
    return _with_reservation(free, seat, player)


def without_reservation(lobby: Lobby, user_id: int) -> Lobby:
    """Return the lobby without a watcher's reservation."""
    for seat, watcher in reserved_for(lobby).items():
        if watcher.user_id == user_id:
            lobby = _with_reservation(lobby, seat, Player(""))
    return lobby


def _with_reservation(lobby: Lobby, seat: int, watcher: Player) -> Lobby:
    players: Iterable[Player | None] = (
        player and replace(player, reserved_for_id=watcher.user_id, reserved_for_name=watcher.name)
        if number == seat
        else player
        for number, player in enumerate(lobby.players)
    )
    return replace(lobby, players=tuple(players))


def _is_between_rounds(table: Table) -> bool:
    """Return whether no round is being played."""
    return table.table_view().phase in (Phase.SIGNS, Phase.OVER)
