"""Opens what follows on a former table: a rematch, the same people in other teams, a lobby like one that expired."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import structlog

from bot.errors import StoreError
from bot.records.player import Player
from bot.tables.live_tables import LiveTables
from bot.tables.lobbies import UNKNOWN, Lobbies
from bot.tables.lobby.lobby import Lobby, LobbyCode, LobbyRefusal, Status
from bot.tables.match.table import Table
from bot.tables.table_store import TableStore

_Other = TypeVar("_Other")

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A rematch of a finished match for which not all have asked; `awaited` are the user ids of those who have not."""

    past: Lobby
    awaited: tuple[int, ...]


class Rematches:
    """Opens one table in the place of a former one, however often it is asked for.

    Who has asked for a rematch is saved with their seats.
    """

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
        self.lock: Final = asyncio.Lock()
        """Held while a table is opened with the people of a former one; taken before the lock of any table."""

    async def ask(self, guild_id: int, table_id: int, user_id: int) -> Table | Lobby | Waiting | LobbyRefusal:
        """A player of a server's finished match asks for a rematch: the same teams, at once, when all have asked.

        Returns the lobby where a table was opened after the match already, or where its start was not saved. Raises
        StoreError when nothing was saved.
        """
        is_new = False

        async def asked(past: Lobby) -> Lobby | Waiting | LobbyRefusal:
            nonlocal is_new
            is_new = True
            return await self._agreed(past, user_id)

        opened = await self._open(guild_id, table_id, asked)
        if is_new and isinstance(opened, Lobby):
            try:
                return await self._start(opened.id)
            except StoreError as error:
                _log.warning("rematch.not_started", table=opened.id, problem=str(error))
        return self._shown(opened)

    async def shuffle(self, guild_id: int, table_id: int, user_id: int) -> Lobby | LobbyRefusal:
        """A lobby with the people of a server's finished match, in random teams, for one of them.

        A second request returns the same lobby. It is opened however many lobbies its host has open: the match before
        it was played to its end.
        """

        async def shuffled(past: Lobby) -> Lobby | LobbyRefusal:
            if past.seat_of(user_id) is None:
                return LobbyRefusal(LobbyCode.NOT_SEATED)
            again = past.rematch()
            return again if isinstance(again, LobbyRefusal) else replace(again, random_teams=True)

        return self._shown(await self._open(guild_id, table_id, shuffled))

    async def reopen(self, guild_id: int, table_id: int, host: Player, channel_id: int | None) -> Lobby | LobbyRefusal:
        """A lobby like one that expired in this channel; a second request returns the same lobby."""

        async def reopened(past: Lobby) -> Lobby | LobbyRefusal:
            if past.place.channel_id != channel_id:
                return UNKNOWN
            return self._lobbies.too_many(past.place.guild_id, host.user_id) or past.reopen(host)

        return self._shown(await self._open(guild_id, table_id, reopened))

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

    def _shown(self, outcome: _Other) -> _Other:
        if isinstance(outcome, Lobby):
            self._lobbies.show(outcome)
        return outcome

    async def _open(
        self, guild_id: int, table_id: int, change: Callable[[Lobby], Awaitable[Lobby | LobbyRefusal | _Other]]
    ) -> Lobby | LobbyRefusal | _Other:
        """The open lobby or match in a former table's place, else a new lobby that `change` makes of the table.

        A table of another server is unknown.
        """
        async with self.lock, self._live.lock(table_id):
            again = self._live.opened_after(table_id)
            known = again or self._live.lobby(table_id) or await self._store.load(table_id)
            if known is None or known.place.guild_id != guild_id:
                return UNKNOWN
            if again is not None:
                return again
            made = await change(known)
            return await self._lobbies.open_seated(made) if isinstance(made, Lobby) else made
