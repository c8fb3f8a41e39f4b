"""A photo finish through Discord: two members press in one moment, and the slower line does not decide."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from tests.integration.harness import Harness
from tests.integration.table import Table


@contextmanager
def slow_line(harness: Harness) -> Iterator[list[tuple[str, Mapping[str, Any]]]]:
    """What members press meanwhile is under way to the bot: in this list, until it is delivered."""
    backend, under_way = harness.env.backend, []
    emit = backend.emit
    backend.emit = lambda *event: under_way.append(event)  # type: ignore[method-assign]
    try:
        yield under_way
    finally:
        backend.emit = emit  # type: ignore[method-assign]


@pytest.mark.kems(photo_finish_ms=200)
async def test_the_press_that_was_made_first_counts(harness: Harness, table: Table) -> None:
    await table.gather("Dora")
    await table.press("Léa", "counter")
    with slow_line(harness) as under_way:
        await table.press("Bruno", "kems")
    await harness.advance(0.084)
    await table.press("Léa", "counter_at:3")
    assert "CONTRE" not in table.board(), "it is not judged yet"
    await table.press("Chloé", f"put:{table.hand('Chloé')[0]}")
    assert "On vient d'annoncer" in table.panel("Chloé").text
    for event in under_way:
        harness.env.backend.emit(*event)
    await harness.advance(0.2)
    assert "KEM'S !" in await table.settle()
    assert "84 ms avant le contre de Léa" in table.board()
    assert table.score() == (0, 1)
    assert "la manche est finie" in table.panel("Léa").text
    assert "84 ms avant le contre de Léa" in await table.after(harness.restart(crash=True))
