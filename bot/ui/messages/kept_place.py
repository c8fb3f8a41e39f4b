"""Where the message of one table is: in memory, and saved."""

from collections.abc import Callable

from bot.tables.directory import TableDirectory
from bot.tables.lobby.place import Place


class KeptPlace:
    """`changed` is called whenever the place in memory changes."""

    def __init__(self, directory: TableDirectory, table_id: int, place: Place, changed: Callable[[], None]) -> None:
        self._directory = directory
        self._table_id = table_id
        self._now = self._saved = place
        self._changed = changed

    @property
    def now(self) -> Place:
        """The place in memory."""
        return self._now

    @now.setter
    def now(self, place: Place) -> None:
        self._now = place
        self._changed()

    async def note(self, place: Place) -> None:
        """The message is there; save it. Raises StoreError: the place in memory is right all the same."""
        self.now = place
        if place != self._saved:
            await self._directory.move(self._table_id, place)
            self._saved = place

    async def settle(self, place: Place) -> None:
        """Save where the message shall be. Raises StoreError: nothing has changed."""
        await self._directory.move(self._table_id, place)
        self.now = self._saved = place
