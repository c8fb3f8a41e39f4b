"""Paces requests: those with the bot's token, and those with the token of an interaction.

With the bot's token, for the whole bot, for each channel, for old messages.
Sources: https://discord.com/developers/docs/topics/rate-limits gives the whole bot 50 requests a second; the headers of
answers give a channel 5 posts and edits in 5 s. 3 edits in 6 s of messages older than an hour, for all of a channel
together, are in no header: https://github.com/discord-userdoccers/discord-userdoccers/pull/551, error 30046.

Private panels, and pictures that follow an answer, carry the token of an interaction. Discord counts these requests for
their token alone, 5 in 2 s, and not among the 50 a second of the bot: "Interaction endpoints are not bound to the bot's
Global Rate Limit" (https://discord.com/developers/docs/topics/rate-limits), "interactions webhooks share the same rate
limit properties as normal webhooks"
(https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages). So no panel waits for
another. It is not documented whether a limit for each IP address comes on top: a refusal slows panels down.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.tables.clock import Clock
from bot.tables.cluster import REQUESTS_A_SECOND
from bot.ui.live.answers import RateLimit
from bot.ui.live.pace import Budget, Slot

EDIT_INTERVAL: Final = 1.25
"""Seconds between two edits of a message, at least."""
OLD_EDIT_INTERVAL: Final = 2.1
"""Seconds between two edits of an old message, at least."""
EDITS_A_SECOND: Final = 40
"""Edits of the messages of all busy tables together, of all processes; results and deals come on top."""

IN_CHANNEL: Final = (5, 5.0)
_OLD_EDITS: Final = (3, 6.0)
_OLD_MS: Final = 50 * 60_000
"""Less than the hour: the clocks of Discord and of this machine may differ."""
_BUSY_MS: Final = 5_000

REFRESH_INTERVAL: Final = 0.5
"""Seconds between two edits of a panel, while this process has time to spare."""
SLOWED_S: Final = 60.0
"""How long the panels of a channel are edited more slowly after a refusal."""
SLOWEST: Final = 8.0

BUSY: Final = 0.85
"""The share of a core above which panels rest longer."""
CALM: Final = 0.7
"""The share below which they come back to their usual rest."""
STEP: Final = 1.25
"""By how much the rest changes each second."""
MOST: Final = 1.6
"""So a panel still shows a partner's gesture within a second."""
_SECOND: Final = 1.0
_RECOVERS_S: Final = 10.0
"""After so long a calm the rest is as usual, however long the calm lasts."""

_log = structlog.get_logger(__name__)


