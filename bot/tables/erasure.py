"""Somebody wants to be forgotten: they leave every table, in whatever server, and then the store forgets them.

Who was thrown out of a server, or whose server has thrown out the bot, sits at its tables still.
"""

from collections.abc import Callable
from typing import Final

from bot.errors import StoreError
from bot.records.personal_data import PersonalData
from bot.tables.directory import TableDirectory
from bot.tables.lobby import Lobby

TRIES: Final = 3
"""Whoever sits down while they leave is asked to stand up again so often."""


class Erasure:
    """One for the house. It never forgets half of a person: the store does all at once, or nothing."""

    def __init__(self, directory: TableDirectory, privacy: PersonalData, left: Callable[[Lobby], object]) -> None:
        """`left` is called with each lobby that somebody has left; matches tell their watcher."""
        self._directory = directory
        self._privacy = privacy
        self._left = left

    def tables_of(self, user_id: int) -> tuple[Lobby, ...]:
        """The open lobbies and running matches at which somebody sits."""
        playing = (table.lobby for table in self._directory.tables() if not table.is_over)
        return tuple(lobby for lobby in (*playing, *self._directory.lobbies()) if lobby.seat_of(user_id) is not None)

    async def forget(self, user_id: int) -> bool:
        """Leave all tables and forget everything; False for somebody who sits down again all the time.

        A table that cannot be read is not left: it forgets the person like a match that is over.

        Raises:
            StoreError: a table could not be left, or nothing was forgotten; other tables may have been left.
        """
        async with self._directory.reopening:  # or a rematch would store who they were, read before it was forgotten
            for _ in range(TRIES):
                problem = await self._leave_all(user_id)
                await self._directory.forget(user_id)  # first: whatever becomes of the rest, memory names nobody then
                unreadable = [damaged.id for damaged in self._directory.all_damaged()]
                if await self._privacy.forget(user_id, unreadable):
                    return True
                if problem is not None:
                    raise problem
        return False

    async def _leave_all(self, user_id: int) -> StoreError | None:
        """Why a table could not be left, if there was one."""
        problem = None
        for lobby in self.tables_of(user_id):
            try:
                await self._leave(lobby.id, user_id)
            except StoreError as error:
                problem = error
        return problem

    async def _leave(self, table_id: int, user_id: int) -> None:
        table = self._directory.table(table_id)
        if table is not None:
            await self._directory.seating.leave(table, user_id)
            return
        left = await self._directory.update(table_id, lambda present: present.leave(user_id))
        if isinstance(left, Lobby):
            self._left(left)
