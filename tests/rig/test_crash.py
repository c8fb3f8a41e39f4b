"""The short form of the crash test; `make crash` kills a hundred times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rig.crash import Tally, crash


def has_seen_enough(tally: Tally) -> bool:
    """Ten kills, and as many as it takes on a busy machine until there was something to lose."""
    has_moved = tally.acknowledged["put"] > 20 and tally.by_timer > 0
    return tally.kills >= 10 and has_moved and tally.compared > 20 and tally.unasked > 5


@pytest.mark.slow
async def test_what_was_acknowledged_survives_every_kill(tmp_path: Path) -> None:
    tally = await crash(tmp_path, has_seen_enough, seed=7, sizes=(4, 4))
    print(tally)
