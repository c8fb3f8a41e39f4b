"""A press is freed once it is answered: nothing of it waits for the collector of garbage, which stops all tables."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.ui.kit.press_interaction import PressInteraction
from tests.integration.table import Table, kems


def alive() -> int:
    return sum(isinstance(one, PressInteraction) for one in gc.get_objects())


@pytest.fixture
def _uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_uncollected")
async def test_presses_leave_nothing_behind(tmp_path: Path) -> None:
    async with kems(tmp_path) as harness:
        table = Table(harness)
        await table.open(rules="classic", players=4)
        await table.agree()
        await table.open_hunt()
        for name in table.people:
            await table.exchange_anything(name)  # answered with the presser's panel
        await harness["Léa"].click(f"k1:{table.id}:help")  # answered with a new message
        await table.settle()
        assert alive() == 0
