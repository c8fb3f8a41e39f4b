"""Breaks off what would wait long for a rate limit, and says how long Discord asks to wait.

discord.py sleeps as long as Discord asks, an hour for emojis, and does not say so. Its `max_ratelimit_timeout` refuses
every second request of a bucket whose window is longer than that.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

import aiohttp

LONGEST_S: Final = 30.0
"""The longest wait that is not broken off."""
_TOO_MANY: Final = 429


class LongWaitError(Exception):
    """Discord asks to wait so many `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"Discord asks to wait {seconds:.0f} s.")
        self.seconds = seconds


class LongWaits:
    """Reads off the answers of one client, through its `http_trace`, when its next request may be made.

    Source: https://discord.com/developers/docs/topics/rate-limits#header-format
    """

    def __init__(self) -> None:
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_end.append(self._answered)
        self._until = 0.0
        self._is_refused = False
        self._asked = asyncio.Event()

    async def unless_long(self, request: Coroutine[Any, Any, object]) -> None:
        """Make one request of a bucket.

        Raises:
            LongWaitError: it was not carried out.
        """
        if self._asked.is_set():
            request.close()
            raise LongWaitError(self._left())
        work, asked = asyncio.create_task(request), asyncio.create_task(self._asked.wait())
        await asyncio.wait({work, asked}, return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if work.done():
            work.result()
            return
        work.cancel()  # it sleeps: before it is made again, or after it was the last that could be made
        await asyncio.wait({work})
        if self._is_refused:
            raise LongWaitError(self._left())

    def _left(self) -> float:
        return self._until - asyncio.get_running_loop().time()

    async def _answered(self, _session: object, _context: object, end: aiohttp.TraceRequestEndParams) -> None:
        headers, is_refused = end.response.headers, end.response.status == _TOO_MANY
        if not is_refused and headers.get("X-RateLimit-Remaining") != "0":
            return
        seconds = float(headers.get("Retry-After" if is_refused else "X-RateLimit-Reset-After", 0))
        if seconds > LONGEST_S:
            self._until = asyncio.get_running_loop().time() + seconds
            self._is_refused = is_refused
            self._asked.set()
