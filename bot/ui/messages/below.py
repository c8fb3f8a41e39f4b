"""What has happened to the place of a table's message in its channel: whether the next deal gets a message of its own.

The bot sees that messages come, and not what they say. What it did not see counts as written.
"""

from typing import Final

import discord

MOST_MINUTES: Final = 45
"""A message that is older is left at the next deal: Discord lets old ones be edited less often."""
MOST_REACTIONS: Final = 15
"""So many different reactions fill a message; Discord allows 20."""
_MINUTE_MS: Final = 60_000


class Below:
    """About one message at a time; `is_unsure`: something may have been written while the bot was away."""

    def __init__(self, *, is_unsure: bool) -> None:
        self._is_unsure = is_unsure
        self._newest = 0
        self._reactions: set[str] = set()

    def posted(self) -> None:
        """The message was posted just now."""
        self._is_unsure = False
        self._reactions.clear()

    def lost_sight(self) -> None:
        """Messages may have come that the bot did not see."""
        self._is_unsure = True

    def written(self, message_id: int) -> None:
        """A message came in the channel: the table's own one, or another."""
        self._newest = max(self._newest, message_id)

    def reacted(self, emoji: str) -> None:
        """A reaction was put on the message."""
        self._reactions.add(emoji)

    def is_left(self, message_id: int, now: int) -> bool:
        """Whether the next deal leaves the message of that id for a new one."""
        age = now - (message_id >> 22) - discord.utils.DISCORD_EPOCH
        is_covered = self._is_unsure or self._newest > message_id
        return is_covered or age > MOST_MINUTES * _MINUTE_MS or len(self._reactions) >= MOST_REACTIONS
