"""A world with what happens in tests alone: requests that are refused, clients that are loaded again, observers."""

from collections.abc import Callable
from typing import Any, Final

from bot.sandbox.discord.errors import DiscordError
from bot.sandbox.discord.objects import Channel, Message
from bot.sandbox.discord.state import wall_clock
from bot.sandbox.discord.world import World

_NOBODY: Final = 0


class RigWorld(World):
    """`followers` see every message that was posted, edited or (True) deleted, ephemeral ones too.

    `refusals` are what Discord refuses, by method and shape of the path. `is_token_reset`: the bot's token is no longer
    good.
    """

    def __init__(self, bot_name: str = "Kem's", now: Callable[[], int] = wall_clock) -> None:
        super().__init__(bot_name, now)
        self.followers: list[Callable[[Message, bool], None]] = []
        self.refusals: dict[tuple[str, str], DiscordError] = {}
        self.is_token_reset = False

    def post(self, channel: Channel, author_id: int, **fields: Any) -> Message:
        message = super().post(channel, author_id, **fields)
        self._follow(message, gone=False)
        return message

    def change(self, message: Message, **fields: Any) -> Message:
        super().change(message, **fields)
        self._follow(message, gone=False)
        return message

    def delete(self, message: Message) -> None:
        is_there = message.id in self.channels[message.channel_id].messages
        super().delete(message)
        if is_there:
            self._follow(message, gone=True)

    def remove_channel(self, channel: Channel) -> None:
        super().remove_channel(channel)
        for message in channel.messages.values():
            self._follow(message, gone=True)

    def forget(self, message: Message) -> None:
        """Show an ephemeral message no more; it still takes edits."""
        message.viewer_id = _NOBODY
        self._follow(message, gone=True)

    def _follow(self, message: Message, *, gone: bool) -> None:
        for follower in self.followers:
            follower(message, gone or message.viewer_id == _NOBODY)
