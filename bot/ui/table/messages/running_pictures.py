"""Which running tables are shown as pictures: those of servers that want it, while few enough matches run."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from bot.base.background import Tasks
from bot.base.errors import StoreError
from bot.tables.directory import TableDirectory
from bot.tables.match.table import Table
from bot.tables.servers.settings import ServerSettings

_log = structlog.get_logger(__name__)


@dataclass(eq=False)
class RunningPictures:
    """Decides at each deal whether the table is shown as a picture in that round.

    - `_read`: returns the settings of a server.
    - `_most_running`: while more matches run, no picture is drawn.
    """

    _directory: TableDirectory
    _read: Callable[[int], Awaitable[ServerSettings]]
    _most_running: int
    _wanted: dict[int, bool] = field(default_factory=dict, init=False)  # by server, as far as it is known
    # By table: the round, and whether it is drawn.
    _decided: dict[int, tuple[int, bool]] = field(default_factory=dict, init=False)
    _tasks: Tasks = field(default_factory=Tasks, init=False)

    def learn(self, guild_id: int, learnt: Callable[[], None] = lambda: None) -> None:
        """Read whether a server wants pictures; call `learnt` if that was not known before."""
        if self._most_running:
            self._tasks.start(self._learn(guild_id, learnt))

    def is_drawn(self, table: Table) -> bool:
        """Return whether the current round of a table is shown as a picture."""
        number, (decided_for, is_drawn) = table.table_view().round, self._decided.get(table.id, (0, False))
        if decided_for == number:
            return is_drawn
        wanted = self._wanted.get(table.lobby.place.guild_id)
        if wanted is None:
            return False
        running = sum(not other.is_over for other in self._directory.tables())
        self._decided[table.id] = number, wanted and running <= self._most_running
        return self._decided[table.id][1]

    def forget(self, table_id: int) -> None:
        """Forget a table."""
        self._decided.pop(table_id, None)

    def stop(self) -> None:
        """Stop reading settings."""
        self._tasks.cancel()

    async def _learn(self, guild_id: int, learnt: Callable[[], None]) -> None:
        is_new = guild_id not in self._wanted
        try:
            self._wanted[guild_id] = (await self._read(guild_id)).has_table_picture
        except StoreError as error:
            _log.info("table_picture.unknown", guild=guild_id, problem=str(error))
            return
        if is_new:
            learnt()
