"""The picture of a message that changes quickly, for which its words wait only a moment."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.base.background import Tasks
from bot.discord.pictures.illustrations import Illustrated, Illustrator

GLANCE_S: Final = 0.1
"""How many seconds the words wait for their picture; to draw it takes some hundredths of one."""
BEHIND_S: Final = 2.0
"""How many seconds an outdated picture may be shown; then the words are shown alone until there is a newer one."""
RESTS_S: Final = 60.0
"""How many seconds nothing is drawn after a failed drawing."""


class NewestPicture:
    """Draws the pictures of one message, one at a time; states in between are skipped."""

    def __init__(self, illustrator: Illustrator, ask: Callable[[], None]) -> None:
        """Draw with the illustrator; `ask` requests a write of the message once a late picture is drawn."""
        self._illustrator = illustrator
        self._ask = ask
        self._tasks = Tasks()
        self._drawing: asyncio.Task[None] | None = None
        self._wanted: Illustrated | None = None
        self._drawn: tuple[Illustrated, Illustrated] | None = None  # as it was wanted, and with the file
        self._late_since: float | None = None
        self._rests_until = 0.0

    async def ready(self, look: Illustrated) -> Illustrated:
        """Return the look with a picture that can be sent now.

        It is the look's own, or while that is being drawn, the previous one of its series; without either, none.
        """
        if not look.series or look.picture is None:
            self.stop()
            return look
        now = asyncio.get_running_loop().time()
        if now < self._rests_until:
            return replace(look, picture=None)
        if not self._is_newest(look):
            self._wanted = look
            if self._drawing is None:
                self._drawing = self._tasks.start(self._draw())
            if not self._is_behind(now):
                await asyncio.wait({self._drawing}, timeout=GLANCE_S)
        if self._drawn is None or self._drawn[1].series != look.series:
            return replace(look, picture=None)
        if self._is_newest(look):
            self._late_since = None
        elif self._late_since is None:
            self._late_since = now
        if self._is_behind(now):
            return replace(look, picture=None)
        return replace(look, picture=self._drawn[1].picture, alt=self._drawn[1].alt)

    def stop(self) -> None:
        """Cancel the drawing, and drop the last picture."""
        self._tasks.cancel()
        self._drawing = self._wanted = self._drawn = self._late_since = None

    async def _draw(self) -> None:
        began, clock = asyncio.get_running_loop().time(), asyncio.get_running_loop().time
        while (look := self._wanted) is not None and not self._is_newest(look):
            drawn = await self._illustrator.drawn(look.picture)
            if drawn is None:
                self._rests_until, self._drawn = clock() + RESTS_S, None
                break
            self._drawn, self._late_since = (look, replace(look, picture=drawn)), None
        self._drawing = None
        if clock() - began > GLANCE_S:
            self._ask()

    def _is_newest(self, look: Illustrated) -> bool:
        return self._drawn is not None and self._drawn[0].picture == look.picture

    def _is_behind(self, now: float) -> bool:
        return self._late_since is not None and now - self._late_since >= BEHIND_S
