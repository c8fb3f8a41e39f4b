"""Here SQLite's driver has its thread, as in the bot."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def driver() -> None:
    pass
