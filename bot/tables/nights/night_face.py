"""What a night asks of Discord."""

from __future__ import annotations

from typing import Protocol

from bot.nights.night import Night
from bot.nights.rounds import NightTable


class NightFace(Protocol):
    """Shows nights. Doing something a second time changes nothing: after a crash it is asked for again.

    An awaited method that fails for a reason that may pass returns False or None, and is asked again later. One that
    cannot do it at all, such as in a channel that was deleted, tells the host and returns as if it had.
    """

    def changed(self, night: Night) -> None:
        """A night has changed, or one of its tables has another score. Must return at once."""

    async def thread_for(self, night: Night, table: NightTable) -> int | None:
        """Make the thread in which a table is played, mention its people there once, and return its id.

        A thread that was made for this table before a crash is found again, not made twice. None: not now.
        """

    def threads_from(self, night: Night) -> int | None:
        """When threads can be made for a night again (milliseconds), where a limit of Discord's is met; None: now."""

    def ask_host(self, night: Night, table: NightTable, until: int) -> None:
        """Ask the host what becomes of a table that is not played on. Must return at once.

        Without an answer its score stands as it is, from `until` on (milliseconds).
        """

    async def remind(self, night: Night) -> bool:
        """Remind the people once that the night begins soon. Returns whether it is done."""

    async def recap(self, night: Night) -> bool:
        """Tell how the night was. Returns whether it is done."""
