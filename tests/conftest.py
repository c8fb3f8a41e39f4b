"""What every test gets: no settings from the machine it runs on, no waiting for its disk, logging left as it was found.

The slow tests come first, so that no worker is left alone with one at the end.
"""

import gc
import logging
import sys
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

from bot.settings import Settings
from tests.lengths import MANY_LINES, long_files

LONG_S = 1800
"""A test that is too long for the gate is given up after that long, unless it says otherwise."""


def pytest_configure(config: pytest.Config) -> None:
    """The gate tries the same few examples each time; with `--hypothesis-seed` many others (`make long`).

    How long an example takes is the machine's affair.
    """
    seed = config.getoption("--hypothesis-seed")
    settings.register_profile("gate", deadline=None, database=None, derandomize=True, max_examples=25)
    settings.register_profile("long", deadline=None, database=None)
    settings.load_profile("gate" if seed is None else "long")
    log_plainly()


def log_plainly() -> None:
    """Log lines without colours or frames of tracebacks, which cost twenty times as much."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(),
        ]
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        if item.get_closest_marker("long") is not None and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(LONG_S))


def pytest_collection_finish() -> None:
    """What is imported by now stays, so the garbage collector need not search it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name, lines in long_files().items():
        terminalreporter.write_line(
            f"{name} has {lines} lines (many: {MANY_LINES}). Is it about one thing?", yellow=True
        )


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite leaves it to the system when a test's rows reach the disk, unless the test is `durable`."""
    database = sys.modules.get("bot.store.engine.database")  # not there where no test of this run needs it
    if database is not None and request.node.get_closest_marker("durable") is None:
        pragmas = ["synchronous=OFF" if each == "synchronous=FULL" else each for each in database._PRAGMAS]
        monkeypatch.setattr(database, "_PRAGMAS", pragmas)


@pytest.fixture(autouse=True)
def _no_links_to_commands() -> Iterator[None]:
    """Commands have no ids until a test's own Discord tells them."""
    yield
    names = sys.modules.get("bot.ui.kit.command_names")
    if names is not None:
        names.forget_ids()


@pytest.fixture
def logging_restored() -> Iterator[None]:
    """For tests that set logging up: the process's own logging comes back after them."""
    handlers = logging.root.handlers[:]
    changed = ("aiosqlite", "alembic", "bot.ui", "bot.ui.live", "discord", "sqlalchemy.pool")
    levels = {logger: logger.level for logger in (logging.root, *map(logging.getLogger, changed))}
    yield
    logging.root.handlers[:] = handlers
    for logger, level in levels.items():
        logger.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()
    log_plainly()
