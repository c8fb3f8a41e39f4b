"""Another process that answers presses with the bot's token is noticed; a lost receipt is none."""

from structlog.testing import capture_logs

from bot.discord.interactions.admission.press_notes import Rivals
from bot.records.press_notes import RIVAL


def after(*seconds: float, presses: int = 99) -> str | None:
    """What is said half a second after the last of so many presses that were answered elsewhere, heard in turn."""
    now = 0.0
    rivals = Rivals(lambda: now)
    for number, now in enumerate(seconds):  # noqa: B007 - the clock reads it
        rivals.hear(number % presses)
    now += 0.5
    return rivals.problem


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
        rivals.hear(number)
    now = 599.0
    assert rivals.problem == RIVAL
    now = 601.0
    assert rivals.problem is None
    rivals.hear(4)
    assert rivals.problem is None
