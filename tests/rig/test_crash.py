"""The short form of the crash test; `make crash` kills a hundred times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rig.crash import crash


@pytest.mark.slow
async def test_what_was_acknowledged_survives_every_kill(tmp_path: Path) -> None:
    tally = await crash(tmp_path, kills=10, seed=7, sizes=(4, 4))
    print(tally)
    assert tally.kills >= 10
    assert tally.acknowledged["put"] > 20
    assert tally.compared > 20
    assert tally.unasked > 5
    assert tally.by_timer > 0
