"""Rematches: the same teams play again, at once, when all of them have asked for it. Until then nothing is opened."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace

import structlog

from bot.errors import StoreError
from bot.tables.live_tables import LiveTables
from bot.tables.lobbies import Lobbies
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.match.table import Table

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A rematch of a finished match for which not all have asked; `awaited` are the user ids of those who have not."""

    past: Lobby
    awaited: tuple[int, ...]


class Rematches:
    """Who has asked is forgotten with the run of the bot: they ask again."""

    def __init__(
        self, live: LiveTables, lobbies: Lobbies, start: Callable[[int], Awaitable[Table | LobbyRefusal]]
    ) -> None:
        """`start` begins the match of an open lobby."""
        self._live = live
        self._lobbies = lobbies
        self._start = start
        self._ready: dict[int, frozenset[int]] = {}

    def ready(self, table_id: int) -> frozenset[int]:
        """The user ids of those who have asked for a rematch of a finished match."""
        return self._ready.get(table_id, frozenset())

    async def ask(self, guild_id: int, table_id: int, user_id: int) -> Table | Lobby | Waiting | LobbyRefusal:
        """A player of a server's finished match asks for a rematch. The last one begins it.

        Returns the lobby where a table was opened after the match already, or where its start was not saved. Raises
        StoreError when nothing was saved.
        """
        is_new = False

        def asked(past: Lobby) -> Lobby | Waiting | LobbyRefusal:
            nonlocal is_new
            is_new = True
            return self._agreed(past, user_id)

        opened = await self._lobbies.open_after(guild_id, table_id, asked)
        if not (is_new and isinstance(opened, Lobby)):
            return opened
        try:
            return await self._start(opened.id)
        except StoreError as error:
            _log.warning("rematch.not_started", table=opened.id, problem=str(error))
            return opened

    def forget(self, table_id: int) -> None:
        self._ready.pop(table_id, None)

    def _agreed(self, past: Lobby, user_id: int) -> Lobby | Waiting | LobbyRefusal:
        """The lobby of the rematch with everybody on their seats, once all have asked."""
        if past.seat_of(user_id) is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        again = past.rematch()
        if isinstance(again, LobbyRefusal):
            return again
        if not again.is_full:  # the data of a player was erased
            return LobbyRefusal(LobbyCode.PLAYER_GONE)
        ready = self._ready[past.id] = self.ready(past.id) | {user_id}
        awaited = tuple(
            player.user_id
            for player in past.players
            if player is not None and player.user_id is not None and not self._is_here(player.user_id, ready)
        )
        return Waiting(past, awaited) if awaited else replace(again, random_teams=False)

    def _is_here(self, user_id: int, ready: Collection[int]) -> bool:
        """Whether a user has asked, and does not play elsewhere meanwhile."""
        tables = self._live.alive_of(user_id)
        plays = any(lobby.status is Status.PLAYING and lobby.seat_of(user_id) is not None for lobby in tables)
        return user_id in ready and not plays
