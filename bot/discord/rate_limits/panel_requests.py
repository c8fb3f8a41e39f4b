"""Paces requests with the token of an interaction: edits of private panels, and pictures that follow an answer.

Known is the limit of each token, 5 in 2 s: "interactions webhooks share the same rate limit properties as normal
webhooks" (https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages). Nobody here
knows whether all tokens together have one. "Interaction endpoints are not bound to the bot's Global Rate Limit" speaks
against it, "If no authorization header is provided, then the limit is applied to the IP address" for it, both on
https://discord.com/developers/docs/topics/rate-limits. Limits that all tokens of a channel share are told of by
discord-api-docs 2701, 3763 and 7243. So the pace is found out.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import aiohttp
import structlog

from bot.discord.rate_limits.responses import RateLimit, limit_of
from bot.discord.rate_limits.throttling import RateLimitWindow, Slot

REFRESH_INTERVAL: Final = 0.5
"""Seconds between two edits of a panel, while this process has time to spare."""
SLOWED_S: Final = 300.0
"""How long the panels of a channel are edited more slowly after a refusal."""
SLOWEST: Final = 10.0

OF_ADDRESS: Final = 50.0
"""Requests a second that Discord is believed to take of an address."""
LEAST: Final = 5.0
CLIMB: Final = 1.1
"""By how much the pace grows while panels wait."""
CLIMB_S: Final = 10.0
"""Seconds between two steps."""
SAME_S: Final = 2.0
"""Refusals within so many seconds are of one cause."""

BUSY: Final = 0.85
"""The share of a core above which panels rest longer."""
CALM: Final = 0.7
"""The share below which they come back to their usual rest."""
MOST: Final = 1.6
"""How many times as long they rest: so a panel still shows a partner's gesture within a second."""
_SECOND: Final = 1.0

_log = structlog.get_logger(__name__)


class OwnLoad:
    """Measures how much of its core this process uses; on a full core panels rest longer, so that answers stay quick.

    Measured while panels are drawn; nothing runs in between.
    """

    def __init__(
        self, used: Callable[[], float] = time.process_time, passed: Callable[[], float] = time.perf_counter
    ) -> None:
        """`used` returns the seconds of processor time of this process, `passed` those of the clock."""
        self._used, self._passed = used, passed
        self._stretch = 1.0
        self._before = used(), passed()

    def stretch(self) -> float:
        """Return how many times as long as usual a panel rests."""
        used_before, passed_before = self._before
        seconds = (now := self._passed()) - passed_before
        if seconds >= _SECOND:
            used = self._used()
            share = (used - used_before) / seconds
            if share > BUSY or share < CALM:
                self._stretch = MOST if share > BUSY else 1.0
            self._before = used, now
        return self._stretch


class PanelRequests:
    """The pace of all panels of this process. `refused` counts the refusals since the start.

    It begins with half of what an address is believed to have, climbs while panels wait, and halves after a refusal.
    """

    def __init__(self, rate: int = 0, load: OwnLoad | None = None) -> None:
        """`rate`: the most requests a second of the address; 0: as many as Discord takes.

        Panels rest longer while `load` says so.
        """
        self.refused = 0
        self._most = float(rate or "inf")
        self._stretch = load.stretch if load else lambda: 1.0
        self._processes = 1
        self._rate = (rate or OF_ADDRESS) / 2
        self._window = RateLimitWindow(self.rate)
        self._changed_at = self._slowed_at = float("-inf")
        self._intervals: dict[int, float] = {}

    @property
    def rate(self) -> float:
        """Requests a second that this process may make."""
        return max(1.0, min(self._rate, self._most) / self._processes)

    def share(self, processes: int) -> None:
        """So many processes send from this address."""
        if processes != self._processes:
            self._processes = processes
            self._window.change(self.rate)

    def slot(self, channel_id: int | None = None) -> Slot:
        """Return the slot of a request; of one for a panel of a table in this channel."""
        if self._window.has_waiters:
            self._climb()
        return Slot(self._window, on_limit=lambda limit: self._on_limit(limit, channel_id))

    def edit_interval(self, channel_id: int) -> float:
        """Return the seconds between two edits of a panel of a table in this channel."""
        return max(REFRESH_INTERVAL * self._stretch(), self._intervals.get(channel_id, 0.0))

    def on_answer(self, answer: aiohttp.ClientResponse) -> None:
        """Let panels give way to answers to presses, which never wait, where Discord refuses one."""
        if "interactions" in answer.url.parts:
            self._on_limit(limit_of(answer.status, answer.headers), None)

    def _climb(self) -> None:
        if asyncio.get_running_loop().time() - self._changed_at >= CLIMB_S and self._rate < self._most:
            self._set(self._rate * CLIMB)

    def _on_limit(self, limit: RateLimit, channel_id: int | None) -> None:
        if not limit.is_refused:
            return
        self.refused += 1
        told = {"is_global": limit.is_global, "wait_s": limit.wait_s, "times": self.refused}
        _log.warning("panels.refused", channel=channel_id, **told)
        now = asyncio.get_running_loop().time()
        if limit.is_shared:
            if channel_id is not None:
                self._slow(channel_id, min(2 * self.edit_interval(channel_id), SLOWEST))
            return
        if limit.is_global:
            self._window.pause(limit.wait_s)
        if now - self._slowed_at <= SAME_S:
            return
        self._slowed_at = now
        self._set(self._rate / 2)
        _log.warning("panels.slowed", rate=round(self._rate, 1))

    def _slow(self, channel_id: int, interval: float) -> None:
        """Edit the panels of a channel at longer intervals; `SLOWED_S` after its last refusal they are halved."""
        self._intervals[channel_id] = interval
        asyncio.get_running_loop().call_later(SLOWED_S, self._recover, channel_id, interval)

    def _recover(self, channel_id: int, slowed: float) -> None:
        if self._intervals.get(channel_id) != slowed:
            return
        if slowed / 2 > REFRESH_INTERVAL:
            self._slow(channel_id, slowed / 2)
        else:
            del self._intervals[channel_id]

    def _set(self, rate: float) -> None:
        self._rate, self._changed_at = max(rate, LEAST), asyncio.get_running_loop().time()
        self._window.change(self.rate)