class BotRequests:
    """The limits that all public messages share. `refused` counts the refusals since the start."""

    def __init__(self, clock: Clock) -> None:
        self.refused = 0
        self._clock = clock
        self._overall = Budget(REQUESTS_A_SECOND)
        self._share = REQUESTS_A_SECOND
        self._channels: WeakValueDictionary[int, Budget] = WeakValueDictionary()
        self._old_edits: WeakValueDictionary[int, Budget] = WeakValueDictionary()
        self._busy: dict[int, int] = {}  # when something happened at a table; the latest are last

    @property
    def free(self) -> float:
        return self._overall.free

    def share(self, most: int) -> None:
        """Send so many requests a second from now on: the bot's other processes send the rest."""
        if most != self._share:
            self._share = most
            self._overall.change(most)

    def slot(
        self,
        channel_id: int | None = None,
        message_id: int | None = None,
        *,
        is_urgent: bool = False,
        on_limit: Callable[[RateLimit], None] = lambda _: None,
    ) -> Slot:
        """Returns the slot of a request; of one that posts to this channel, or edits this message of it.

        `on_limit` is called with what each answer says of the limits.
        """
        budgets, channel = [self._overall], None
        if channel_id is not None:
            channel = self._channels.setdefault(channel_id, Budget(*IN_CHANNEL))
            budgets.insert(0, channel)
            if message_id is not None and self._is_old(message_id):
                budgets.insert(0, self._old_edits.setdefault(channel_id, Budget(*_OLD_EDITS)))

        def answered(limit: RateLimit) -> None:
            self._on_limit(limit, channel)
            on_limit(limit)

        return Slot(*budgets, is_urgent=is_urgent, on_limit=answered)

    def note_busy(self, table_id: int) -> None:
        self._busy.pop(table_id, None)
        self._busy[table_id] = self._clock.now()

    def edit_interval(self, message_id: int | None, *, is_urgent: bool = False) -> float:
        """Seconds between two edits of this message: the longer, the more tables are busy, but for urgent edits."""
        least = OLD_EDIT_INTERVAL if message_id is not None and self._is_old(message_id) else EDIT_INTERVAL
        if is_urgent:
            return least
        return max(least, self._busy_tables() * REQUESTS_A_SECOND / (EDITS_A_SECOND * max(self._share, 1)))

    def _busy_tables(self) -> int:
        since = self._clock.now() - _BUSY_MS
        while self._busy and next(iter(self._busy.values())) < since:
            del self._busy[next(iter(self._busy))]
        return len(self._busy)

    def _on_limit(self, limit: RateLimit, channel: Budget | None) -> None:
        if limit.is_refused:
            self.refused += 1
            _log.warning("requests.refused", is_global=limit.is_global, wait_s=limit.wait_s, times=self.refused)
        if limit.is_global:
            self._overall.pause(limit.wait_s)
        elif channel is not None and limit.wait_s:  # a longer wait is for another kind of request, as of threads
            channel.pause(min(limit.wait_s, IN_CHANNEL[1]))

    def _is_old(self, message_id: int) -> bool:
        made_at = (message_id >> 22) + discord.utils.DISCORD_EPOCH
        return self._clock.now() - made_at > _OLD_MS


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
        """How many times as long as usual a panel rests: 1 to `MOST`."""
        used_before, passed_before = self._before
        seconds = (now := self._passed()) - passed_before
        if seconds >= _SECOND:
            used = self._used()
            share = (used - used_before) / seconds
            if share > BUSY:
                self._stretch = min(self._stretch * STEP, MOST)
            elif share < CALM:
                self._stretch = max(self._stretch / STEP ** min(seconds, _RECOVERS_S), 1.0)
            self._before = used, now
        return self._stretch


class PanelRequests:
    """The limits of all panels. `refused` counts the refusals since the start."""

    def __init__(self, rate: int = 0, load: OwnLoad | None = None) -> None:
        """`rate`: edits a second of all panels together; 0: no limit. Panels rest longer while `load` says so."""
        self.refused = 0
        self._stretch = load.stretch if load else lambda: 1.0
        self._budget = Budget(rate)
        self._intervals: dict[int, float] = {}

    def slot(self, channel_id: int | None = None) -> Slot:
        """Returns the slot of a request; of one for a panel of a table in this channel."""
        return Slot(self._budget, on_limit=lambda limit: self._on_limit(limit, channel_id))

    def edit_interval(self, channel_id: int) -> float:
        """Seconds between two edits of a panel of a table in this channel."""
        return max(REFRESH_INTERVAL * self._stretch(), self._intervals.get(channel_id, 0.0))

    def _on_limit(self, limit: RateLimit, channel_id: int | None) -> None:
        if not limit.is_refused:
            return
        self.refused += 1
        told = {"is_global": limit.is_global, "wait_s": limit.wait_s, "times": self.refused}
        _log.warning("panels.refused", channel=channel_id, **told)
        if limit.is_global:
            self._budget.pause(limit.wait_s)
        elif limit.is_shared and channel_id is not None:
            slowed = self._intervals[channel_id] = min(2 * self.edit_interval(channel_id), SLOWEST)
            asyncio.get_running_loop().call_later(SLOWED_S, self._recover, channel_id, slowed)

    def _recover(self, channel_id: int, slowed: float) -> None:
        """Forget a slower pace, unless a further refusal has changed it."""
        if self._intervals.get(channel_id) == slowed:
            del self._intervals[channel_id]
