"""What every test gets: no settings from the machine it runs on, no waiting for its disk, logging left as it was found.

Tests in a browser come first, so that one worker starts one, then slow tests, so that none is alone at the end.
"""

import gc
import logging
import os
import sys
from collections.abc import Iterator
from functools import partial
from types import ModuleType
from typing import Any

import pytest
import structlog
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from bot.base.settings import Settings
from tests import together
from tests.examples import leave_long_out
from tests.lengths import MANY_LINES, long_files

gc.disable()  # until the tests are collected: what is made on the way there stays
LONG_S = 1800
"""A test that is too long for the gate is given up after that long, unless it says otherwise."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--case", default="", help="run the cases of tests.together alone in which this occurs")


def pytest_configure(config: pytest.Config) -> None:
    """The gate tries the same few examples each time; with `--hypothesis-seed` many others (`make long`).

    How long an example takes is the machine's affair.
    """
    together.chosen = config.getoption("--case")
    seed = config.getoption("--hypothesis-seed")
    settings.register_profile("gate", deadline=None, database=None, derandomize=True, max_examples=25)
    settings.register_profile("long", deadline=None, database=None)
    settings.load_profile("gate" if seed is None else "long")
    if seed is None:
        # Hypothesis would read every module of the bot in each process, for constants to try.
        providers._get_local_constants = lambda: providers._local_constants
    for name in Settings.model_fields:
        os.environ.pop(name.upper(), None)
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


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.config.option.markexpr == "not long":
        leave_long_out(metafunc.definition)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: (item.path.parent.name != "browser", item.get_closest_marker("slow") is None))
    for item in items:
        if item.get_closest_marker("long") is not None and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(LONG_S))


def pytest_collection_finish() -> None:
    """The garbage collector need not search what was imported and collected again and again."""
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name, lines in long_files().items():
        terminalreporter.write_line(
            f"{name} has {lines} lines (many: {MANY_LINES}). Is it about one thing?", yellow=True
        )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Modules are looked up where they are, for not every run needs them; hooks, for fixtures cost each test more."""
    database = sys.modules.get("bot.store.engine.database")
    if database is not None:  # SQLite leaves it to the system when rows reach the disk, unless the test is `durable`
        kept = 2 if item.get_closest_marker("durable") is not None else 0
        database._PRAGMAS = {**database._PRAGMAS, "synchronous": kept}
        if not isinstance(database.create_async_engine, partial):
            _compile_once(database)
    names = sys.modules.get("bot.discord.text.command_names")
    if names is not None:  # commands have no ids until a test's own Discord tells them
        names.clear_ids()


class Compiled(dict[tuple[Any, ...], Any]):
    """Compiled statements by kind of database; SQLAlchemy asks for them by the dialect of one engine."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get((type(key[0]), *key[1:]), default)

    def __setitem__(self, key: tuple[Any, ...], statement: Any) -> None:
        super().__setitem__((type(key[0]), *key[1:]), statement)


def _compile_once(database: ModuleType) -> None:
    """Let all tests share compiled statements: each has databases of its own, and took a third of its time there."""
    options = {"compiled_cache": Compiled()}
    driver_thread = sys.modules["bot.store.engine.driver_thread"]
    for module, name in ((database, "create_async_engine"), (driver_thread, "create_engine")):
        setattr(module, name, partial(getattr(module, name), execution_options=options))


@pytest.fixture
def logging_restored() -> Iterator[None]:
    """For tests that set logging up: the process's own logging comes back after them."""
    handlers = logging.root.handlers[:]
    changed = ("aiosqlite", "alembic", "bot.ui", "bot.discord.messages", "discord", "sqlalchemy.pool")
    levels = {logger: logger.level for logger in (logging.root, *map(logging.getLogger, changed))}
    yield
    logging.root.handlers[:] = handlers
    for logger, level in levels.items():
        logger.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()
    log_plainly()
