"""The pace of private panels, in virtual time: no panel waits for another unless Discord or the host says so."""

import asyncio
from itertools import pairwise

import pytest
from structlog.testing import capture_logs

from bot.ui.live.answers import RateLimit
from bot.ui.live.pace import Coalescer, Slot
from bot.ui.live.requests import MOST, REFRESH_INTERVAL, SLOWED_S, STEP, OwnLoad, PanelRequests
from tests.tables.virtual import in_virtual_time

SHARED = RateLimit(1.5, is_refused=True, is_shared=True)
GLOBAL = RateLimit(3.0, is_refused=True, is_global=True)


class Panel:
    """A panel of a table in a channel; `answers` are what Discord says to the next edits of it."""

    def __init__(self, requests: PanelRequests, channel_id: int) -> None:
        self.edits: list[float] = []
        self.answers: list[RateLimit] = []
        self.writer = Coalescer(
            self._write, interval=lambda _: requests.edit_interval(channel_id), slot=lambda: requests.slot(channel_id)
        )

    async def _write(self, slot: Slot) -> None:
        slot.request()
        self.edits.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.1)
        slot.answered(self.answers.pop(0) if self.answers else RateLimit())


async def change(panels: list[Panel], seconds: float) -> None:
    until = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < until:
        for panel in panels:
            panel.writer.ask()
        await asyncio.sleep(0.05)
    await asyncio.sleep(20)  # until the last is written


def gaps(times: list[float]) -> list[float]:
    return [round(later - earlier, 3) for earlier, later in pairwise(times)]


@in_virtual_time
async def test_a_thousand_panels_do_not_wait_for_each_other() -> None:
    requests = PanelRequests()
    panels = [Panel(requests, number) for number in range(1000)]
    await change(panels, 4)
    assert {tuple(gaps(panel.edits)) for panel in panels} == {(REFRESH_INTERVAL,) * 8}
    assert {panel.edits[0] for panel in panels} == {0.0}


@in_virtual_time
async def test_the_host_may_cap_all_panels_together() -> None:
    requests = PanelRequests(rate=20)
    panels = [Panel(requests, number) for number in range(100)]
    await change(panels, 6)
    edits = sorted(at for panel in panels for at in panel.edits)
    assert all(sum(at <= other < at + 1 for other in edits) <= 20 for at in edits)
    assert all(panel.edits for panel in panels), "none is left out"


@in_virtual_time
async def test_a_shared_limit_slows_the_panels_of_its_channel_for_a_while() -> None:
    requests = PanelRequests()
    here, there = [Panel(requests, 7) for _ in range(2)], Panel(requests, 8)
    here[0].answers = [SHARED]
    with capture_logs() as logs:
        await change([*here, there], 30)
    assert set(gaps(here[1].edits)[1:]) == {2 * REFRESH_INTERVAL}
    assert set(gaps(there.edits)) == {REFRESH_INTERVAL}
    assert requests.refused == 1
    assert [(line["event"], line["channel"], line["times"]) for line in logs] == [("panels.refused", 7, 1)]
    here[0].answers = [SHARED]
    await change(here, 2)
    assert requests.edit_interval(7) == 4 * REFRESH_INTERVAL
    await change(here, SLOWED_S + 1)
    assert requests.edit_interval(7) == REFRESH_INTERVAL
    assert requests.refused == 2


@in_virtual_time
async def test_a_global_limit_pauses_all_panels() -> None:
    requests = PanelRequests()
    panels = [Panel(requests, number) for number in range(5)]
    panels[0].answers = [GLOBAL]
    await change(panels, 6)
    edits = sorted(at for panel in panels for at in panel.edits)
    assert all(at < 0.1 or at > 3.09 for at in edits)
    assert max(edits) > 5


@in_virtual_time
async def test_a_panel_rests_for_as_long_as_the_headers_say() -> None:
    requests = PanelRequests()
    panel = Panel(requests, 7)
    panel.answers = [RateLimit(), RateLimit(1.7)]
    await change([panel], 4)
    assert gaps(panel.edits)[:3] == [0.5, 1.8, 0.5]


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
    requests.slot(7).answered(RateLimit(1.5, is_refused=True, is_shared=True))
    assert requests.edit_interval(7) == 2 * REFRESH_INTERVAL * STEP
    assert requests.edit_interval(8) == REFRESH_INTERVAL * STEP
