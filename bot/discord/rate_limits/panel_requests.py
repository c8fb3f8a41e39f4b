"""Rate limits of requests with an interaction's token: edits of ephemeral panels, and pictures that follow an answer.

The limit of each token is known, 5 in 2 s: "interactions webhooks share the same rate limit properties as normal
webhooks" (https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages). It is not
known whether all tokens together have one. "Interaction endpoints are not bound to the bot's Global Rate Limit" speaks
against it, "If no authorization header is provided, then the limit is applied to the IP address" for it, both on
https://discord.com/developers/docs/topics/rate-limits. Limits that all tokens of a channel share are reported in
discord-api-docs 2701, 3763 and 7243. So the rate is adapted to the answers.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import aiohttp
import structlog

from bot.discord.rate_limits.responses import RateLimit, limit_of
from bot.discord.rate_limits.throttling import RateLimitWindow, RequestPermit

REFRESH_INTERVAL: Final = 0.5
"""Seconds between two edits of a panel, while this process is not busy."""
SLOWED_S: Final = 300.0
"""How many seconds the panels of a channel are edited less often after a refusal."""
SLOWEST: Final = 10.0

OF_ADDRESS: Final = 50.0
"""Requests a second that Discord is believed to accept from an address."""
LEAST: Final = 5.0
CLIMB: Final = 1.1
"""Factor by which the rate grows while panels wait."""
CLIMB_S: Final = 10.0
"""Seconds between two such steps."""
SAME_S: Final = 2.0
"""Refusals within so many seconds count as one."""

BUSY: Final = 0.85
"""The share of a core above which panels are edited less often."""
CALM: Final = 0.7
"""The share below which they are edited as usual again."""
MOST: Final = 1.6
"""Factor of the interval on a busy core, with which a panel still shows a partner's gesture within a second."""
_SECOND: Final = 1.0

_log = structlog.get_logger(__name__)


class OwnLoad:
    """Measures how much of a core this process uses, so that panels are edited less often on a full one.

    It measures when panels are drawn; no task runs in between.
    """

    def __init__(
        self, used: Callable[[], float] = time.process_time, passed: Callable[[], float] = time.perf_counter
    ) -> None:
        """Measure with two clocks, in seconds: `used` returns the process's CPU time, `passed` the time."""
        self._used, self._passed = used, passed
        self._stretch = 1.0
        self._before = used(), passed()

    def stretch(self) -> float:
        """Return the factor by which the interval between two edits of a panel grows."""
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
    """The rate limit of all panels of this process. `refused` counts the 429s since the start.

    The rate begins with half of what Discord is believed to accept, climbs while panels wait, and is halved by a 429.
    """

    def __init__(self, rate: int = 0, load: OwnLoad | None = None) -> None:
        """Begin with half the rate.

        Args:
            rate: The most requests a second from this address, of all processes; 0 for as many as Discord accepts.
            load: Stretches the intervals between edits while the process is busy.
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
        """The requests a second that this process may make."""
        return max(1.0, min(self._rate, self._most) / self._processes)

    def share(self, processes: int) -> None:
        """Share the rate with the other processes on this address; `processes` is how many there are in all."""
        if processes != self._processes:
            self._processes = processes
            self._window.change(self.rate)

    def permit(self, channel_id: int | None = None) -> RequestPermit:
        """Return a permit for requests; `channel_id` is the channel of the panel's table."""
        if self._window.has_waiters:
            self._climb()
        return RequestPermit(self._window, on_limit=lambda limit: self._on_limit(limit, channel_id))

    def edit_interval(self, channel_id: int) -> float:
        """Return the seconds between two edits of a panel whose table is in this channel."""
        return max(REFRESH_INTERVAL * self._stretch(), self._intervals.get(channel_id, 0.0))

    def on_answer(self, answer: aiohttp.ClientResponse) -> None:
        """Slow panels down if Discord rate-limits an answer to a press, since such answers never wait."""
        if "interactions" in answer.url.parts:
            self._on_limit(limit_of(answer.status, answer.headers), None)

    def _climb(self) -> None:
        if asyncio.get_running_loop().time() - self._changed_at >= CLIMB_S and self._rate < self._most:
            self._set(self._rate * CLIMB)

    def _on_limit(self, limit: RateLimit, channel_id: int | None) -> None:
        if not limit.is_refused:
            return
        self.refused += 1
        fields = {"is_global": limit.is_global, "wait_s": limit.wait_s, "times": self.refused}
        _log.warning("panels.refused", channel=channel_id, **fields)
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
        """Set the interval between edits of a panel in a channel; it is halved every `SLOWED_S` seconds."""
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
