"""Permissions: what the bot or a user may do in a channel, what is missing, and the bot's timeouts."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, TypeGuard

import discord
import structlog

from bot.discord.api.interactions import RefusedError, texts_of
from bot.discord.text.texts import Texts, mark

IN_CHANNEL: Final = ("view_channel", "send_messages")
IN_THREAD: Final = ("create_public_threads", "send_messages_in_threads")
IN_PRIVATE_THREAD: Final = ("create_private_threads", "send_messages_in_threads")
HISTORY: Final = ("read_message_history",)
FOR_ROLES: Final = ("manage_roles",)
FOR_EVENTS: Final = ("create_events",)
PICTURES: Final = ("attach_files",)
INVITED: Final = (*IN_CHANNEL, *IN_THREAD, *IN_PRIVATE_THREAD, *PICTURES, *HISTORY)
"""The permissions that the invitation requests."""
_WITHOUT_TABLES: Final = (discord.ChannelType.category, discord.ChannelType.media)
_NAMES: Final = {
    "view_channel": mark("View Channel"),
    "send_messages": mark("Send Messages"),
    "create_public_threads": mark("Create Public Threads"),
    "create_private_threads": mark("Create Private Threads"),
    "send_messages_in_threads": mark("Send Messages in Threads"),
    "attach_files": mark("Attach Files"),
    "read_message_history": mark("Read Message History"),
    "manage_roles": mark("Manage Roles"),
    "create_events": mark("Create Events"),
}
_TIMEOUT_MARGIN_S: Final = 2.0
"""Seconds after the end of a timeout until retries begin, since clocks differ."""

_log = structlog.get_logger(__name__)


def missing_permissions(permissions: discord.Permissions, needed: Iterable[str]) -> tuple[str, ...]:
    """Return the permissions of `needed` that are not granted, by discord.py's names."""
    return tuple(name for name in needed if not getattr(permissions, name))


def missing_in_channel(client: discord.Client, guild_id: int, channel_id: int) -> tuple[str, ...]:
    """Return the permissions that the bot lacks for a table in a channel; none if it does not know the channel."""
    guild = client.get_guild(guild_id)
    channel = None if guild is None else known_channel(guild, channel_id)
    return (
        ()
        if guild is None or channel is None
        else missing_permissions(channel.permissions_for(guild.me), needed_in(channel))
    )


def timeout_words(guild: discord.Guild | None, texts: Texts) -> str | None:
    """Return a sentence about the bot's timeout in a server; None if it has none.

    During a timeout nearly all permissions are missing, so a list of them would mislead.
    """
    until = None if guild is None or not guild.me.is_timed_out() else guild.me.timed_out_until
    if until is None:
        return None
    when = f"<t:{until.timestamp():.0f}:f>"
    return texts.t("A moderator gave me a timeout: I cannot write in this server until {when}.", when=when)


def open_channel(client: discord.Client, guild_id: int, channel_id: int, known: int | None = None) -> int | None:
    """Return the id of the channel, or of the thread's channel, if @everyone can see what is there; else None.

    `known` is returned for a channel that the bot does not know, such as an archived thread.
    """
    guild = client.get_guild(guild_id)
    channel = None if guild is None else known_channel(guild, channel_id)
    if guild is None or channel is None:
        return known
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    is_private = isinstance(channel, discord.Thread) and channel.is_private()
    return None if place is None or is_private or not everyone_sees(place) else place.id


def check_not_timed_out(guild: discord.Guild | None, texts: Texts) -> None:
    """Check that no moderator has given the bot a timeout.

    Raises:
        RefusedError: A moderator gave the bot a timeout.
    """
    if (words := timeout_words(guild, texts)) is not None:
        raise RefusedError(words)


def check_may_post(interaction: discord.Interaction, *channel_ids: int | None) -> None:
    """Check that the bot may post in these channels at the user's request.

    Raises:
        RefusedError: The user may not write in one of them, one is None, or a moderator gave the bot a timeout.
    """
    texts = texts_of(interaction)
    check_not_timed_out(interaction.guild, texts)
    for channel_id in channel_ids:
        if channel_id is None or not may_write(interaction, channel_id):
            where = f"<#{channel_id}>"
            line = texts.t("You may not write in {channel}, so I may not post there for you.", channel=where)
            raise RefusedError(line)


def everyone_sees(channel: discord.abc.GuildChannel) -> bool:
    """Return whether @everyone can see a channel."""
    return channel.permissions_for(channel.guild.default_role).view_channel


