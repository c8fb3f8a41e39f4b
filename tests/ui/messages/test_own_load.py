"""A process that uses up its core lets panels rest longer."""

from __future__ import annotations

import pytest

from bot.ui.messages.limits.own_load import MOST, STEP, OwnLoad
from bot.ui.messages.limits.panel_requests import REFRESH_INTERVAL, PanelRequests
from bot.ui.messages.limits.told_limits import ToldLimit
from tests.tables.virtual import in_virtual_time


class Machine:
    """Its clock and the processor time of the process, in seconds."""

    def __init__(self) -> None:
        self.used = self.passed = 0.0
        self.load = OwnLoad(lambda: self.used, lambda: self.passed)

    def work(self, share: float, seconds: float) -> float:
        """So much of a core for so long; what the stretch is then."""
        self.passed += seconds
        self.used += share * seconds
        return self.load.stretch()


def test_a_full_core_stretches_the_rest_by_and_by() -> None:
    machine = Machine()
    assert [machine.work(0.95, 1) for _ in range(5)] == pytest.approx([STEP, STEP**2, MOST, MOST, MOST])


def test_it_stays_as_it_is_in_between_and_comes_back_when_calm() -> None:
    machine = Machine()
    slowed = [machine.work(1.0, 1) for _ in range(2)][-1]
    assert machine.work(0.8, 1) == slowed
    assert machine.work(0.5, 1) == pytest.approx(slowed / STEP)
    assert machine.work(0.5, 30 * 86_400) == 1.0, "a server may be silent for a month"


def test_less_than_a_second_says_nothing() -> None:
    machine = Machine()
    assert [machine.work(1.0, 0.3) for _ in range(3)] == [1.0, 1.0, 1.0]
    assert machine.work(1.0, 0.3) == STEP


@in_virtual_time
async def test_panels_follow_the_load_and_what_discord_asks_for() -> None:
    machine = Machine()
    requests = PanelRequests(load=machine.load)
    assert requests.edit_interval(7) == REFRESH_INTERVAL
    machine.work(1.0, 1)
    assert requests.edit_interval(7) == REFRESH_INTERVAL * STEP
    requests.slot(7).answered(ToldLimit(1.5, is_refused=True, is_shared=True))
    assert requests.edit_interval(7) == 2 * REFRESH_INTERVAL * STEP
    assert requests.edit_interval(8) == REFRESH_INTERVAL * STEP
