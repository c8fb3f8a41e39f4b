"""Messages that a table has left, because it was moved or its next round has a message of its own.

They are emptied of their buttons; but the bot may be interrupted before that, and Discord may refuse it. It knows no
game.
"""

import discord

from bot.tables.place import Place
from bot.ui.kit.interactions import is_private, reader


def is_left(interaction: discord.Interaction, place: Place) -> bool:
    """Whether a press was made on a public message that the table of this place has left.

    The present one is known by its place alone, which is stored before a table is shown elsewhere. A younger message
    in the same channel is the next one, whose id is not noted yet.
    """
    message = interaction.message
    if message is None or is_private(message) or place.message_id is None:
        return False
    return interaction.channel_id not in (None, place.channel_id) or message.id < place.message_id


def left_text(interaction: discord.Interaction, place: Place) -> str:
    """The answer to a press there."""
    message = interaction.message
    link = link_from(None if message is None else message.id, place)
    return reader(interaction).t("This table goes on in another message: {link}", link=link)


def link_from(message_id: int | None, place: Place) -> str:
    """Where a table is that has left a message; its channel alone while it is still to be posted there."""
    channel = f"https://discord.com/channels/{place.guild_id}/{place.channel_id}"
    return channel if place.message_id in (None, message_id) else f"{channel}/{place.message_id}"
