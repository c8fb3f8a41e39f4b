"""Links into Discord."""


def link_to(guild_id: int, channel_id: int, message_id: int | None = None) -> str:
    """A link to a message, or to its channel."""
    channel = f"https://discord.com/channels/{guild_id}/{channel_id}"
    return channel if message_id is None else f"{channel}/{message_id}"
