"""The lobbies and matches of this process, and how they are found."""

import asyncio
from collections.abc import Collection, Iterator
from dataclasses import replace

from bot.base.background import Locks
from bot.tables.lobby.lobby import Lobby
from bot.tables.lobby.table_channel import TableChannel
from bot.tables.match.table import Table
from bot.tables.table_store import DamagedTable, ServerFilter


class KeyIndex:
    """An index of tables by keys of one kind. A table may have several keys, and a key several tables."""

    def __init__(self) -> None:
        self._ids: dict[int, tuple[int, ...]] = {}  # tuples: most keys lead to one table, and there are many keys
        self._keys: dict[int, tuple[int, ...]] = {}

    def __contains__(self, key: int) -> bool:
        return key in self._ids

    def __iter__(self) -> Iterator[int]:
        """Iterate over all keys that have a table."""
        return iter(tuple(self._ids))

    def ids(self, key: int) -> tuple[int, ...]:
        """Return the ids of the tables with a key, those that got it first at the front."""
        return self._ids.get(key, ())

    def put(self, table_id: int, keys: Collection[int]) -> None:
        """Set the keys of a table."""
        former, present = self._keys.pop(table_id, ()), tuple(dict.fromkeys(keys))
        for key in former:
            if key not in present:
                self._ids[key] = tuple([other for other in self._ids[key] if other != table_id])
                if not self._ids[key]:
                    del self._ids[key]
        for key in present:
            if key not in former:
                self._ids[key] = (*self._ids.get(key, ()), table_id)
        if present:
            self._keys[table_id] = present

    def drop(self, table_id: int) -> None:
        """Remove a table."""
        self.put(table_id, ())


class LiveTables:
    """The tables in memory. A lobby and the match that it becomes share one id, and `Table.lobby` is that lobby."""

    def __init__(self) -> None:
        self._lobbies: dict[int, Lobby] = {}
        self._tables: dict[int, Table] = {}
        self._damaged: dict[int, DamagedTable] = {}
        self._locks = Locks()
        self._by_server = KeyIndex()
        self._by_channel = KeyIndex()
        self._by_person = KeyIndex()
        self._by_former = KeyIndex()
        self._gone: set[int] = set()

    def lobby(self, table_id: int) -> Lobby | None:
        """Return an open lobby, or the lobby of a match in memory."""
        table = self._tables.get(table_id)
        return self._lobbies.get(table_id) if table is None else table.lobby

    def open_lobby(self, table_id: int) -> Lobby | None:
        """Return a lobby that has not become a match."""
        return self._lobbies.get(table_id)

    def table(self, table_id: int) -> Table | None:
        """Return a match in memory, running or finished."""
        return self._tables.get(table_id)

    def damaged(self, table_id: int) -> DamagedTable | None:
        """Return a table that cannot be continued because its log cannot be read."""
        return self._damaged.get(table_id)

    def all_damaged(self) -> tuple[DamagedTable, ...]:
        """Return all tables whose logs cannot be read."""
        return tuple(self._damaged.values())

    def open_lobbies(self) -> tuple[Lobby, ...]:
        """Return all open lobbies, oldest first."""
        return tuple(self._lobbies.values())

    def tables(self) -> tuple[Table, ...]:
        """Return all matches in memory, oldest first."""
        return tuple(self._tables.values())

    def tables_of(self, guild_ids: Collection[int] | None) -> tuple[Table, ...]:
        """Return the matches of these servers; with None, all matches."""
        if guild_ids is None:
            return self.tables()
        return tuple(table for guild_id in guild_ids for table in self._matches(self._by_server.ids(guild_id)))

    def ids_with_tables(self, servers: ServerFilter) -> tuple[int, ...]:
        """Return the ids of those of these servers that have tables."""
        return tuple(filter(servers, self._by_server))

    def alive_in(self, guild_id: int) -> tuple[Lobby, ...]:
        """Return the running matches and open lobbies of a server, latest first."""
        return self._alive(self._by_server.ids(guild_id))

    def alive_of(self, user_id: int) -> tuple[Lobby, ...]:
        """Return the running matches and open lobbies of a user, as a player or the host; latest first."""
        return self._alive(self._by_person.ids(user_id))

    def ended_of(self, user_id: int) -> tuple[Table, ...]:
        """Return the matches in memory that a user has played to the end."""
        return tuple(table for table in self._matches(self._by_person.ids(user_id)) if table.is_over)

    def lobby_in(self, channel_id: int) -> Lobby | None:
        """Return the lobby of the latest running match in a channel, else the latest open lobby there."""
        return next(iter(self._alive(self._by_channel.ids(channel_id))), None)

    def opened_after(self, table_id: int) -> Lobby | None:
        """Return the lobby of the table that was opened in place of a former one, if it is open or being played."""
        return next(iter(self._alive(self._by_former.ids(table_id))), None)

    def lock(self, table_id: int) -> asyncio.Lock:
        """Return the lock under which a table's lobby, people and place are changed."""
        return self._locks.of(table_id)

    def keep(self, kept: Lobby | Table | DamagedTable) -> None:
        """Add a table, or replace it by its present state."""
        match kept:
            case Lobby():
                self._lobbies[kept.id] = kept
                self._index(kept)
            case Table():
                self._tables[kept.id] = kept
                self._index(kept.lobby)
            case DamagedTable():
                self._damaged[kept.id] = kept
        self._gone.discard(kept.id)

    def show_at(self, table_id: int, place: TableChannel) -> None:
        """Set where a table is shown."""
        if (table := self._tables.get(table_id)) is not None:
            table.lobby = replace(table.lobby, place=place)
            self.keep(table)
        elif (lobby := self._lobbies.get(table_id)) is not None:
            self.keep(replace(lobby, place=place))

    def drop(self, table_id: int) -> None:
        """Remove a table."""
        self._lobbies.pop(table_id, None)
        self._tables.pop(table_id, None)
        self._damaged.pop(table_id, None)
        for index in (self._by_server, self._by_channel, self._by_person, self._by_former):
            index.drop(table_id)
        self._gone.add(table_id)

    def take_gone(self) -> Collection[int]:
        """Return the ids of the tables that were removed from memory since the last call."""
        gone, self._gone = self._gone, set()
        return gone

    def _index(self, lobby: Lobby) -> None:
        self._by_server.put(lobby.id, (lobby.place.guild_id,))
        self._by_channel.put(lobby.id, (lobby.place.channel_id,))
        people = {player.user_id for player in lobby.players if player is not None and player.user_id is not None}
        self._by_person.put(lobby.id, {lobby.host_id, *people})
        self._by_former.put(lobby.id, () if lobby.rematch_of is None else (lobby.rematch_of,))

    def _matches(self, table_ids: Collection[int]) -> tuple[Table, ...]:
        return tuple(self._tables[table_id] for table_id in table_ids if table_id in self._tables)

    def _alive(self, table_ids: Collection[int]) -> tuple[Lobby, ...]:
        """Return the running matches, then the open lobbies among these tables; within each, the last ones first."""
        playing = [table.lobby for table in reversed(self._matches(table_ids)) if not table.is_over]
        waiting = [self._lobbies[table_id] for table_id in reversed([*table_ids]) if table_id in self._lobbies]
        return (*playing, *waiting)
