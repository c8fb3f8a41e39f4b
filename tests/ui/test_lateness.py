"""Late presses are known by Discord's clock, whatever ours says."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bot.ui.answers import made_at
from bot.ui.lateness import Lateness

NOON = 1_800_000_000_000


def press(made: int) -> SimpleNamespace:
    """An interaction as Discord numbers it: made so many milliseconds after noon."""
    return SimpleNamespace(id=(NOON + made - 1_420_070_400_000 << 22) + 77)


class Our:
    """Our clock, which may be wrong; `is_late` hears of a press made and delivered at these instants."""

    def __init__(self, wrong_by: int) -> None:
        self.now = NOON + wrong_by
        self.wrong_by = wrong_by
        self.lateness = Lateness(lambda: self.now)

    def is_late(self, made: int, delivered: int) -> bool:
        self.now = NOON + delivered + self.wrong_by
        return self.lateness.is_late(press(made))  # type: ignore[arg-type]  # only its id is read


def test_when_it_was_made() -> None:
    assert made_at(press(84)) == NOON + 84  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong_by", [0, -60_000, 60_000])
def test_a_press_is_late_after_three_seconds(wrong_by: int) -> None:
    our = Our(wrong_by)
    assert not our.is_late(0, 90)
    assert not our.is_late(1000, 4000)
    assert our.is_late(5000, 8200)
    assert not our.is_late(9000, 9050)


def test_a_clock_that_was_put_right_is_believed_again() -> None:
    our = Our(0)
    for made in range(0, 1000, 100):
        assert not our.is_late(made, made + 50)
    our.wrong_by = 10_000
    late = [our.is_late(made, made + 50) for made in range(2000, 12_000, 100)]
    assert late[0]
    assert not late[-1]
