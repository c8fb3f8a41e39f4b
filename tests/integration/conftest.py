"""A running bot for tests that need no other settings."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.integration.harness import Harness
from tests.integration.table import kems


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[Harness]:
    """The bot with a database in `tmp_path`, four members and one channel."""
    async with kems(tmp_path) as running:
        yield running
