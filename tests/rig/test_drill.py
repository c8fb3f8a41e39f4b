"""All drills of `make drill`, once."""

from pathlib import Path

import pytest

from tests.rig.checkout import START, STOP, update_lines
from tests.rig.drill import NO_CLONE, NO_DISK, NO_ERROR, drill


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres", "postgres_programs")
async def test_tables_go_on_after_each_operation_and_only_a_restore_loses_moves(tmp_path: Path) -> None:
    for what, seconds, lost in await drill(tmp_path):
        is_without_loss = lost == "0" or seconds in (NO_CLONE, NO_DISK, NO_ERROR)
        assert is_without_loss or "restored" in what or "way back" in what, what


def test_the_documented_update_of_a_checkout_works_between_a_stop_and_a_start() -> None:
    first, *between, last = update_lines()
    assert (first, last) == (STOP, START)
    assert between == ["git pull", "make install"]
