"""Lets work in while the bot runs; when it leaves, nothing new begins, and what has begun gets a moment to end."""

import asyncio
from typing import Final

import structlog

GRACE_S: Final = 3.0
"""How long a bot that leaves waits for what it is doing. Every first answer is given within a third of that."""

_log = structlog.get_logger(__name__)


class UnderWay:
    """Every task asks it before it begins with what somebody has pressed, typed or reacted with."""

    def __init__(self) -> None:
        self._inside: set[asyncio.Task[object]] = set()
        self._is_closed = False

    def begin(self) -> bool:
        """Whether the present task may begin; then it is waited for."""
        task = asyncio.current_task()
        if self._is_closed or task is None:
            return False
        self._inside.add(task)
        task.add_done_callback(self._inside.discard)
        return True

    async def close(self) -> None:
        """Let nothing in any more, wait for a moment, and break off what is not done then."""
        self._is_closed = True
        others = {task for task in self._inside if task is not asyncio.current_task()}  # who leaves may be at work
        if not others:
            return
        _, late = await asyncio.wait(others, timeout=GRACE_S)
        for task in late:
            task.cancel()
        if late:
            _log.warning("work.broken_off", tasks=len(late))
            await asyncio.wait(late, timeout=GRACE_S)
