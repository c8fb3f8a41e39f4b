"""Looks for a message that a former run of the bot posted and did not live to note."""

from typing import Final

import discord

from bot.ui.kit.custom_ids import parse_id

_LOOKED_AT: Final = 100  # as many messages as one request gives


async def find_message(
    client: discord.Client, channel: discord.abc.Messageable, table_id: int, after: int
) -> tuple[int, int] | None:
    """The newest of our messages after an id that has a table's buttons: its id, and the round that it shows.

    None where there is none, or the bot may not read what was posted.
    """
    try:
        async for message in channel.history(limit=_LOOKED_AT, after=discord.Object(after), oldest_first=False):
            is_ours = client.user is not None and message.author.id == client.user.id
            rounds = _rounds_of(message, table_id) if is_ours else []
            if rounds:
                return message.id, max(rounds)
    except discord.Forbidden:
        pass
    return None


def _rounds_of(message: discord.Message, table_id: int) -> list[int]:
    """The rounds that the buttons of this table say, 0 where they say none."""
    items = discord.ui.LayoutView.from_message(message).walk_children()
    presses = (parse_id(str(getattr(item, "custom_id", ""))) for item in items)
    return [press.round or 0 for press in presses if press is not None and press.table_id == table_id]
