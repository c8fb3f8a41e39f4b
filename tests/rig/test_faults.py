"""The short form of the test of faults; `make crash` has two hundred."""

from pathlib import Path

import pytest

from tests.rig.faults import faults


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
async def test_matches_go_on_after_a_fault_and_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    tally = await faults(tmp_path, count=1, seed=3, patience=3)
    print(tally)
    assert tally.acknowledged > 5
    assert tally.comings > 1
