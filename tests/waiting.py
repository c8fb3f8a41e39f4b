"""Waits that end."""

import asyncio
from collections.abc import Callable


async def until(is_so: Callable[[], object], seconds: float = 60) -> None:
    """Wait for what another task or thread brings about.

    Raises:
        TimeoutError: it has not come in time.
    """
    async with asyncio.timeout(seconds):
        while not is_so():
            await asyncio.sleep(0.001)
