"""All lobbies and matches of this process, to be looked up."""

from collections.abc import Collection

from bot.tables.lobby import Lobby
from bot.tables.table import Table
from bot.tables.table_store import Damaged


class Register:
    """Lobby and table share one id: a table has the lobby that it came from."""

    def __init__(self) -> None:
        self._lobbies: dict[int, Lobby] = {}
        self._tables: dict[int, Table] = {}
        self._damaged: dict[int, Damaged] = {}
        self._untold: tuple[Lobby, ...] = ()

    def lobby(self, table_id: int) -> Lobby | None:
        """People and place of an open lobby, a running match or one that ended lately."""
        table = self._tables.get(table_id)
        return self._lobbies.get(table_id) if table is None else table.lobby

    def table(self, table_id: int) -> Table | None:
        """A running match, or one that ended lately."""
        return self._tables.get(table_id)

    def damaged(self, table_id: int) -> Damaged | None:
        """A table that cannot be continued because it cannot be read."""
        return self._damaged.get(table_id)

    def all_damaged(self) -> tuple[Damaged, ...]:
        """All tables that cannot be read."""
        return tuple(self._damaged.values())

    def untold(self) -> tuple[Lobby, ...]:
        """What was cancelled or expired in the former run of the bot, and whose message may not say so."""
        return self._untold

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
