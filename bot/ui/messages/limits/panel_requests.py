"""Paces what carries the token of an interaction: private panels, and pictures that follow an answer.

Discord counts these requests for their token alone, 5 in 2 s, and not among the 50 a second of the bot: "Interaction
endpoints are not bound to the bot's Global Rate Limit" (https://discord.com/developers/docs/topics/rate-limits),
"interactions webhooks share the same rate limit properties as normal webhooks"
(https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages). So no panel waits for
another. It is not documented whether a limit for each IP address comes on top: a refusal slows panels down.
"""

import asyncio
from typing import Final

import structlog

from bot.ui.messages.limits.budget import Budget, Slot
from bot.ui.messages.limits.own_load import OwnLoad
from bot.ui.messages.limits.told_limits import ToldLimit

REFRESH_INTERVAL: Final = 0.5
"""Seconds between two edits of a panel, while this process has time to spare."""
SLOWED_S: Final = 60.0
"""How long the panels of a channel are edited more slowly after a refusal."""
SLOWEST: Final = 8.0

_log = structlog.get_logger(__name__)


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
        return Slot(self._budget, told=lambda limit: self._told(limit, channel_id))

    def edit_interval(self, channel_id: int) -> float:
        """Seconds between two edits of a panel of a table in this channel."""
        usual = REFRESH_INTERVAL * self._stretch()
        return max(usual, self._intervals.get(channel_id, 0.0))

    def _told(self, limit: ToldLimit, channel_id: int | None) -> None:
        if not limit.is_refused:
            return
        self.refused += 1
        _log.warning(
            "panels.refused", channel=channel_id, is_global=limit.is_global, wait_s=limit.wait_s, times=self.refused
        )
        if limit.is_global:
            self._budget.pause(limit.wait_s)
        elif limit.is_shared and channel_id is not None:
            slowed = self._intervals[channel_id] = min(2 * self.edit_interval(channel_id), SLOWEST)
            asyncio.get_running_loop().call_later(SLOWED_S, self._recover, channel_id, slowed)

    def _recover(self, channel_id: int, slowed: float) -> None:
        """Forget a slower pace, unless a further refusal has changed it."""
        if self._intervals.get(channel_id) == slowed:
            del self._intervals[channel_id]
