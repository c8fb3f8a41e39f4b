"""What tests throw at the running bot, and a table to throw it at. Drawn by Hypothesis."""

import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot.game.signs import Strategy
from tests.integration.harness import Harness
from tests.integration.table import Table

STRANGER = "Émile"
_AT_ONCE = 8

words = st.one_of(
    st.text(max_size=60),
    st.sampled_from(["🍀", "0", "1", "77", "-1", "7S", "7S,9D", "random", "presign", "no", "", "classic", "\u202e"]),
    st.sampled_from(["classic target=12", "expert double=3 x", "<@1>", "<t:1:R>", "```", "Europe/Paris", "\x00"]),
    st.sampled_from([each.value for each in Strategy]),
)
whole = st.integers(-(2**63), 2**64 - 1)
"""As orjson writes them, which copies the payloads of simcord."""
odd = st.recursive(
    st.one_of(st.none(), st.booleans(), whole, st.floats(), words),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=3)),
    max_leaves=6,
)


TIMES = pytest.mark.parametrize("times", [1, pytest.param(25, marks=pytest.mark.long)])
"""How many times as many values as the gate draws."""


def drawn(strategy: st.SearchStrategy[Any], examples: int) -> list[Any]:
    """The same many values in every run of the same test files; the bot answers them on its own event loop."""
    values = []

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def collect(value: Any) -> None:
        values.append(value)

    collect()
    return values


def drawn_of_each(strategies: Sequence[st.SearchStrategy[Any]], examples: int) -> list[list[Any]]:
    """So many values of each of them, without repetition; several are drawn at once, for to begin costs most."""
    pieces = [strategies[at : at + _AT_ONCE] for at in range(0, len(strategies), _AT_ONCE)]
    columns = [column for piece in pieces for column in zip(*drawn(st.tuples(*piece), examples), strict=True)]
    return [[value for at, value in enumerate(column) if value not in column[:at]] for column in columns]


@contextmanager
def no_error_logged(caplog: pytest.LogCaptureFixture, sent: Any) -> Iterator[None]:
    """Meanwhile neither the bot nor discord.py nor asyncio logs an error."""
    caplog.clear()
    with capture_logs() as logs:
        yield

    lines = [str(line) for line in logs if line["log_level"] in ("error", "critical")]
    lines += [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert lines == [], (lines, sent)


def table_as_it_is(harness: Harness, table: Table) -> Any:
    """All that a move, a word or a change of people would alter."""
    live = harness.bot.rooms.directory.table(table.id)
    return live.seq, live.lobby, live.table_view()


def stored_rows(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """All rows of the database in a folder, by the name of their table."""
    with closing(sqlite3.connect(folder / "kems.db")) as connection:
        connection.row_factory = sqlite3.Row
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names}  # noqa: S608
