"""The board of a running night while Discord opens its threads one after the other."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

from bot.nights.night import Night
from bot.nights.rounds import TableResult
from bot.ui.night.board import opening_lines
from bot.ui.night.messages.night_messages import NightMessages
from tests.ui.night.samples import begun, night_of
from tests.ui.screens.common import AT
from tests.ui.walk import EN, words


def opening(*numbers: int) -> Night:
    """A night of four tables, of which the first is over and these have no thread yet."""
    night = begun(night_of(16), AT).record_result(1, TableResult((3, 1)), AT + 1)
    assert night.round is not None
    for table in [table for table in night.round.tables if table.number in numbers]:
        night = night.with_table(replace(table, thread_id=None))
    return night


def test_tables_without_a_thread_open_in_a_moment_while_others_have_one() -> None:
    assert opening_lines(opening(), EN) == []
    assert opening_lines(opening(1), EN) == [], "it is over"
    assert opening_lines(opening(1, 2), EN) == ["⏳ 1 table opens in a moment."]
    assert opening_lines(opening(3, 4), EN) == ["⏳ 2 tables open in a moment."]


async def test_the_board_says_until_when_discord_limits_threads() -> None:
    rooms: Any = Mock()
    rooms.live.context.requests.threads_from = lambda _channel_id: AT + 60_000
    rooms.directory.table = lambda _table_id: None
    shown = await NightMessages(rooms, Mock())._look(replace(opening(4), locale="en"))
    assert f"Discord is limiting threads: 1 table opens <t:{AT // 1000 + 60}:R>." in words(shown.layout)
