"""The machine's clock is set while the bot runs: tables do not notice."""

import time

import pytest

from bot.base.clock import WallClock
from bot.base.times import MINUTE_MS

HOUR_NS = 3_600_000_000_000


@pytest.mark.parametrize("moved", [-HOUR_NS, HOUR_NS])
def test_setting_the_machines_clock_moves_neither_deadlines_nor_presses(
    moved: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = WallClock()
    before, real = clock.now(), time.time_ns
    assert abs(before - real() // 1_000_000) < MINUTE_MS
    monkeypatch.setattr(time, "time_ns", lambda: real() + moved)
    assert 0 <= clock.now() - before < MINUTE_MS


def test_the_clock_moves_on() -> None:
    clock = WallClock()
    before = clock.now()
    time.sleep(0.05)
    assert 40 <= clock.now() - before < MINUTE_MS
