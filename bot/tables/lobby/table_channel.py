"""Where a table is shown. Ids of channels and messages are opaque numbers here."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class FormerMessage:
    """A message that showed a table before."""

    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class TableChannel:
    """Where a table is shown.

    - `message_id`: its message; None until one is posted.
    - `round`: the round that the message shows, 0 for the lobby and the signs.
    - `is_final`: the message shows how the match ended, and no longer changes.
    - `former`: the last message of a table that was moved, until the table is posted in its new channel and that
      message says so.
    - `post`: the message of the lobby under which the match has its thread; it links to the match, and later shows how
      that ended.
    - `logs`: all former messages of the table, which are deleted when it ends.
    - `open_channel_id`: the table's channel, or its thread's, if @everyone can see it.
    """

    guild_id: int
    channel_id: int
    message_id: int | None = None
    round: int = 0
    is_final: bool = False
    former: FormerMessage | None = None
    post: FormerMessage | None = None
    logs: tuple[FormerMessage, ...] = ()
    open_channel_id: int | None = None

    @property
    def is_moving(self) -> bool:
        """Whether the table was moved and is not posted in its new channel yet."""
        return self.former is not None and self.former.message_id == self.message_id

    def next(self, message_id: int, number: int, *, is_gone: bool) -> "TableChannel":
        """Return the address with a new message, which shows that round; `is_gone`: the last message was deleted."""
        logs = self.logs
        if self.message_id is not None and not (is_gone or self.is_moving):
            logs = (*logs, FormerMessage(self.channel_id, self.message_id))
        return replace(self, message_id=message_id, round=number, logs=logs)

    def moved_to(self, channel_id: int) -> "TableChannel":
        """Return the table's address after a move to a channel, which may be its present one."""
        moved = replace(self, channel_id=channel_id, open_channel_id=None)
        if self.message_id is None or self.is_moving:  # it was not posted since its last move
            return moved
        return replace(moved, former=FormerMessage(self.channel_id, self.message_id))

    def in_thread(self, thread_id: int) -> "TableChannel":
        """Return the address of a match that starts in a thread under its lobby's message."""
        assert self.message_id is not None, "a thread is opened under a message"
        post = FormerMessage(self.channel_id, self.message_id)
        return TableChannel(self.guild_id, thread_id, post=post)
