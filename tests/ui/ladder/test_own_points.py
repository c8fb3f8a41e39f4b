"""Where points come from is for their player alone; the end of a season leads to its podium."""

from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from bot.ladder.formula import FORMULA
from bot.ladder.seasons import Season
from bot.records.seasons import EndedSeason
from bot.ui.ladder.ladder_reader import LadderReader
from bot.ui.ladder.leaderboard import over_line
from tests.discord.fakes import SetClock
from tests.ui.screens.common import AT, ZONE
from tests.ui.screens.ladder import SEASON, SOURCES, STATS
from tests.ui.walk import EN, words


@pytest.mark.parametrize(("reader_id", "is_running", "is_told"), [(1, True, True), (2, True, False), (1, False, False)])
async def test_only_the_player_reads_where_the_points_of_a_season_come_from(
    reader_id: int, is_running: bool, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = Mock(stats=AsyncMock(return_value=STATS), point_sources=AsyncMock(return_value={1: SOURCES}))
    rooms: Any = Mock(clock=SetClock(AT), store=Mock(formula=FORMULA, history=history))
    reader = LadderReader(rooms)
    monkeypatch.setattr(reader, "_honours", AsyncMock(return_value=[]))
    monkeypatch.setattr(reader, "season", AsyncMock(return_value=SEASON if is_running else None))
    monkeypatch.setattr(reader, "zone", AsyncMock(return_value=ZONE))
    page = await reader.stats(5, 1, reader_id, None, EN)
    assert page is not None
    assert history.point_sources.called is is_told
    assert ("312" in words(page.layout)) is is_told


@pytest.mark.parametrize(
    ("channel_id", "message_id", "is_linked"), [(7, 8, True), (7, None, False), (None, None, False)]
)
def test_the_end_of_a_season_leads_to_its_podium_once_that_is_posted(
    channel_id: int | None, message_id: int | None, is_linked: bool
) -> None:
    ended = EndedSeason(5, Season(3, 0, 9), channel_id=channel_id, message_id=message_id)
    assert ("https://discord.com/channels/5/7/8" in over_line(ended, EN)) is is_linked
