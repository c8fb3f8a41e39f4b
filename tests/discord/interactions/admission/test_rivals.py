"""Another process that answers presses with the bot's token is noticed; a lost receipt is none."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from structlog.testing import capture_logs

from bot.base.clock import WallClock
from bot.discord.interactions.admission.press_notes import PressNotes, PressOutcome, Rivals
from bot.records.press_notes import ANSWERED_ELSEWHERE, RIVAL


def after(*seconds: float, presses: int = 99) -> str | None:
    """What is said half a second after the last of so many presses that were answered elsewhere, heard in turn."""
    now = 0.0
    rivals = Rivals(lambda: now)
    for number, now in enumerate(seconds):  # noqa: B007 - the clock reads it
        rivals.record(number % presses)
    now += 0.5
    return rivals.remark


def test_three_in_a_minute_are_another_process() -> None:
    with capture_logs() as logs:
        assert after(0, 30, 59) == RIVAL
    assert [(line["event"], line["problem"]) for line in logs] == [("token.used_twice", RIVAL)]


def test_fewer_are_none() -> None:
    assert after(0, 30) is None
    assert after(0, 50, 100, 150) is None


def test_one_that_comes_again_counts_once() -> None:
    assert after(0, 1, 2, 3, presses=1) is None
    assert after(0, 1, 2, 3, 4, presses=2) is None


def test_ten_minutes_without_one_end_it() -> None:
    now = 0.0
    rivals = Rivals(lambda: now)
    for number in range(3):
        rivals.record(number)
    now = 599.0
    assert rivals.remark == RIVAL
    now = 601.0
    assert rivals.remark is None
    rivals.record(4)
    assert rivals.remark is None


@pytest.mark.parametrize(("deliveries", "remark"), [(1, RIVAL), (2, None)])
async def test_what_discord_delivers_twice_has_the_bots_own_answer(deliveries: int, remark: str | None) -> None:
    notes = PressNotes(AsyncMock(), WallClock())
    for number in (1, 2, 3):
        press: Any = SimpleNamespace(id=number, extras={}, user=SimpleNamespace(id=9), guild_id=1)
        for _ in range(deliveries):
            notes.start(press)
        notes.add(press, PressOutcome("put", ANSWERED_ELSEWHERE), 0.1)
    assert notes.rivals.remark == remark
    await notes.close()
