"""Who plays and where a table is shown. Ids are opaque numbers here; their meaning belongs to the user interface."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class FormerMessage:
    """A message that a table has left, and that does not say so yet."""

    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table is shown; `message_id` is None until something was posted.

    `round` is the round that the message shows, 0 for the lobby and the signs; `is_final` says that it shows how the
    match ended, and need not be touched again. A table that was moved keeps the id of its `former` message until it is
    posted in its new channel.
    """

    guild_id: int
    channel_id: int
    message_id: int | None = None
    round: int = 0
    is_final: bool = False
    former: FormerMessage | None = None

    @property
    def is_moving(self) -> bool:
        """Whether the table is still to be posted here."""
        return self.former is not None and self.former.message_id == self.message_id

    def moved(self, channel_id: int) -> "Place":
        """The place of the table once it is told to go to a channel, which may be the same."""
        if self.message_id is None or self.is_moving:  # it was not posted since it came here
            return replace(self, channel_id=channel_id)
        return replace(self, channel_id=channel_id, former=FormerMessage(self.channel_id, self.message_id))
