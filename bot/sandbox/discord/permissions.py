"""Permissions of members in guilds and channels.

Source: https://discord.com/developers/docs/topics/permissions#permission-overwrites
"""

from typing import Final

from bot.sandbox.discord.objects import PRIVATE_THREAD, Channel, Guild

ADD_REACTIONS: Final = 1 << 6
ADMINISTRATOR: Final = 1 << 3
VIEW_CHANNEL: Final = 1 << 10
SEND_MESSAGES: Final = 1 << 11
MANAGE_MESSAGES: Final = 1 << 13
EMBED_LINKS: Final = 1 << 14
ATTACH_FILES: Final = 1 << 15
READ_MESSAGE_HISTORY: Final = 1 << 16
USE_EXTERNAL_EMOJIS: Final = 1 << 18
MANAGE_ROLES: Final = 1 << 28
CREATE_EVENTS: Final = 1 << 44
USE_APPLICATION_COMMANDS: Final = 1 << 31
MANAGE_THREADS: Final = 1 << 34
CREATE_PUBLIC_THREADS: Final = 1 << 35
CREATE_PRIVATE_THREADS: Final = 1 << 36
SEND_MESSAGES_IN_THREADS: Final = 1 << 38
ALL: Final = (1 << 51) - 1

# What a new guild gives to everybody.
EVERYBODY: Final = (
    ADD_REACTIONS | VIEW_CHANNEL | SEND_MESSAGES | EMBED_LINKS | ATTACH_FILES | READ_MESSAGE_HISTORY
    | USE_EXTERNAL_EMOJIS | USE_APPLICATION_COMMANDS | CREATE_PUBLIC_THREADS | CREATE_PRIVATE_THREADS
    | SEND_MESSAGES_IN_THREADS
)  # fmt: skip
# What a guild gives to a bot that asks for messages, threads, reactions, roles and events.
BOT: Final = EVERYBODY | MANAGE_ROLES | CREATE_EVENTS


def permissions_in(guild: Guild, channel: Channel | None, user_id: int) -> int:
    """Return the permission bits of a member in a channel (None: in the guild); 0 for a stranger.

    A timeout leaves the right to read: https://discord.com/developers/docs/topics/permissions#permissions-for-timed-out-members
    """
    member = guild.members.get(user_id)
    if member is None:
        return 0
    if user_id == guild.owner_id:
        return ALL
    bits = guild.roles[guild.id].permissions
    for role in member.roles:
        bits |= guild.roles[role].permissions
    if bits & ADMINISTRATOR:
        return ALL
    known = -1 if (member.timed_out_ms or 0) <= guild.now() else VIEW_CHANNEL | READ_MESSAGE_HISTORY
    while channel is not None and channel.is_thread:  # a thread has its parent's
        channel = guild.channels.get(channel.parent_id or 0)
    if channel is not None and channel.overwrites:
        bits = _overwritten(bits, guild.id, member.roles, channel)
    return bits & known if channel is None or bits & VIEW_CHANNEL else 0


def _overwritten(bits: int, everybody: int, roles: list[int], channel: Channel) -> int:
    def step(ids: list[int], present: int) -> int:
        found = [channel.overwrites[key] for key in ids if key in channel.overwrites]
        for _, denied in found:
            present &= ~denied
        for allowed, _ in found:
            present |= allowed
        return present

    return step(roles, step([everybody], bits))


def sees(guild: Guild, channel: Channel, user_id: int) -> bool:
    """Return whether a member has access to a channel; a private thread requires being in it or managing threads.

    Source: https://discord.com/developers/docs/topics/threads#private-threads
    """
    bits = permissions_in(guild, channel, user_id)
    if not bits & VIEW_CHANNEL:
        return False
    is_open = channel.type != PRIVATE_THREAD or user_id in channel.thread_members
    return is_open or bool(bits & MANAGE_THREADS)
