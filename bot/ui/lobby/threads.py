"""A thread of its own for a table: quiet, with its own rate limit."""

from typing import Final

import discord
import structlog

from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.names import inert
from bot.ui.kit.texts import Texts
from bot.ui.messages.coalescer import Budget

_ARCHIVE_MINUTES: Final = 1440

_log = structlog.get_logger(__name__)


async def open_thread(interaction: discord.Interaction, announcement: str, texts: Texts, budget: Budget) -> int:
    """Announce a table in the channel and open a thread under the announcement; the id of where to play.

    Where Discord refuses the thread after all, that is the channel itself.

    Raises:
        discord.HTTPException: not even the announcement could be posted.
    """
    said = await interaction.response.send_message(announcement, allowed_mentions=discord.AllowedMentions.none())
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel), "only text channels are asked for threads"
    assert said.message_id is not None, "a message was sent"
    try:
        name = texts.t("Kem's — {name}", name=inert(interaction.user.display_name) or "?")
        async with budget.slot(is_urgent=True):
            message = channel.get_partial_message(said.message_id)
            thread = await message.create_thread(name=name, auto_archive_duration=_ARCHIVE_MINUTES)
    except FAILED as error:
        _log.warning("thread.refused", channel=channel.id, **facts(error))
        return channel.id
    return thread.id
