"""Rematches: the same teams play again, at once, when all of them have asked for it. Until then nothing is opened."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace

import structlog

from bot.errors import StoreError
from bot.tables.live_tables import LiveTables
from bot.tables.lobbies import Lobbies
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.match.table import Table
from bot.tables.table_store import TableStore

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A rematch of a finished match for which not all have asked; `awaited` are the user ids of those who have not."""

    past: Lobby
    awaited: tuple[int, ...]


class Rematches:
    """Who has asked is saved with their seats."""

    def __init__(
        self,
        live: LiveTables,
        lobbies: Lobbies,
        store: TableStore,
        start: Callable[[int], Awaitable[Table | LobbyRefusal]],
    ) -> None:
        """`start` begins the match of an open lobby."""
        self._live = live
        self._lobbies = lobbies
        self._store = store
        self._start = start

    async def ask(self, guild_id: int, table_id: int, user_id: int) -> Table | Lobby | Waiting | LobbyRefusal:
        """A player of a server's finished match asks for a rematch. The last one begins it.

        Returns the lobby where a table was opened after the match already, or where its start was not saved. Raises
        StoreError when nothing was saved.
        """
        is_new = False

        async def asked(past: Lobby) -> Lobby | Waiting | LobbyRefusal:
            nonlocal is_new
            is_new = True
            return await self._agreed(past, user_id)

        opened = await self._lobbies.open_after(guild_id, table_id, asked)
        if not (is_new and isinstance(opened, Lobby)):
            return opened
        try:
            return await self._start(opened.id)
        except StoreError as error:
            _log.warning("rematch.not_started", table=opened.id, problem=str(error))
            return opened

    async def _agreed(self, past: Lobby, user_id: int) -> Lobby | Waiting | LobbyRefusal:
        """The lobby of the rematch with everybody on their seats, once all have asked."""
        if past.seat_of(user_id) is None:
            return LobbyRefusal(LobbyCode.NOT_SEATED)
        again = past.rematch()
        if isinstance(again, LobbyRefusal):
            return again
        if not again.is_full:  # the data of a player was erased
            return LobbyRefusal(LobbyCode.PLAYER_GONE)
        past = await self._noted(past, user_id)
        user_ids = (player.user_id for player in past.players if player is not None)
        awaited = tuple(one for one in user_ids if one is not None and not self._is_here(one, past.wants_rematch))
        return Waiting(past, awaited) if awaited else replace(again, random_teams=False)

    async def _noted(self, past: Lobby, user_id: int) -> Lobby:
        """The finished match with one more player who has asked; saved."""
        if user_id in past.wants_rematch:
            return past
        await self._store.ask_for_rematch(past.id, user_id)
        past = replace(past, wants_rematch=past.wants_rematch | {user_id})
        table = self._live.table(past.id)
        if table is not None:
            table.lobby = past
        return past

    def _is_here(self, user_id: int, ready: Collection[int]) -> bool:
        """Whether a user has asked, and does not play elsewhere meanwhile."""
        tables = self._live.alive_of(user_id)
        plays = any(lobby.status is Status.PLAYING and lobby.seat_of(user_id) is not None for lobby in tables)
        return user_id in ready and not plays
