"""The short form of the test of several processes; `make crash` has fifty rounds."""

from pathlib import Path

import pytest

from tests.rig.several import several


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
async def test_a_process_that_dies_or_hangs_is_replaced_and_no_press_is_lost(tmp_path: Path) -> None:
    # Two shards share each bucket of Discord's, so they still wait for each other, and the test half as long.
    tally = await several(tmp_path, rounds=1, seed=3, patience=3, at_once=2)
    print(tally)
    assert tally.acknowledged > 20
