"""A thread of its own for a table: quiet, with its own rate limit. It knows no game."""

from typing import Final

import discord
import structlog

from bot.ui.coalesce import Budget
from bot.ui.names import clean, defuse
from bot.ui.texts import Texts

_log = structlog.get_logger(__name__)
_ARCHIVE_MINUTES: Final = 1440


async def open_thread(interaction: discord.Interaction, texts: Texts, budget: Budget) -> int:
    """Announce a table in the channel and open a thread under the announcement; the id of where to play.

    Where Discord refuses the thread after all, that is the channel itself.

    Raises:
        discord.HTTPException: not even the announcement could be posted.
    """
    host = interaction.user.display_name
    said = await interaction.response.send_message(
        texts.t("♠ {name} opens a table of Kem's.", name=defuse(host)), allowed_mentions=discord.AllowedMentions.none()
    )
    channel = interaction.channel
    assert isinstance(channel, discord.TextChannel), "only text channels are asked for threads"
    assert said.message_id is not None, "a message was sent"
    try:
        announcement = channel.get_partial_message(said.message_id)
        name = texts.t("Kem's — {name}", name=clean(host))
        async with budget.slot(is_urgent=True):
            thread = await announcement.create_thread(name=name, auto_archive_duration=_ARCHIVE_MINUTES)
    except discord.HTTPException as error:
        _log.warning("thread.refused", channel=channel.id, status=error.status, code=error.code)
        return channel.id
    return thread.id
