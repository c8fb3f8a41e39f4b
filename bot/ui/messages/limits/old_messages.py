"""Messages of former places and former runs: those that a table has left, and those that nobody noted.

A table leaves a message when it moves or its next round gets a message. The bot removes the buttons of a message that
was left, but it may be interrupted before that, and Discord may refuse it.
"""

from typing import Final

import discord

from bot.tables.lobby.place import Place
from bot.ui.kit.custom_ids import parse_id
from bot.ui.kit.interactions import reader
from bot.ui.kit.links import link_to

_LOOKED_AT: Final = 100  # as many messages as one request gives


def left_text(interaction: discord.Interaction, place: Place) -> str:
    """The answer to a press on such a message."""
    message = interaction.message
    link = link_from(None if message is None else message.id, place)
    return reader(interaction).t("This table goes on in another message: {link}", link=link)


def link_from(message_id: int | None, place: Place) -> str:
    """A link to a table that has left a message; to its channel alone until it is posted there."""
    return link_to(place.guild_id, place.channel_id, None if place.message_id == message_id else place.message_id)


async def find_message(
    client: discord.Client, channel: discord.abc.Messageable, table_id: int, after: int
) -> tuple[int, int] | None:
    """Looks for a table's message that a former run posted without noting it: its id, and the round that it shows.

    It is the bot's newest message after the id `after` that has the table's buttons.
    """
    try:
        async for message in channel.history(limit=_LOOKED_AT, after=discord.Object(after), oldest_first=False):
            is_ours = client.user is not None and message.author.id == client.user.id
            rounds = _rounds_of(message, table_id) if is_ours else []
            if rounds:
                return message.id, max(rounds)
    except discord.Forbidden:
        pass  # the bot may not read the channel
    return None


def _rounds_of(message: discord.Message, table_id: int) -> list[int]:
    """The rounds in the ids of this table's buttons; 0 for an id without a round."""
    items = discord.ui.LayoutView.from_message(message).walk_children()
    presses = (parse_id(str(getattr(item, "custom_id", ""))) for item in items)
    return [press.round or 0 for press in presses if press is not None and press.table_id == table_id]
