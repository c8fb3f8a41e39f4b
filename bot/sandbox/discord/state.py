"""The state of the world: guilds with channels and members, one bot, application emojis, commands, interactions.

Identifiers are milliseconds since 2015, then a counter.
Source: https://discord.com/developers/docs/reference#snowflakes
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from bot.sandbox.discord import errors
from bot.sandbox.discord.objects import Channel, Emoji, Guild, Interaction, Json, User
from bot.sandbox.discord.permissions import permissions_in, sees

EPOCH_MS: Final = 1_420_070_400_000
_TIME_SHIFT: Final = 22


def wall_clock() -> int:
    """Return the milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


def made_ms(snowflake: int) -> int:
    """Return when an identifier was made, in milliseconds since the Unix epoch."""
    return (snowflake >> _TIME_SHIFT) + EPOCH_MS


def timestamp(ms: int) -> str:
    """Return an instant as Discord writes it (ISO 8601 with microseconds and a zone)."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="microseconds")


class Snowflakes:
    """Makes identifiers that are unique and ascend."""

    def __init__(self, now: Callable[[], int] = wall_clock) -> None:
        self._now = now
        self._last = 0

    def __call__(self) -> int:
        """Return a new identifier."""
        self._last = max(self._last + 1, self._now() - EPOCH_MS << _TIME_SHIFT)
        return self._last

    def in_next_millisecond(self) -> int:
        """Return an identifier from a new millisecond: its time decides the shard of a guild."""
        self._last = ((self._last >> _TIME_SHIFT) + 1) << _TIME_SHIFT
        return self()


class State:
    """All objects by their ids, and what the bot may do with them. `now` returns milliseconds since the Unix epoch."""

    def __init__(self, bot_name: str, now: Callable[[], int] = wall_clock) -> None:
        self.now = now
        self.new_id = Snowflakes(now)
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.bot = self.add_user(bot_name, is_bot=True)
        self.application_id = self.new_id()
        self.application_emojis: dict[int, Emoji] = {}
        self.commands: dict[int, list[Json]] = {}  # by guild, 0 for global ones
        self.interactions: dict[int, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self.may_read_content = True  # the portal grants the privileged message-content intent
        self.files: dict[str, bytes] = {}  # the newest posted files, by the path of their address

    def add_user(self, name: str, *, is_bot: bool = False) -> User:
        """Add a user that is in no guild yet."""
        user = User(self.new_id(), name, is_bot)
        self.users[user.id] = user
        return user

    def channel(self, channel_id: int) -> Channel:
        """Return a channel.

        Raises:
            DiscordError: 10003 if it is unknown.
        """
        found = self.channels.get(channel_id)
        if found is None:
            raise errors.unknown_channel()
        return found

    def guild(self, guild_id: int) -> Guild:
        """Return a guild that the bot is in.

        Raises:
            DiscordError: 10004 for any other.
        """
        found = self.guilds.get(guild_id)
        if found is None or self.bot.id not in found.members:
            raise errors.unknown_guild()
        return found

    def guild_of(self, channel_id: int) -> Guild | None:
        """Return the guild of a channel."""
        return self.guilds.get(self.channel(channel_id).guild_id)

    def bot_sees(self, channel: Channel) -> bool:
        """Return whether the bot has access to a channel."""
        guild = self.guilds.get(channel.guild_id)
        return guild is None or sees(guild, channel, self.bot.id)

    def permissions(self, channel: Channel, user_id: int) -> int:
        """Return the permission bits of a member in a channel; all bits if its guild is unknown."""
        guild = self.guilds.get(channel.guild_id)
        return -1 if guild is None else permissions_in(guild, channel, user_id)

    def knows_emoji(self, emoji_id: int) -> bool:
        """Return whether the bot can show a custom emoji: its own, or one of a guild that it is in."""
        if emoji_id in self.application_emojis:
            return True
        return any(emoji_id in guild.emojis and guild.emojis[emoji_id].is_available for guild in self.guilds.values())
