"""The first and the last day of a season, on the clocks of its server."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.ladder.seasons import Season
from bot.ui.ladder.leaderboard import dates
from tests.ui.walk import EN


def starts(month: int, zone: str) -> int:
    return round(datetime(2026, month, 1, tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize("zone", ["Europe/Paris", "Asia/Tokyo", "America/New_York"])
def test_a_season_ends_on_the_day_before_the_next_one_starts(zone: str) -> None:
    october = Season(1, starts(10, zone), starts(11, zone))
    assert "31" in dates(october, zone, EN)
    assert "Nov" not in dates(october, zone, EN)
