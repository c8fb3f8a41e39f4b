"""All lobbies and matches of this process, and where to find them. Changing them is not its work."""

import asyncio
from collections.abc import Collection
from weakref import WeakValueDictionary

from bot.tables.lobby import Lobby, Status
from bot.tables.place import Place
from bot.tables.table import Table
from bot.tables.table_store import Damaged

_ALIVE = (Status.OPEN, Status.PLAYING)


class LiveTables:
    """A lobby and the match that it becomes share one id, and `Table.lobby` is that lobby."""

    def __init__(self) -> None:
        self._lobbies: dict[int, Lobby] = {}
        self._tables: dict[int, Table] = {}
        self._damaged: dict[int, Damaged] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lobby(self, table_id: int) -> Lobby | None:
        """People and place of an open lobby, a running match or one that ended lately."""
        table = self._tables.get(table_id)
        return self._lobbies.get(table_id) if table is None else table.lobby

    def open_lobby(self, table_id: int) -> Lobby | None:
        """A lobby that has not become a match."""
        return self._lobbies.get(table_id)

    def table(self, table_id: int) -> Table | None:
        """A running match, or one that ended lately."""
        return self._tables.get(table_id)

    def damaged(self, table_id: int) -> Damaged | None:
        """A table that cannot be continued because it cannot be read."""
        return self._damaged.get(table_id)

    def all_damaged(self) -> tuple[Damaged, ...]:
        """All tables that cannot be read."""
        return tuple(self._damaged.values())

    def lobbies(self) -> tuple[Lobby, ...]:
        """All open lobbies, oldest first."""
        return tuple(self._lobbies.values())

    def tables(self) -> tuple[Table, ...]:
        """All matches in memory, oldest first."""
        return tuple(self._tables.values())

    def tables_of(self, guild_ids: Collection[int] | None) -> tuple[Table, ...]:
        """The matches of these servers; None: all."""
        return tuple(t for t in self.tables() if guild_ids is None or t.lobby.place.guild_id in guild_ids)

    def table_in(self, channel_id: int) -> Table | None:
        """The match that is being played in a channel; the youngest, if there are several."""
        found = (table for table in reversed(self._tables.values()) if not table.is_over)
        return next((table for table in found if table.lobby.place.channel_id == channel_id), None)

    def lobby_in(self, channel_id: int) -> Lobby | None:
        """People and rules of what goes on in a channel: the youngest match that is played, else the youngest lobby."""
        table = self.table_in(channel_id)
        if table is not None:
            return table.lobby
        return next((lobby for lobby in reversed(self.lobbies()) if lobby.place.channel_id == channel_id), None)

    def opened_after(self, table_id: int) -> Lobby | None:
        """The open lobby or running match that was opened in the place of a former table."""
        all_lobbies = (*self._lobbies.values(), *(table.lobby for table in self._tables.values()))
        return next((lobby for lobby in all_lobbies if lobby.rematch_of == table_id and lobby.status in _ALIVE), None)

    def lock(self, table_id: int) -> asyncio.Lock:
        """The lock that is held while a table's lobby, people or place change."""
        return self._locks.setdefault(table_id, asyncio.Lock())

    def keep(self, kept: Lobby | Table | Damaged) -> None:
        """Add a table, or put a changed lobby in the place of the former one."""
        match kept:
            case Lobby():
                self._lobbies[kept.id] = kept
            case Table():
                self._tables[kept.id] = kept
            case Damaged():
                self._damaged[kept.id] = kept

    def show_at(self, table_id: int, place: Place) -> None:
        """Change where a lobby or match is shown."""
        if (table := self._tables.get(table_id)) is not None:
            table.lobby = table.lobby.shown_at(place)
        elif (lobby := self._lobbies.get(table_id)) is not None:
            self._lobbies[table_id] = lobby.shown_at(place)

    def drop(self, table_id: int) -> None:
        """Remove a table from memory."""
        self._lobbies.pop(table_id, None)
        self._tables.pop(table_id, None)
        self._damaged.pop(table_id, None)
