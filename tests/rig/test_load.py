"""The short form of the load; `make bench` measures it at many tables. No times are asserted here, only promises."""

from pathlib import Path

import pytest

from tests.rig.limits import BUCKETS
from tests.rig.load import load
from tests.rig.night_load import load_night


@pytest.mark.long
async def test_busy_tables_never_meet_a_limit_and_show_everything(tmp_path: Path) -> None:
    report = await load(tmp_path, tables=4, seconds=6)  # of which a limit's five are less
    print(report)
    assert report.limited == ()
    assert report.answers.missed == 0
    assert report.invalid == {}
    assert report.unseen == 0
    assert len(report.board_ages) > 10
    assert len(report.panel_ages) > 30


@pytest.mark.long
async def test_tables_above_the_limit_of_threads_open_when_the_limit_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BUCKETS, "thread", (4, 45.0))  # of Discord's 50 in 300
    report = await load_night(tmp_path, tables=6, seconds=6)
    print(report)
    assert report.limited == ()
    assert len(report.opened) == 6
    waits = [said for said in report.said if "Discord limite les fils" in said]
    assert waits, report.said
    assert report.said[-1] not in waits
    assert report.load.answers.missed == 0


@pytest.mark.long
async def test_the_tables_of_a_night_open_within_the_limits(tmp_path: Path) -> None:
    report = await load_night(tmp_path, tables=3, seconds=6)
    print(report)
    assert report.limited == ()
    assert len(report.opened) == 3
    assert report.load.answers.missed == 0
    assert report.load.unseen == 0
