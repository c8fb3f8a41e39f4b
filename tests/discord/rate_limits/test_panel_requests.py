"""The pace of private panels, in virtual time: it is found out what Discord takes of an address."""

import asyncio
from functools import partial
from itertools import pairwise

import pytest
from structlog.testing import capture_logs

from bot.discord.rate_limits.panel_requests import (
    CLIMB,
    LEAST,
    MOST,
    OF_ADDRESS,
    REFRESH_INTERVAL,
    SAME_S,
    SLOWED_S,
    OwnLoad,
    PanelRequests,
)
from bot.discord.rate_limits.responses import RateLimit
from bot.discord.rate_limits.throttling import Coalescer, RequestPermit, Urgency
from tests.rig.assumptions import Assumptions
from tests.rig.panel_load import Discord, loop_time, play
from tests.tables.virtual import in_virtual_time

SHARED = RateLimit(1.5, is_refused=True, is_shared=True)
GLOBAL = RateLimit(3.0, is_refused=True, is_global=True)


class Panel:
    """A panel of a table in a channel; `answers` are what Discord says to the next edits of it."""

    def __init__(self, requests: PanelRequests, channel_id: int) -> None:
        self.edits: list[float] = []
        self.answers: list[RateLimit] = []
        self.writer = Coalescer(
            self._write,
            interval=lambda _: requests.edit_interval(channel_id),
            permit=lambda: requests.permit(channel_id),
        )

    async def _write(self, permit: RequestPermit) -> None:
        permit.record_sent()
        self.edits.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.1)
        permit.answered(self.answers.pop(0) if self.answers else RateLimit())


async def change(panels: list[Panel], seconds: float) -> None:
    until = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < until:
        for panel in panels:
            panel.writer.request_update()
        await asyncio.sleep(0.05)
    await asyncio.sleep(20)  # until the last is written


def gaps(times: list[float]) -> list[float]:
    return [round(later - earlier, 3) for earlier, later in pairwise(times)]


async def busy(discord: Discord, tables: int, seconds: float, presses: float = 0.0) -> float:
    """So many tables play. Returns how many edits a second Discord has taken at the end."""
    before = len(discord.played.edits)
    await play(discord, tables, seconds, presses, settles_s=2.0)
    ended = loop_time() - 2.0
    return sum(ended - 20 < at <= ended for at in discord.played.edits[before:]) / 20


@in_virtual_time
async def test_a_few_panels_are_edited_without_waiting() -> None:
    requests = PanelRequests()
    panels = [Panel(requests, number) for number in range(8)]
    await change(panels, 4)
    assert {tuple(gaps(panel.edits)) for panel in panels} == {(REFRESH_INTERVAL,) * 8}
    assert {panel.edits[0] for panel in panels} == {0.0}


@in_virtual_time
async def test_without_a_refusal_the_rate_rises_while_panels_wait() -> None:
    requests = PanelRequests()
    discord = Discord(requests)
    assert requests.rate == OF_ADDRESS / 2
    assert await busy(discord, 15, 9) < requests.rate * CLIMB
    await busy(discord, 15, 130)
    assert requests.rate > 75, "as many as are needed"
    climbed = requests.rate
    await busy(discord, 3, 20)
    assert requests.rate == climbed, "nobody waits any more"


@pytest.mark.parametrize(
    ("presses", "counts"),
    [(1.3, True), *(pytest.param(presses, False, marks=pytest.mark.long) for presses in (0, 1.3, 2))],
)
@in_virtual_time
async def test_the_rate_approaches_a_limit_of_fifty_a_second_with_few_refusals(presses: float, counts: bool) -> None:
    discord = Discord(PanelRequests(), Assumptions(of_address=50, counts_answers=counts))
    played = discord.played
    taken = await busy(discord, 15, 200, presses)
    assert 0 < played.refused < 30
    assert taken > (12 if counts else 25), "answers that do not count take nothing from panels"


@in_virtual_time
async def test_panels_slow_down_when_presses_use_up_the_limit_of_the_address() -> None:
    discord = Discord(PanelRequests(), Assumptions(of_address=50, counts_answers=True))
    await busy(discord, 15, 60)
    before = discord.played.refused
    await busy(discord, 12, 30, 2)
    assert discord.played.refused - before < 50
    assert discord.played.unanswered == 0


@in_virtual_time
async def test_the_host_may_cap_all_panels_together() -> None:
    requests = PanelRequests(rate=20)
    panels = [Panel(requests, number) for number in range(100)]
    await change(panels, 40)
    edits = sorted(at for panel in panels for at in panel.edits)
    assert all(sum(at <= other < at + 1 for other in edits) <= 20 for at in edits)
    assert all(panel.edits for panel in panels), "none is left out"


@in_virtual_time
async def test_processes_of_one_address_share_its_rate() -> None:
    requests = PanelRequests()
    requests.share(2)
    assert requests.rate == OF_ADDRESS / 4


@in_virtual_time
async def test_a_refusal_halves_the_rate_which_then_recovers() -> None:
    requests = PanelRequests()
    for _ in range(3):  # of one cause
        requests.permit().answered(GLOBAL)
    assert requests.rate == OF_ADDRESS / 4
    await busy(Discord(requests), 15, 90)
    assert requests.rate > OF_ADDRESS / 2
    for _ in range(10):
        requests.permit().answered(GLOBAL)
        await asyncio.sleep(SAME_S + 1)
    assert requests.rate == LEAST


@in_virtual_time
async def test_panels_are_edited_first_for_the_pressers_partner_and_last_for_idle_players() -> None:
    requests = PanelRequests(rate=1)
    order: list[str] = []

    async def edit(name: str, permit: RequestPermit) -> None:
        permit.record_sent()
        order.append(name)

    asked = {
        "a": Urgency.CHANGE,
        "b": Urgency.UNTOUCHED,
        "c": Urgency.CHANGE,
        "d": Urgency.RESULT,
        "e": Urgency.GESTURE,
    }
    for name, urgency in asked.items():
        Coalescer(partial(edit, name), interval=lambda _: 0.5, permit=requests.permit).request_update(urgency)
    await asyncio.sleep(10)
    assert order == ["a", "e", "d", "c", "b"]


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
    assert requests.edit_interval(7) == 2 * REFRESH_INTERVAL
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
async def test_a_panel_waits_as_long_as_the_headers_say() -> None:
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


def test_panels_are_refreshed_less_often_while_the_core_is_full() -> None:
    machine = Machine()
    assert [machine.work(share, 1) for share in (0.8, 0.95, 0.8, 0.5, 0.8)] == [1.0, MOST, MOST, 1.0, 1.0]


def test_a_load_of_less_than_a_second_is_not_measured() -> None:
    machine = Machine()
    assert [machine.work(1.0, 0.3) for _ in range(4)] == [1.0, 1.0, 1.0, MOST]


@in_virtual_time
async def test_the_panel_interval_depends_on_the_load_and_on_discord() -> None:
    machine = Machine()
    requests = PanelRequests(load=machine.load)
    assert requests.edit_interval(7) == REFRESH_INTERVAL
    machine.work(1.0, 1)
    assert requests.edit_interval(7) == REFRESH_INTERVAL * MOST
    requests.permit(7).answered(RateLimit(1.5, is_refused=True, is_shared=True))
    assert requests.edit_interval(7) == 2 * REFRESH_INTERVAL * MOST
    assert requests.edit_interval(8) == REFRESH_INTERVAL * MOST
