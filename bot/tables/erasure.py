"""Erases a player: removes them from every table and night, in all servers, then has the store erase their rows.

A player who was banned from a server, or whose server has removed the bot, still sits at its tables.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from bot.errors import StoreError
from bot.records.personal_data import PersonalData
from bot.tables.directory import TableDirectory
from bot.tables.lobby.lobby import Lobby

TRIES: Final = 3
"""How often a player is removed from all tables who sits down again meanwhile."""


class Erasure:
    """One for the whole process. A player is never half erased: the store erases everything at once, or nothing."""

    def __init__(
        self,
        directory: TableDirectory,
        privacy: PersonalData,
        left: Callable[[Lobby], object],
        also: Sequence[Callable[[int], Awaitable[None]]] = (),
    ) -> None:
        """`left` is called with each lobby that a player has left; matches notify their watcher. `also` forgets the
        player where else memory holds them, before the store does.
        """
        self._directory = directory
        self._also = also
        self._privacy = privacy
        self._left = left

    def tables_of(self, user_id: int) -> tuple[Lobby, ...]:
        """The open lobbies and running matches at which a player sits."""
        return tuple(lobby for lobby in self._directory.alive_of(user_id) if lobby.seat_of(user_id) is not None)

    async def forget(self, user_id: int) -> bool:
        """Remove a player from all tables and erase their rows; False for one who sits down again after each try.

        A table that cannot be read is not left: it is erased like an ended match.

        Raises StoreError when a table could not be left, or nothing was erased; other tables may have been left.
        """
        async with self._directory.reopening:  # or a rematch stores names that it has read before they were erased
            for _ in range(TRIES):
                problem = await self._leave_all(user_id)
                for forget in self._also:
                    await forget(user_id)
                await self._directory.finish_ended(user_id)  # first: then memory holds no name, even if the store fails
                unreadable = [damaged.id for damaged in self._directory.all_damaged()]
                if await self._privacy.forget(user_id, unreadable):
                    return True
                if problem is not None:
                    raise problem
        return False

    async def _leave_all(self, user_id: int) -> StoreError | None:
        """Leaves all tables and declines all invitations. Why that was not saved; None if it was."""
        problem = None
        for invited_to in [lobby for lobby in self._directory.lobbies() if user_id in lobby.invited]:
            try:
                await self._directory.update(invited_to.id, lambda present: present.uninvite([user_id]))
            except StoreError as error:
                problem = error
        for lobby in self.tables_of(user_id):
            table = self._directory.table(lobby.id)
            try:
                if table is not None:
                    await self._directory.seating.leave(table, user_id)
                    continue
                left = await self._directory.update(lobby.id, lambda present: present.leave(user_id))
                if isinstance(left, Lobby):
                    self._left(left)
            except StoreError as error:
                problem = error
        return problem
