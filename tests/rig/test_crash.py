"""The short form of the crash test; `make crash` kills a hundred times."""

from pathlib import Path

import pytest

from tests.rig.crash import Tally, crash


def has_seen_enough(tally: Tally) -> bool:
    """Five kills, and as many as it takes on a busy machine until there was something to lose."""
    has_moved = tally.acknowledged["put"] > 10 and tally.by_timer > 0
    return tally.kills >= 5 and has_moved and tally.compared > 10 and tally.unasked > 5


@pytest.mark.slow
async def test_acknowledged_presses_survive_every_kill(tmp_path: Path) -> None:
    tally = await crash(tmp_path, has_seen_enough, seed=7, sizes=(4, 4))
    print(tally)


def has_died(tally: Tally) -> bool:
    """One kill at least: presses are counted after it. Each start on PostgreSQL waits for its turn to identify."""
    return tally.acknowledged["put"] > 5 and tally.compared > 0


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.usefixtures("postgres")
async def test_acknowledged_presses_survive_every_kill_on_postgresql(tmp_path: Path) -> None:
    tally = await crash(tmp_path, has_died, seed=7, sizes=(4,), on_postgres=True)
    print(tally)
