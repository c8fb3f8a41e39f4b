"""What every test gets: no settings from the machine it runs on, and logging left as it was found."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog

from bot.settings import Settings
from bot.store.engine import database


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite leaves it to the system when a test's rows reach the disk, unless the test is `durable`."""
    if request.node.get_closest_marker("durable") is None:
        pragmas = ["synchronous=OFF" if each == "synchronous=FULL" else each for each in database._PRAGMAS]
        monkeypatch.setattr(database, "_PRAGMAS", pragmas)


@pytest.fixture
def logging_restored() -> Iterator[None]:
    """For tests that set logging up: the process's own logging comes back after them."""
    handlers = logging.root.handlers[:]
    levels = {
        logger: logger.level for logger in (logging.root, *map(logging.getLogger, ("aiosqlite", "alembic", "discord")))
    }
    yield
    logging.root.handlers[:] = handlers
    for logger, level in levels.items():
        logger.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()
