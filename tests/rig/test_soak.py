"""The short form of the soak; `make soak` plays 500 matches."""

import pytest

from bot.tables import directory
from tests.rig.soak import soak


@pytest.mark.long
def test_memory_stays_flat_over_robot_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "KEPT_OVER", 4)
    report = soak(16, warm_up=6, target=2)
    print(report)
    assert report.matches == 16
    assert report.requests > 100
    assert report.growth < 0.02
