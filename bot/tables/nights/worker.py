"""Work that is done when it is asked for, and again at the instant that it names itself."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from bot.errors import StoreError
from bot.tables.clock import Clock

RETRY_MS: Final = 2_000
"""After how long work is tried again that was not saved."""
BROKEN_MS: Final = 30_000
"""After how long work is tried again that failed by a bug."""
LONGEST_MS: Final = 6 * 60 * 60 * 1000
"""The longest wait: clocks are set, and machines sleep."""

_log = structlog.get_logger(__name__)


class Worker:
    """Never does its work twice at once. It sleeps until the first `wake`."""

    def __init__(self, clock: Clock, work: Callable[[], Awaitable[int | None]], **about: int) -> None:
        """`work` returns when it is to be done again (milliseconds); None: not by itself. `about` goes to the log."""
        self._clock = clock
        self._work = work
        self._log = _log.bind(**about)
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_wanted = False
        self._is_stopped = False

    def wake(self) -> None:
        """Do the work now, or once more after the running turn."""
        self._is_wanted = True
        if self._task is None and not self._is_stopped:
            self._cancel_timer()
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Finish the running turn and do nothing more."""
        self._is_stopped = True
        self._cancel_timer()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _run(self) -> None:
        at: int | None = None
        while self._is_wanted and not self._is_stopped:
            self._is_wanted = False
            at = await self._turn()
        self._task = None
        if at is not None and not self._is_stopped:
            delay = min(max(at - self._clock.now(), 0), LONGEST_MS) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self.wake)

    async def _turn(self) -> int | None:
        try:
            return await self._work()
        except StoreError as error:
            self._log.warning("night.not_saved", problem=str(error))
            return self._clock.now() + RETRY_MS
        except Exception:  # noqa: BLE001 - a timer's task has no caller: its bug can show in the log only
            self._log.exception("night.failed")
            return self._clock.now() + BROKEN_MS

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
