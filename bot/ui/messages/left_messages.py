"""Messages that a table has left: what they say, and how they go at the end. The table has one message, its result."""

from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.tables.lobby.place import FormerMessage, Place
from bot.ui.kit.components import layout, text
from bot.ui.kit.edits import edit_message
from bot.ui.kit.failures import facts
from bot.ui.kit.texts import Texts
from bot.ui.messages.limits.budget import Slot
from bot.ui.messages.limits.old_messages import link_from

MOST_DELETED: Final = 4
"""So many messages are deleted in one write."""

_log = structlog.get_logger(__name__)


async def tell_moved(client: discord.Client, former: FormerMessage, place: Place, texts: Texts, slot: Slot) -> None:
    """Link from the message of a table that was moved to the present one."""
    link = link_from(former.message_id, place)
    board = layout(text(texts.t("➡️ This table has moved: {link}", link=link)))
    slot.request()
    try:
        await edit_message(client, former.channel_id, former.message_id, board)
    except discord.HTTPException as error:  # refused; where nobody knows, it is tried again
        _log.info("board.left_behind", **facts(error))


async def without_logs(client: discord.Client, place: Place, slot: Slot) -> Place:
    """Delete the first of the messages that a table has left. Returns the place without them.

    Raises:
        discord.HTTPException: Discord does not answer. A refusal only leaves a message where it is.
    """
    for log in place.logs[:MOST_DELETED]:
        slot.request()
        try:
            await client.http.delete_message(log.channel_id, log.message_id)
        except (discord.NotFound, discord.Forbidden) as error:
            _log.info("board.log_stays", **facts(error))
    return replace(place, logs=place.logs[MOST_DELETED:])
