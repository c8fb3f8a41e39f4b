"""What the bot may do in a channel, and the names of what it lacks, as Discord's own settings call them."""

from collections.abc import Iterable
from typing import Final

import discord

from bot.ui.texts import Texts, mark

IN_CHANNEL: Final = ("view_channel", "send_messages")
IN_THREAD: Final = ("create_public_threads", "send_messages_in_threads")
_NAMES: Final = {
    "view_channel": mark("View Channel"),
    "send_messages": mark("Send Messages"),
    "create_public_threads": mark("Create Public Threads"),
    "send_messages_in_threads": mark("Send Messages in Threads"),
}


def missing(permissions: discord.Permissions, needed: Iterable[str]) -> tuple[str, ...]:
    """The flags of `needed` that are not granted, by discord.py's names."""
    return tuple(name for name in needed if not getattr(permissions, name))


def needed_here(channel: object) -> tuple[str, ...]:
    """What a table in this very channel needs; a thread asks for its own kind of sending."""
    return ("view_channel", "send_messages_in_threads") if isinstance(channel, discord.Thread) else IN_CHANNEL


def can_hold_threads(channel: object) -> bool:
    """Whether public threads can be opened in a channel of this kind."""
    return isinstance(channel, discord.TextChannel)


def permission_names(flags: Iterable[str], texts: Texts) -> tuple[str, ...]:
    """The permissions as a server's settings name them."""
    return tuple(texts.t(_NAMES[flag]) for flag in flags)