def known_channel(guild: discord.Guild, channel_id: int) -> discord.abc.GuildChannel | discord.Thread | None:
    """Return a channel whose permissions the bot knows; None if it does not know the channel, or a thread's parent."""
    channel = guild.get_channel_or_thread(channel_id)
    return None if isinstance(channel, discord.Thread) and channel.parent is None else channel


def takes_tables(channel: object) -> bool:
    """Return whether a channel's type allows tables; True for a channel that the bot does not know."""
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    return getattr(place, "type", None) not in _WITHOUT_TABLES


def needed_in(channel: object) -> tuple[str, ...]:
    """Return the permissions that a table in this channel needs; writing in threads has its own."""
    is_thread = isinstance(channel, discord.Thread | discord.ForumChannel)
    return ("view_channel", "send_messages_in_threads") if is_thread else IN_CHANNEL


def may_attach(guild: discord.Guild, channel_id: int) -> bool:
    """Return whether the bot may attach files in a channel; if it does not know the channel, only its roles count."""
    channel, me = known_channel(guild, channel_id), guild.me
    return (me.guild_permissions if channel is None else channel.permissions_for(me)).attach_files


def may_write(interaction: discord.Interaction, channel_id: int) -> bool:
    """Return whether the user may write in a channel of this server.

    In a channel that the bot does not know, users may write that may manage messages in the current one. In a private
    thread that the bot has opened, everybody in it may.
    """
    user, guild, channel = interaction.user, interaction.guild, interaction.channel
    if channel_id == interaction.channel_id:
        if isinstance(channel, discord.Thread) and channel.is_private() and channel.owner_id == channel.guild.me.id:
            return True
        return not missing_permissions(interaction.permissions, needed_in(interaction.channel))
    if guild is None or not isinstance(user, discord.Member):
        return False
    known = known_channel(guild, channel_id)
    if known is None:
        return interaction.permissions.manage_messages
    return not missing_permissions(known.permissions_for(user), needed_in(known))


def can_hold_threads(channel: object) -> TypeGuard[discord.TextChannel]:
    """Return whether a channel can have threads for tables. Announcement channels have another kind of threads."""
    return isinstance(channel, discord.TextChannel) and not channel.is_news()


def permission_names(flags: Iterable[str], texts: Texts) -> str:
    """Return the permissions as a list in words, as Discord's settings name them."""
    return ", ".join(texts.t(_NAMES[flag]) for flag in flags)


def everybody_refusal(_member: discord.Member, role: discord.Role, texts: Texts) -> str | None:
    """Return why @everyone cannot be chosen as a role; None for any other role."""
    return texts.t("{role} is everybody: choose another role.", role=role.name) if role.is_default() else None


def grants_more_than_everyone(role: discord.Role) -> bool:
    """Return whether a role has a permission that @everyone lacks, in the server or in one of its channels."""
    everyone = role.guild.default_role
    if role.permissions.value & ~everyone.permissions.value:
        return True
    for channel in role.guild.channels:
        allowed, _ = channel.overwrites_for(role).pair()
        if allowed.value & ~channel.permissions_for(everyone).value:
            return True
    return False


def is_role_gone(guild: discord.Guild | None, role_id: int | None) -> bool:
    """Return whether a role was deleted; False if the server is not known."""
    return guild is not None and not guild.unavailable and role_id is not None and guild.get_role(role_id) is None


class BotTimeouts:
    """Waits for the end of the timeouts that moderators give the bot, then calls `is_over` with the server's id.

    Discord sends an event when a timeout begins or is ended early, but none when its time is over.
    """

    def __init__(self, is_over: Callable[[int], None]) -> None:
        self._is_over = is_over
        self._timers: dict[int, asyncio.TimerHandle] = {}

    def look(self, guild: discord.Guild) -> None:
        """Start waiting for the end of the bot's timeout in a server; if it has none, stop waiting."""
        former = self._timers.pop(guild.id, None)
        if former is not None:
            former.cancel()
        until = guild.me.timed_out_until if guild.me.is_timed_out() else None
        if until is None:
            return
        wait_s = (until - discord.utils.utcnow()).total_seconds() + _TIMEOUT_MARGIN_S
        _log.warning("bot.timed_out", server=guild.id, seconds=round(wait_s))
        self._timers[guild.id] = asyncio.get_running_loop().call_later(wait_s, self._end, guild)

    def stop(self) -> None:
        """Stop waiting."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _end(self, guild: discord.Guild) -> None:
        self.look(guild)  # it may last longer by now
        if guild.id not in self._timers:
            self._is_over(guild.id)
