"""Paces everything that carries the bot's token: for the whole bot, for each channel, for old messages.

Sources: https://discord.com/developers/docs/topics/rate-limits gives the whole bot 50 requests a second; the headers of
answers give a channel 5 posts and edits in 5 s. 3 edits in 6 s of messages older than an hour, for all of a channel
together, are in no header: https://github.com/discord-userdoccers/discord-userdoccers/pull/551, error 30046.
"""

from typing import Final
from weakref import WeakValueDictionary

import discord

from bot.tables.clock import Clock
from bot.ui.messages.budget import Budget, Slot

REQUESTS_A_SECOND: Final = 45
"""What is planned of the 50: a few requests go by no budget, such as the roles of champions."""
EDIT_INTERVAL: Final = 1.25
"""Seconds between two edits of a message."""
OLD_EDIT_INTERVAL: Final = 2.1
"""Seconds between two edits of an old message."""

IN_CHANNEL: Final = (5, 5.0)
_OLD_EDITS: Final = (3, 6.0)
_OLD_MS: Final = 50 * 60_000
"""Less than the hour: the clocks of Discord and of this machine may differ."""


class BotRequests:
    """The budgets that all public messages share."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._overall = Budget(REQUESTS_A_SECOND)
        self._channels: WeakValueDictionary[int, Budget] = WeakValueDictionary()
        self._old_edits: WeakValueDictionary[int, Budget] = WeakValueDictionary()

    def slot(self, channel_id: int | None = None, message_id: int | None = None, *, is_urgent: bool = False) -> Slot:
        """Returns the slot of a request; of one that posts to this channel, or edits this message of it."""
        budgets = []
        if channel_id is not None:
            if message_id is not None and self._is_old(message_id):
                budgets.append(self._old_edits.setdefault(channel_id, Budget(*_OLD_EDITS)))
            budgets.append(self._channels.setdefault(channel_id, Budget(*IN_CHANNEL)))
        return Slot(*budgets, self._overall, is_urgent=is_urgent)

    def edit_interval(self, message_id: int | None) -> float:
        """Seconds between two edits of this message."""
        return OLD_EDIT_INTERVAL if message_id is not None and self._is_old(message_id) else EDIT_INTERVAL

    def _is_old(self, message_id: int) -> bool:
        made_at = (message_id >> 22) + discord.utils.DISCORD_EPOCH
        return self._clock.now() - made_at > _OLD_MS
