"""Panels under limits that nobody knows, in virtual time: the bot's pace, the simulated limits, and nothing else.

`make bench BENCH=limits` prints it for each fear.
"""

import asyncio
import random
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

from yarl import URL

from bot.discord.api.error_codes import TOO_MANY
from bot.discord.messages.ephemeral_message import REFRESH_S
from bot.discord.rate_limits.panel_requests import PanelRequests
from bot.discord.rate_limits.responses import limit_of
from bot.discord.rate_limits.throttling import Coalescer, RequestPermit, Urgency
from tests.rig.assumptions import PLAIN, Assumptions
from tests.rig.limits import RateLimits
from tests.rig.load import percentile
from tests.tables.virtual import VirtualLoop

SEATS: Final = 4
ONE_WAY_S: Final = 0.05
ANSWER_S: Final = 3.0
CHANGES_A_SECOND: Final = 8 / 3
"""At each table: each panel shows the three fourths that others make, two a second."""
PRESSES_A_SECOND: Final = 0.2
"""Of which so many are people's, who each press every twenty seconds; the rest are robots' and clocks'."""
GESTURES: Final = 0.1
"""The share of changes that are gestures, for one panel of the others."""


@dataclass
class Played:
    """What came of it. Ages in seconds, from a change until a panel shows it. ``edits`` are when each was taken."""

    ages: list[float] = field(default_factory=list)
    gestures: list[float] = field(default_factory=list)
    edits: list[float] = field(default_factory=list)
    presses: int = 0
    unanswered: int = 0
    unseen: int = 0
    refused: int = 0
    is_shut_out: bool = False

    @property
    def lost(self) -> int:
        return self.unanswered + self.unseen + self.is_shut_out

    def __str__(self) -> str:
        return (
            f"{self.refused:,} refusals{', shut out' if self.is_shut_out else ''}; panels' age 95 %"
            f" {percentile(self.ages, 0.95):.2f} s, a partner's gesture {percentile(self.gestures, 0.95):.2f} s;"
            f" {self.unanswered} of {self.presses:,} presses unanswered, {self.unseen} panels left behind"
        )


class Discord:
    """An address with its limits, and the panels that it edits."""

    def __init__(self, requests: PanelRequests, assumptions: Assumptions = PLAIN) -> None:
        self.played = Played()
        self.requests = requests
        self.limits = RateLimits(loop_time, assumptions, lambda token: int(token.split(".")[0]))

    async def send(self, method: str, path: str, permit: RequestPermit | None = None) -> None:
        """Send until it is taken, as discord.py does; ``permit`` hears what an edit meets, and ends it."""
        while True:
            await asyncio.sleep(ONE_WAY_S)
            verdict = self.limits.spend(method, path)
            status, headers = 200 if verdict.retry_after is None else TOO_MANY, verdict.headers
            self.limits.answered(status, headers.get("X-RateLimit-Scope"))
            self.played.is_shut_out |= self.limits.has_shut_out
            await asyncio.sleep(ONE_WAY_S)
            if permit is not None:
                permit.answered(limit_of(status, headers))
            else:
                answer: Any = SimpleNamespace(url=_CALLBACK, headers=headers, status=status)
                self.requests.on_answer(answer)
            if verdict.retry_after is None:
                return
            self.played.refused += 1
            await asyncio.sleep(verdict.retry_after)


class Panel:
    """One panel: the changes that it does not show yet, and the number of its owner's presses."""

    def __init__(self, discord: Discord, table: int, seat: int) -> None:
        self.due: list[tuple[float, bool]] = []
        self._discord = discord
        self._name, self._presses = f"{table}.{seat}", 0
        requests = discord.requests
        self.writer = Coalescer(
            self._write, interval=lambda _: requests.edit_interval(table), permit=lambda: requests.permit(table)
        )

    def change(self, *, is_gesture: bool = False) -> None:
        self.due.append((loop_time(), is_gesture))
        self.writer.request_update(Urgency.GESTURE if is_gesture else Urgency.CHANGE)

    async def press(self) -> None:
        played = self._discord.played
        played.presses += 1
        self._presses += 1
        self.writer.overtake()
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._show(partial(self._discord.send, "POST", "/interactions/1/2/callback"))
        except TimeoutError:
            played.unanswered += 1
            self.writer.request_update()

    async def _write(self, permit: RequestPermit) -> None:
        permit.record_sent()
        path = f"/webhooks/1/{self._name}.{self._presses}/messages/@original"
        async with asyncio.timeout(REFRESH_S) as permit.patience:
            await self._show(partial(self._discord.send, "PATCH", path, permit))
        self._discord.played.edits.append(loop_time())

    async def _show(self, send: Any) -> None:
        due, self.due = self.due, []
        try:
            await send()
        except BaseException:
            self.due = due + self.due
            raise
        played, now = self._discord.played, loop_time()
        for at, is_gesture in due:
            (played.gestures if is_gesture else played.ages).append(now - at)


async def play(
    discord: Discord, tables: int, seconds: float, presses: float = PRESSES_A_SECOND, *, settles_s: float = 60.0
) -> Played:
    """Let so many tables play. What panels do not show ``settles_s`` later is ``unseen``."""
    panels = [[Panel(discord, number, seat) for seat in range(SEATS)] for number in range(tables)]
    async with asyncio.TaskGroup() as running:
        for number, table in enumerate(panels):
            running.create_task(_table(table, loop_time() + seconds, presses, random.Random(number), running))
    discord.played.is_shut_out |= discord.limits.has_shut_out
    await asyncio.sleep(settles_s)
    every = [panel for table in panels for panel in table]
    discord.played.unseen = sum(bool(panel.due) for panel in every)
    for panel in every:
        panel.writer.close()
    return discord.played


async def _table(
    panels: list[Panel], until: float, presses: float, rng: random.Random, running: asyncio.TaskGroup
) -> None:
    while loop_time() < until:
        await asyncio.sleep(rng.expovariate(CHANGES_A_SECOND))
        seat, is_gesture = rng.randrange(SEATS), rng.random() < GESTURES
        if rng.random() < presses / CHANGES_A_SECOND:
            running.create_task(panels[seat].press())
        for other, panel in enumerate(panels):
            if other != seat:
                panel.change(is_gesture=is_gesture and abs(other - seat) == SEATS // 2)


def loop_time() -> float:
    return asyncio.get_running_loop().time()


def played(tables: int, seconds: float, assumptions: Assumptions = PLAIN) -> Played:
    async def run() -> Played:
        return await play(Discord(PanelRequests(), assumptions), tables, seconds)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(run())


_CALLBACK: Final = URL("/interactions/1/2/callback")
