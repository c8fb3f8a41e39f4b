"""What every test gets: no settings from the machine it runs on, and logging left as it was found."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog

from bot.settings import Settings


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


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
