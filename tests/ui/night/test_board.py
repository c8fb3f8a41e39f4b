"""The board of a running night while Discord opens its threads one after the other."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from bot.nights.night import Night
from bot.nights.rounds import TableResult
from bot.ui.night.board import opening_lines, paginate
from bot.ui.night.messages.night_messages import NightMessages
from bot.ui.night.verbs import PlayerVerb
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


def test_the_board_says_how_many_tables_still_wait_for_a_thread() -> None:
    assert opening_lines(opening(), EN) == []
    assert opening_lines(opening(1), EN) == [], "it is over"
    assert opening_lines(opening(1, 2), EN) == ["⏳ 1 table opens in a moment."]
    assert opening_lines(opening(3, 4), EN) == ["⏳ 2 tables open in a moment."]


@pytest.mark.parametrize(
    ("page", "first", "shown", "leads_to"),
    [
        (0, 0, "1 / 3", ("0", "1")),
        (1, 20, "2 / 3", ("0", "2")),
        (2, 40, "3 / 3", ("1", "3")),
        (9, 40, "3 / 3", ("1", "3")),
    ],
)
def test_a_list_is_paged_up_to_its_last_page(page: int, first: int, shown: str, leads_to: tuple[str, str]) -> None:
    listed, (row,) = paginate(7, PlayerVerb.STANDINGS, range(45), page, 20)
    assert [*listed] == [*range(45)][first : first + 20]
    back, here, on = row["components"]
    assert here["label"] == shown
    assert (back["disabled"], on["disabled"]) == (shown[0] == "1", shown[0] == "3")
    assert tuple(button["custom_id"].split(":")[4] for button in (back, on)) == leads_to


def test_a_list_of_one_page_has_no_buttons() -> None:
    assert paginate(7, PlayerVerb.STANDINGS, range(20), 0, 20) == (range(20), [])
    assert paginate(7, PlayerVerb.STANDINGS, (), 0, 20) == ((), [])


async def test_the_board_says_until_when_discord_limits_threads() -> None:
    rooms: Any = Mock()
    rooms.live.context.requests.threads_from = lambda _channel_id: AT + 60_000
    rooms.directory.table = lambda _table_id: None
    shown = await NightMessages(rooms, Mock())._look(replace(opening(4), locale="en"))
    assert f"Discord is limiting threads: 1 table opens <t:{AT // 1000 + 60}:R>." in words(shown.layout)
