"""All public messages of tables, found by table, message, channel and server."""

from collections.abc import Iterable, Iterator

from bot.tables.index import Index
from bot.ui.messages.table_message import TableMessage


class TableMessages:
    """One for the whole process."""

    def __init__(self) -> None:
        self._all: dict[int, TableMessage] = {}
        self._by_message, self._by_channel, self._by_server = Index(), Index(), Index()

    def __iter__(self) -> Iterator[TableMessage]:
        return iter(tuple(self._all.values()))

    def get(self, table_id: int) -> TableMessage | None:
        """The message of a table."""
        return self._all.get(table_id)

    def add(self, message: TableMessage) -> None:
        """Keep a message; `placed` is to be called when its place changes."""
        self._all[message.table_id] = message
        self.placed(message)

    def placed(self, message: TableMessage) -> None:
        """The place of a message has changed."""
        table_id, place = message.table_id, message.place
        if self._all.get(table_id) is message:
            self._by_message.put(table_id, () if place.message_id is None else (place.message_id,))
            self._by_channel.put(table_id, (place.channel_id,))
            self._by_server.put(table_id, (place.guild_id,))

    def drop(self, table_id: int) -> None:
        """Forget the message of a table. It is not stopped: its last edit may be due."""
        self._all.pop(table_id, None)
        for index in (self._by_message, self._by_channel, self._by_server):
            index.drop(table_id)

    def is_at(self, message_id: int) -> bool:
        """Whether that is the message of a table."""
        return message_id in self._by_message

    def is_in(self, channel_id: int) -> bool:
        """Whether a table is in that channel."""
        return channel_id in self._by_channel

    def at(self, message_id: int) -> TableMessage | None:
        """The message of a table that has this id."""
        return next(iter(self._found(self._by_message.ids(message_id))), None)

    def in_channel(self, channel_id: int) -> list[TableMessage]:
        """The messages in a channel."""
        return self._found(self._by_channel.ids(channel_id))

    def in_server(self, guild_id: int) -> list[TableMessage]:
        """The messages in a server."""
        return self._found(self._by_server.ids(guild_id))

    def servers(self) -> Iterable[int]:
        """The servers with a message."""
        return self._by_server

    def _found(self, table_ids: Iterable[int]) -> list[TableMessage]:
        return [self._all[table_id] for table_id in table_ids]
