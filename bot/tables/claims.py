"""Watchers who take the places of robots, from the next deal on.

Who waits is known to this run of the bot alone: after a restart the places are offered again.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from bot.background import Tasks
from bot.errors import StoreError
from bot.game.events import Phase
from bot.records.player import Player
from bot.tables.bans import BannedError
from bot.tables.hub import Hub, SeatsChanged, TableClosed
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.refusals import LobbyCode, LobbyRefusal
from bot.tables.match.table import Table, TableChanged
from bot.tables.seating import LobbyOutcome, Seating, take_over

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ClaimSettled:
    """A watcher sits in a robot's place now, or, with a `refusal`, never will."""

    lobby: Lobby
    player: Player
    refusal: LobbyRefusal | None = None


class Claims:
    """One for all matches."""

    def __init__(self, seating: Seating, hub: Hub) -> None:
        self._seating = seating
        self._hub = hub
        self._heirs: dict[int, dict[int, Player]] = {}  # by table and seat
        self._settling = Tasks()
        self.close = self._settling.finish
        hub.subscribe(TableChanged, lambda changed: self._changed(changed.table))
        hub.subscribe(TableClosed, lambda closed: self._end(closed.lobby))

    def heirs(self, table_id: int) -> Mapping[int, Player]:
        """Who takes which seat at the next deal."""
        return self._heirs.get(table_id, {})

    async def claim(self, table: Table, seat: int, player: Player) -> LobbyOutcome:
        """Let a watcher take a robot's place: between two rounds at once, else at the next deal.

        Returns the table as it is now. Raises StoreError, BannedError.
        """
        if _is_between_rounds(table):
            return await self._seating.take_over(table, seat, player, from_robot=True)
        assert player.user_id is not None, "watchers are people"
        refusal = await self._seating.refusal_to(table, seat, player.user_id)
        asked = take_over(table.lobby, seat, player, from_robot=True)
        if refusal is not None or isinstance(asked, LobbyRefusal):
            return refusal or asked
        heirs = {at: heir for at, heir in self.heirs(table.id).items() if heir.user_id != player.user_id}
        if seat in heirs:
            return LobbyRefusal(LobbyCode.SEAT_TAKEN)
        self._keep(table.id, {**heirs, seat: player})
        self._hub.publish(SeatsChanged(table))
        return table.lobby

    def withdraw(self, table: Table, user_id: int) -> None:
        """Let a watcher watch on."""
        heirs = self.heirs(table.id)
        left = {seat: heir for seat, heir in heirs.items() if heir.user_id != user_id}
        if left != heirs:
            self._keep(table.id, left)
            self._hub.publish(SeatsChanged(table))

    async def forget_person(self, user_id: int) -> None:
        """Somebody's data is deleted."""
        for table_id, heirs in tuple(self._heirs.items()):
            self._keep(table_id, {seat: heir for seat, heir in heirs.items() if heir.user_id != user_id})

    def forget(self, table_id: int) -> None:
        self._heirs.pop(table_id, None)

    def _keep(self, table_id: int, heirs: dict[int, Player]) -> None:
        if heirs:
            self._heirs[table_id] = heirs
        else:
            self.forget(table_id)

    def _changed(self, table: Table) -> None:
        if table.id not in self._heirs:
            return
        if table.is_over:
            self._end(table.lobby)
        elif _is_between_rounds(table):
            self._settling.begin(self._settle(table, self._heirs.pop(table.id)))

    def _end(self, lobby: Lobby) -> None:
        for player in self._heirs.pop(lobby.id, {}).values():
            self._hub.publish(ClaimSettled(lobby, player, LobbyRefusal(LobbyCode.MATCH_OVER)))

    async def _settle(self, table: Table, heirs: Mapping[int, Player]) -> None:
        for seat, player in heirs.items():
            try:
                taken = await self._seating.take_over(table, seat, player, from_robot=True)
            except StoreError as error:  # it is tried after the next round
                _log.warning("claim.not_saved", table=table.id, problem=str(error))
                self._keep(table.id, {**self.heirs(table.id), seat: player})
            except BannedError:
                self._hub.publish(ClaimSettled(table.lobby, player, LobbyRefusal(LobbyCode.SEAT_TAKEN)))
            else:
                refusal = taken if isinstance(taken, LobbyRefusal) else None
                self._hub.publish(ClaimSettled(table.lobby, player, refusal))


def _is_between_rounds(table: Table) -> bool:
    """Whether nobody has cards that count."""
    return table.table_view().phase in (Phase.SIGNS, Phase.OVER)
