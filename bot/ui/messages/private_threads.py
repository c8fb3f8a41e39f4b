"""Private threads: commands and presses come from there, but the bot may not read or post until it is added.

Source: https://discord.com/developers/docs/topics/threads#permissions
"""

import asyncio

import discord
import structlog

from bot.ui.admission.time_limit import PATIENCE_S
from bot.ui.kit.failures import FAILED, facts
from bot.ui.kit.interactions import reader
from bot.ui.messages.limits.bot_requests import BotRequests
from bot.ui.words.refusals import RefusedError

_log = structlog.get_logger(__name__)


def may_be_private(channel: object) -> bool:
    """Whether a channel may be a private thread; None stands for one that Discord has not told of."""
    return channel is None or (isinstance(channel, discord.Thread) and channel.is_private())


async def check_is_added(interaction: discord.Interaction, channel_id: int, requests: BotRequests) -> None:
    """Asks Discord about a channel of the interaction's server, if it may be a private thread.

    Raises:
        RefusedError: the bot has not been added to the thread; the sentence says how to add it.
    """
    guild, client = interaction.guild, interaction.client
    is_here = channel_id == interaction.channel_id
    channel = interaction.channel if is_here or guild is None else guild.get_channel_or_thread(channel_id)
    if not may_be_private(channel):
        return
    try:
        async with asyncio.timeout(PATIENCE_S), requests.slot(is_urgent=True) as slot:
            slot.request()
            await client.fetch_channel(channel_id)
    except discord.Forbidden:
        assert client.user is not None, "a bot that hears of interactions is logged in"
        sentence = reader(interaction).t(
            "I have not been added to the private thread {channel}: mention {bot} there, then try again.",
            channel=f"<#{channel_id}>",
            bot=client.user.mention,
        )
        raise RefusedError(sentence) from None
    except FAILED as error:  # gone, or not known in time: the table shows what comes of it
        _log.info("thread.not_known", channel=channel_id, **facts(error))
