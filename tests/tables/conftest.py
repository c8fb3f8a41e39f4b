"""Every coroutine test of the tables runs in virtual time."""

import asyncio
from collections.abc import Callable, Mapping

from tests.tables.virtual import VirtualLoop


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"virtual": VirtualLoop}
