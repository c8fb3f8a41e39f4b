"""Rate limits of requests with the bot's token: of the whole bot, of each channel, of old messages.

Sources: https://discord.com/developers/docs/topics/rate-limits gives the whole bot 50 requests a second; the headers of
answers give a channel 5 posts and edits in 5 s. 3 edits in 6 s of messages older than an hour, for all of a channel
together, are in no header: https://github.com/discord-userdoccers/discord-userdoccers/pull/551, error 30046.
"""

import re
from collections.abc import Callable
from typing import Final
from weakref import WeakValueDictionary

import aiohttp
import structlog

from bot.base.clock import Clock
from bot.discord.api.interactions import snowflake_time
from bot.discord.rate_limits.responses import RateLimit, limit_of
from bot.discord.rate_limits.throttling import RateLimitWindow, RequestPermit, Urgency
from bot.tables.cluster import REQUESTS_A_SECOND

EDIT_INTERVAL: Final = 1.25
"""Shortest time between two edits of a message, in seconds."""
OLD_EDIT_INTERVAL: Final = 2.1
"""Shortest time between two edits of an old message, in seconds."""
EDITS_A_SECOND: Final = 40
"""The most edits a second of all busy tables' messages, of all processes; results and deals come on top."""

IN_CHANNEL: Final = (5, 5.0)
_OLD_EDITS: Final = (3, 6.0)
_OLD_MS: Final = 50 * 60_000
"""Age from which a message is treated as older than an hour, since clocks may differ."""
_BUSY_MS: Final = 5_000
_TO_CHANNEL: Final = re.compile(r"/channels/(\d+)/messages(?:/\d+)?$")

_log = structlog.get_logger(__name__)


class BotRequests:
    """The rate limits that all public messages share. `refused` counts the 429s since the start."""

    def __init__(self, clock: Clock) -> None:
        self.refused = 0
        self._clock = clock
        self._overall = RateLimitWindow(REQUESTS_A_SECOND)
        self._share = REQUESTS_A_SECOND
        self._channels: WeakValueDictionary[int, RateLimitWindow] = WeakValueDictionary()
        self._old_edits: WeakValueDictionary[int, RateLimitWindow] = WeakValueDictionary()
        self._threads_from: dict[int, int] = {}  # by channel
        self._busy: dict[int, int] = {}  # when something happened at a table; the latest are last

    @property
    def free(self) -> float:
        """How many requests may start at once."""
        return max(0.0, self._overall.free)

    def share(self, most: int) -> None:
        """Limit this process to `most` requests a second; the rest is for the bot's other processes."""
        if most != self._share:
            self._share = most
            self._overall.change(most)

    def permit(
        self,
        channel_id: int | None = None,
        message_id: int | None = None,
        *,
        is_urgent: bool = False,
        on_limit: Callable[[RateLimit], None] = lambda _: None,
    ) -> RequestPermit:
        """Return a permit for requests.

        Args:
            channel_id: The channel, if they post or edit there.
            message_id: The message, if they edit one.
            is_urgent: Whether they precede others.
            on_limit: Called with the rate limit in each response.
        """
        windows, channel = [self._overall], None
        if channel_id is not None:
            channel = self._channels.setdefault(channel_id, RateLimitWindow(*IN_CHANNEL))
            windows.insert(0, channel)
            if message_id is not None and self._is_old(message_id):
                windows.insert(0, self._old_edits.setdefault(channel_id, RateLimitWindow(*_OLD_EDITS)))

        def answered(limit: RateLimit) -> None:
            self._on_limit(limit, channel)
            on_limit(limit)

        return RequestPermit(*windows, urgency=Urgency.RESULT if is_urgent else Urgency.CHANGE, on_limit=answered)

    def record_thread_limit(self, channel_id: int, limit: RateLimit) -> None:
        """Record the rate limit that Discord returned with a new thread in a channel.

        Discord accepts 50 in five minutes, which is not documented; the headers say so.
        """
        if limit.wait_s and not limit.is_global:
            self._threads_from[channel_id] = self._clock.now() + round(limit.wait_s * 1000)

    def threads_from(self, channel_id: int) -> int | None:
        """Return when Discord will accept threads in a channel again (Unix milliseconds); None if it already does."""
        now = self._clock.now()
        self._threads_from = {channel: at for channel, at in self._threads_from.items() if at > now}
        return self._threads_from.get(channel_id)

    def on_answer(self, answer: aiohttp.ClientResponse) -> None:
        """Count a request without a permit, such as one for a role, by its method and path.

        It must not wait: discord.py already holds its rate limit bucket, for which other requests wait. Later requests
        wait longer instead.
        """
        if RequestPermit.current() is not None or "Authorization" not in answer.request_info.headers:
            return
        self._overall.count(1)
        channel = None
        if answer.method in ("POST", "PATCH") and (found := _TO_CHANNEL.search(answer.url.path)):
            channel = self._channels.setdefault(int(found[1]), RateLimitWindow(*IN_CHANNEL))
            channel.count(1)
        self._on_limit(limit_of(answer.status, answer.headers), channel)

    def record_activity(self, table_id: int) -> None:
        """Record that something happened at a table, which counts as busy for five seconds."""
        self._busy.pop(table_id, None)
        self._busy[table_id] = self._clock.now()

    def edit_interval(self, message_id: int | None, *, is_urgent: bool = False) -> float:
        """Return the seconds between two edits of this message; the more tables are busy, the longer.

        Busy tables do not delay urgent edits.
        """
        least = OLD_EDIT_INTERVAL if message_id is not None and self._is_old(message_id) else EDIT_INTERVAL
        if is_urgent:
            return least
        return max(least, self._busy_tables() * REQUESTS_A_SECOND / (EDITS_A_SECOND * max(self._share, 1)))

    def _busy_tables(self) -> int:
        since = self._clock.now() - _BUSY_MS
        while self._busy and next(iter(self._busy.values())) < since:
            del self._busy[next(iter(self._busy))]
        return len(self._busy)

    def _on_limit(self, limit: RateLimit, channel: RateLimitWindow | None) -> None:
        if limit.is_refused:
            self.refused += 1
            _log.warning("requests.refused", is_global=limit.is_global, wait_s=limit.wait_s, times=self.refused)
        if limit.is_global:
            self._overall.pause(limit.wait_s)
        elif channel is not None and limit.wait_s:  # a longer wait is for another kind of request, as of threads
            channel.pause(min(limit.wait_s, IN_CHANNEL[1]))

    def _is_old(self, message_id: int) -> bool:
        return self._clock.now() - snowflake_time(message_id) > _OLD_MS
